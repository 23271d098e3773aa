/** What the driver would make of an array, and its escaping of each element, is most of what a batch costs to send. */

/** Characters that an element is not made of where it stands without quotes. */
const PLAIN = /^[\w:.+-]+$/;

/** An array of PostgreSQL as text. */
export function arrayLiteral(values: readonly (string | number | boolean | Date | null)[]): string {
  return `{${values.map(element).join(',')}}`;
}

/** {@link arrayLiteral} of ids, which need no quotes. */
export function uuidArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`;
}

function element(value: string | number | boolean | Date | null): string {
  if (value === null) return 'NULL';
  const text = value instanceof Date ? value.toISOString() : String(value);
  const isPlain = PLAIN.test(text) && !(text.length === 4 && text.toUpperCase() === 'NULL');
  return isPlain ? text : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
