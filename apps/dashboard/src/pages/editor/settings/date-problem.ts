import type { BlogState } from '../../../generated/types.gen.ts';
import { isOver } from '../../../parts/forms/local-time.ts';
import { common } from '../../../strings/common.ts';
import { publicationDate as text } from '../../../strings/writing/publication-date.ts';

const FIRST_YEAR = 1970;
const YEARS_AHEAD = 10;

/** Why a post in this state cannot have the date; null for one that it can have. @param date null for no such time. */
export function dateProblem(date: string | null, state: BlogState, now = new Date()): string | null {
  if (date === null) return common.noSuchTime;
  const at = new Date(date);
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + YEARS_AHEAD);
  if (at.getUTCFullYear() < FIRST_YEAR || at > latest) return text.range(FIRST_YEAR, YEARS_AHEAD);
  return state === 'published' && !isOver(date) ? text.ahead : null;
}
