/** What the driver would make of an array, and its escaping of each element, is most of what a batch costs to send. */

/** Characters that an element is not made of where it stands without quotes. */
const PLAIN = /^[\w:.+-]+$/;

type Value = string | number | boolean | Date | null;

/** An array of PostgreSQL as text. */
export function arrayLiteral(values: readonly Value[]): string {
  return `{${values.map(element).join(',')}}`;
}

/** {@link arrayLiteral} of ids, numbers, times and the like, no text of which needs quotes. */
export function plainArray(values: readonly Value[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : toText(value))).join(',')}}`;
}

/** An array for a column of this type. */
export function columnArray(type: string, values: readonly Value[]): string {
  return type === 'text' ? arrayLiteral(values) : plainArray(values);
}

function element(value: Value): string {
  if (value === null) return 'NULL';
  const text = toText(value);
  const isPlain = PLAIN.test(text) && !(text.length === 4 && text.toUpperCase() === 'NULL');
  return isPlain ? text : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function toText(value: NonNullable<Value>): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
