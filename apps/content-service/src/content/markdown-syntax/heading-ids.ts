/**
 * Makes the ids of a document's headings, as GitHub does: the text in lower case, its letters, digits, marks and hyphens,
 * with a hyphen for each space, and a number where another heading has the id already. Null for a text without any.
 *
 * @param taken ids that other elements of the document have.
 */
export function headingIds(taken: Iterable<string> = []): (text: string) => string | null {
  const ids = new Set(taken);
  const repeated = new Map<string, number>();
  return (text) => {
    const base = text
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
      .slice(0, MAX_ID)
      .toWellFormed();
    if (base === '') return null;
    let id = base;
    for (let number = repeated.get(base) ?? 1; ids.has(id); number += 1) {
      id = `${base}-${number}`;
      repeated.set(base, number + 1);
    }
    ids.add(id);
    return id;
  };
}

/** Most characters of an id that is made. */
const MAX_ID = 200;
