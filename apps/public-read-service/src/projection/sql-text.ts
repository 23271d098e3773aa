import { escapeLiteral } from 'pg';

/** A value of a statement: arrays become PostgreSQL's arrays, whose elements are texts or null. */
export type SqlValue = string | number | readonly (string | number | null)[];

/**
 * Puts values into a statement's text in place of `$1`, `$2`, …: several statements in one text are sent and answered in one
 * go, and such a text takes no parameters.
 */
export function inline(text: string, values: readonly SqlValue[]): string {
  return text.replace(/\$(\d+)/g, (placeholder, number: string) => {
    const value = values[Number(number) - 1];
    if (value === undefined) throw new RangeError(`There is no value for ${placeholder}.`);
    return literal(value);
  });
}

function literal(value: SqlValue): string {
  if (typeof value === 'number') return escapeLiteral(String(value));
  return escapeLiteral(typeof value === 'string' ? value : toArrayText(value));
}

/** An array as PostgreSQL reads it from text. */
export function toArrayText(elements: readonly (string | number | null)[]): string {
  return `{${elements
    .map((element) => (element === null ? 'NULL' : `"${String(element).replaceAll(/["\\]/g, String.raw`\$&`)}"`))
    .join(',')}}`;
}
