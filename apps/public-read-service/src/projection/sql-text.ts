import { escapeLiteral } from 'pg';

/** A value of a statement: arrays become PostgreSQL's arrays, whose elements are texts or null. */
export type SqlValue = string | number | readonly (string | number | null)[];

/** A value as it stands in a statement's text. */
export function toLiteral(value: SqlValue): string {
  if (typeof value === 'number') return escapeLiteral(String(value));
  return escapeLiteral(typeof value === 'string' ? value : toArrayText(value));
}

/** An array as PostgreSQL reads it from text. */
export function toArrayText(elements: readonly (string | number | null)[]): string {
  return `{${elements
    .map((element) => (element === null ? 'NULL' : `"${String(element).replaceAll(/["\\]/g, String.raw`\$&`)}"`))
    .join(',')}}`;
}
