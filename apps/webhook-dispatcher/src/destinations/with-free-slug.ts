import type { TargetClient } from './target-client.ts';

/** So many slugs are tried: the one that was asked for, and that with `-2` to `-5`. */
export const MAX_SLUGS_TRIED = 5;

/** A slug, and what it becomes where it is taken, in the order in which they are tried. */
export const slugsLike = (slug: string): string[] =>
  Array.from({ length: MAX_SLUGS_TRIED }, (_, index) => (index === 0 ? slug : `${slug}-${index + 1}`));

/**
 * Writes a post under the slug that it is to have, or the first free one like it, in a system that refuses what is
 * taken. `write` resolves to null when it is.
 */
export async function withFreeSlug<T>(
  slug: string,
  write: (slug: string) => Promise<T | null>,
  client: Pick<TargetClient, 'declined'>,
): Promise<T> {
  for (const tried of slugsLike(slug)) {
    const written = await write(tried);
    if (written !== null) return written;
  }
  throw client.declined(`The slug ${slug} and similar ones are taken at the destination.`);
}
