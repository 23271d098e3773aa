/**
 * The topic that is to come after the one that is moved from one place to another: null puts it at the end of the
 * queue, undefined where the list does not know what comes after.
 *
 * @param complete whether the list holds the whole queue.
 */
export function topicAfter(
  ids: readonly string[],
  from: number,
  to: number,
  complete: boolean,
): string | null | undefined {
  if (from === to || to < 0 || to >= ids.length) return undefined;
  // Without it, those behind it move up one place.
  const others = ids.filter((_, index) => index !== from);
  return others[to] ?? (complete ? null : undefined);
}
