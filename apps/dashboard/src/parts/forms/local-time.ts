const two = (number: number) => String(number).padStart(2, '0');

/**
 * A moment as a field for a day and time holds it (`2026-11-23T09:30`): by the clocks of this device, to the minute.
 */
export function toLocalInput(iso: string | undefined): string {
  if (iso === undefined) return '';
  const at = new Date(iso);
  const day = [String(at.getFullYear()).padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/**
 * The moment that the field means; null where it means none: it is empty, or the clocks are put forward over that time.
 * A time that comes twice, because they are put back, is `before` where the field still has that, else the first one.
 */
export function fromLocalInput(field: string, before?: string): string | null {
  if (before !== undefined && toLocalInput(before) === field) return before;
  const at = new Date(field);
  if (field === '' || Number.isNaN(at.getTime())) return null;
  const iso = at.toISOString();
  return toLocalInput(iso) === field ? iso : null;
}

/** The moment that the field means, where that is one to come; null where it means none, or one that is over. */
export function timeToCome(field: string, before?: string): string | null {
  const at = fromLocalInput(field, before);
  return at === null || isOver(at) ? null : at;
}

export const isOver = (iso: string): boolean => Date.parse(iso) <= Date.now();
