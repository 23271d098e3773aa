/** Longest name that is compared: comparing takes the product of both lengths. */
const MAX_LENGTH = 100;
/** A name is near when at most every third letter differs. */
const LETTERS_PER_MISTAKE = 3;

/** The name that was most likely meant; undefined when none is near. `metaTitle` is `meta_title`, `tag` is `tags`. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const plain = plainly(given);
  if (plain === '' || plain.length > MAX_LENGTH) return undefined;
  const [nearest] = names
    .map((name) => ({ name, mistakes: distance(plain, plainly(name)) }))
    .filter(({ name, mistakes }) => mistakes <= Math.max(plain.length, plainly(name).length) / LETTERS_PER_MISTAKE)
    .sort((a, b) => a.mistakes - b.mistakes);
  return nearest?.name;
}

const plainly = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** How many letters have to be put in, taken out, replaced or swapped with their neighbor. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + Number(!isSame));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
