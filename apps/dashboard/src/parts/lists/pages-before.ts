type Cursor = string | undefined;

/**
 * The pages before the one at `cursor`, where `seen` are those of this visit: the browser's own buttons may have gone
 * back to one of them.
 */
export function pagesBefore(seen: readonly Cursor[], cursor: Cursor): readonly Cursor[] {
  const index = seen.indexOf(cursor);
  return index === -1 ? seen : seen.slice(0, index);
}
