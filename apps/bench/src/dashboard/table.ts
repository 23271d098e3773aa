const NAME_WIDTH = 42;

/** A line of a table: a name, and cells of nine characters or more. */
export function line(name: string, cells: readonly (string | number)[]): string {
  const text = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(0) : cell).padStart(9));
  return name.padEnd(NAME_WIDTH) + text.join('');
}

/** Bytes, in kB. */
export const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(1);
