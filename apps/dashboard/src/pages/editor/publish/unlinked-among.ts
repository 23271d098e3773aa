import type { Translation } from '../languages/use-translations.ts';

/**
 * Among a post and its translations, who does not name the others to readers yet: a published post does so from its next
 * publish on.
 *
 * @returns `added`: the languages that the post’s own publish adds to it; `others`: published posts that don’t name it.
 */
export function unlinkedAmong(
  items: readonly Translation[],
  ownId: string,
): { readonly added: readonly string[]; readonly others: readonly Translation[] } {
  const isUnlinked = ({ state, is_linked: isLinked }: Translation) => state === 'published' && !isLinked;
  const own = items.find(({ blog_id: id }) => id === ownId);
  const others = items.filter(({ blog_id: id, state }) => id !== ownId && state !== 'deleted');
  return {
    added: own !== undefined && isUnlinked(own) ? others.flatMap(({ language }) => language ?? []) : [],
    others: others.filter(isUnlinked),
  };
}
