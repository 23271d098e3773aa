/** Something worth a look before a publish. Nothing of it keeps anybody from publishing. */
export interface Check {
  readonly name: 'title' | 'content' | 'alt' | 'description' | 'image' | 'links';
  readonly count: number;
}

/** What could be better about a post; nothing where all is well. */
export function checksOf(post: {
  readonly title: string;
  readonly untitled: string;
  readonly description: string;
  readonly image: string | null;
  readonly hasContent: boolean;
  readonly imagesWithoutAlt: number;
  readonly unpublishedLinks: number;
}): readonly Check[] {
  const found: readonly (readonly [Check['name'], boolean | number])[] = [
    ['title', post.title.trim() === '' || post.title.trim() === post.untitled],
    ['content', !post.hasContent],
    ['alt', post.imagesWithoutAlt],
    ['description', post.description.trim() === ''],
    ['image', post.image === null],
    ['links', post.unpublishedLinks],
  ];
  return found.filter(([, is]) => is !== false && is !== 0).map(([name, is]) => ({ name, count: Number(is) }));
}
