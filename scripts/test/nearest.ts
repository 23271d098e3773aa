const MAX_NAMED = 5;

/** Of all names the few that look most like the given one, best first. `keyOf` says by what part of a name. */
export function nearest(
  given: string,
  names: readonly string[],
  keyOf: (name: string) => string = (name) => name,
): string[] {
  const wanted = given.toLowerCase();
  const ranked = names.map((name) => ({ name, distance: distanceOf(wanted, keyOf(name).toLowerCase()) }));
  return ranked
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MAX_NAMED)
    .map(({ name }) => name);
}

/** The share of characters that would have to be changed, with less for names that contain one another. */
function distanceOf(one: string, other: string): number {
  const isPart = one !== '' && (one.includes(other) || other.includes(one));
  return (isPart ? 0.3 : 1) * (edits(one, other) / Math.max(one.length, other.length, 1));
}

/** How many characters have to be added, left out or replaced (Levenshtein). */
function edits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
