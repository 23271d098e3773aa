/** The blocks whose name or other words begin with what was typed; by name first. */
export function matchBlocks<B extends { readonly name: string; readonly words: string }>(
  blocks: readonly B[],
  typed: string,
): readonly B[] {
  const begins = (words: string) =>
    words
      .toLowerCase()
      .split(' ')
      .some((_, index, all) => all.slice(index).join(' ').startsWith(typed.toLowerCase()));
  const byName = blocks.filter(({ name }) => begins(name));
  return [...byName, ...blocks.filter((block) => !byName.includes(block) && begins(block.words))];
}
