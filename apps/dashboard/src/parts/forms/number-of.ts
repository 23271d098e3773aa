/** The value of a number field, or null if it is empty, which Mantine gives as ''. */
export function numberOf(typed: number | string): number | null {
  if (typeof typed === 'number') return typed;
  return typed.trim() === '' ? null : Number(typed);
}
