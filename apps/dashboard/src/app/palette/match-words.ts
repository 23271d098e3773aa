/** Whether each word that was typed begins a word of the name, in any order: “key rot” finds “Rotate key”. */
export function matchesWords(name: string, typed: string): boolean {
  const words = wordsOf(name);
  return wordsOf(typed).every((part) => words.some((word) => word.startsWith(part)));
}

const wordsOf = (text: string): string[] => text.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
