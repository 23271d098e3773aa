/** Something worth a look before a publish. Nothing of it keeps anybody from publishing. */
export type Check =
  | { readonly name: 'title' | 'content' | 'alt' | 'description' | 'image' | 'links'; readonly count: number }
  /** A field that holds something that is not saved; `label` is what the form calls it. */
  | { readonly name: 'unsaved'; readonly field: string; readonly label: string };

type Counted = Exclude<Check, { readonly name: 'unsaved' }>;

/** What could be better about a post; nothing where all is well. */
export function checksOf(post: {
  readonly title: string;
  readonly untitled: string;
  readonly description: string;
  readonly image: string | null;
  readonly hasContent: boolean;
  readonly imagesWithoutAlt: number;
  readonly unpublishedLinks: number;
  readonly notSaved: readonly { readonly field: string; readonly name: string }[];
}): readonly Check[] {
  const found: readonly (readonly [Counted['name'], boolean | number])[] = [
    ['title', post.title.trim() === '' || post.title.trim() === post.untitled],
    ['content', !post.hasContent],
    ['alt', post.imagesWithoutAlt],
    ['description', post.description.trim() === ''],
    ['image', post.image === null],
    ['links', post.unpublishedLinks],
  ];
  return [
    ...post.notSaved.map(({ field, name: label }) => ({ name: 'unsaved', field, label }) as const),
    ...found.filter(([, is]) => is !== false && is !== 0).map(([name, is]) => ({ name, count: Number(is) })),
  ];
}
