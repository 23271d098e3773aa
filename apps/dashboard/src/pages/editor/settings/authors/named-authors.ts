import type { Author } from '../../../../generated/types.gen.ts';

/** An author as a post names them. */
export interface NamedAuthor {
  /** As the post has it, which may be an earlier slug of the author. */
  readonly slug: string;
  /** Undefined for a slug that no author has: they were deleted, or aren't loaded yet. */
  readonly author: Author | undefined;
}

/** The authors that the slugs name, in their order. */
export function namedAuthors(slugs: readonly string[], authors: readonly Author[]): NamedAuthor[] {
  const bySlug = new Map(
    authors.flatMap((author) => [...author.former_slugs, author.slug].map((slug) => [slug, author] as const)),
  );
  return slugs.map((slug) => ({ slug, author: bySlug.get(slug) }));
}

/** The list with one item elsewhere. Both places are counted from 0. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  return items.toSpliced(from, 1).toSpliced(to, 0, ...items.slice(from, from + 1));
}
