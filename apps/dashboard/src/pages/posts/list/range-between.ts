/** The items from one to the other, both with them and whichever is first; only the second where the first is gone. */
export function rangeBetween<Item extends { readonly id: string }>(
  items: readonly Item[],
  from: string | null,
  to: string,
): readonly Item[] {
  const end = items.findIndex(({ id }) => id === to);
  const start = items.findIndex(({ id }) => id === from);
  return start === -1 ? items.slice(end, end + 1) : items.slice(Math.min(start, end), Math.max(start, end) + 1);
}
