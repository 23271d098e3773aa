/** Gives each source that is too long an equal share of what short ones leave. Says what was left out. */
export function limitSources<Limited extends { readonly number: number; readonly text: string | null }>(
  sources: readonly Limited[],
  maxLength: number,
): { readonly sources: readonly Limited[]; readonly cut: readonly string[] } {
  const lengths = sources.map(({ text }) => text?.length ?? 0);
  const share = shareOf(lengths, maxLength);
  const cut: string[] = [];
  const limited = sources.map((source) => {
    if (source.text === null || source.text.length <= share) return source;
    cut.push(`source ${source.number}: all but its first ${share} characters`);
    return { ...source, text: source.text.slice(0, share).toWellFormed() };
  });
  return { sources: limited, cut };
}

/** The most that one may have, so that all have no more than `total` together. */
function shareOf(lengths: readonly number[], total: number): number {
  let left = total;
  for (const [index, length] of lengths.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return total;
}
