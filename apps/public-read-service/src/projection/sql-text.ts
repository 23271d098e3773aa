/** A value of a statement: arrays become PostgreSQL's arrays, whose elements are texts or null. */
export type SqlValue = string | number | readonly (string | number | null)[];

/** A value as it stands in a statement's text. The driver's own escaping goes from character to character, which a post has many of. */
export function toLiteral(value: SqlValue): string {
  const text = typeof value === 'object' ? toArrayText(value) : String(value);
  const quoted = `'${text.replaceAll("'", "''")}'`;
  // A backslash is one whatever `standard_conforming_strings` says. The blank keeps the E from being part of a word before it.
  return quoted.includes('\\') ? ` E${quoted.replaceAll('\\', String.raw`\\`)}` : quoted;
}

/** An array as PostgreSQL reads it from text. */
export function toArrayText(elements: readonly (string | number | null)[]): string {
  return `{${elements
    .map((element) => (element === null ? 'NULL' : `"${String(element).replaceAll(/["\\]/g, String.raw`\$&`)}"`))
    .join(',')}}`;
}
