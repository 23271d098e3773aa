/** What stands in a number field, which gives '' while it is empty: null then. */
export function numberOf(typed: number | string): number | null {
  if (typeof typed === 'number') return typed;
  return typed.trim() === '' ? null : Number(typed);
}
