import type { Autopilot, AutopilotRequest, Weekday } from '../../../generated/types.gen.ts';

/** What stands in the form; a number field gives '' while it is empty. */
export interface AutopilotFields {
  readonly enabled: boolean;
  readonly timeZone: string;
  readonly days: readonly Weekday[];
  readonly times: string;
  readonly perWeek: number | string;
  readonly publish: 'draft_only' | 'after_review';
  readonly reviewHours: number | string;
  readonly monthlyPosts: number | string;
  readonly monthlyCost: number | string;
  readonly audience: string;
  readonly tone: string;
  readonly instructions: string;
  readonly length: number | string;
  readonly language: string;
  readonly pictures: boolean;
}

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export function fieldsOf(set: Autopilot): AutopilotFields {
  const { defaults } = set;
  return {
    enabled: set.enabled,
    timeZone: set.time_zone,
    days: set.days,
    times: set.times.join(', '),
    perWeek: set.per_week ?? '',
    publish: set.publish,
    reviewHours: set.review_hours,
    monthlyPosts: set.monthly_posts ?? '',
    monthlyCost: set.monthly_cost ?? '',
    audience: defaults.audience ?? '',
    tone: defaults.tone ?? '',
    instructions: defaults.instructions ?? '',
    length: defaults.length ?? '',
    language: defaults.language ?? '',
    pictures: defaults.pictures ?? false,
  };
}

/** The times in the field, in order and each once; or what of it is no time of day. */
export function readTimes(typed: string): { readonly times: readonly string[] } | { readonly wrong: string } {
  const words = typed.split(/[\s,;]+/).filter((word) => word !== '');
  const times: string[] = [];
  for (const word of words) {
    const read = /^(\d{1,2}):(\d{2})$/.exec(word);
    if (!read || Number(read[1]) > 23 || Number(read[2]) > 59) return { wrong: word };
    times.push(`${read[1]?.padStart(2, '0')}:${read[2]}`);
  }
  return { times: [...new Set(times)].sort() };
}

/** The call that saves them. Times that cannot be read are none. */
export function requestOf(fields: AutopilotFields): AutopilotRequest {
  const read = readTimes(fields.times);
  const length = numberOf(fields.length);
  const word = (name: 'audience' | 'tone' | 'instructions' | 'language') =>
    fields[name].trim() === '' ? {} : { [name]: fields[name].trim() };
  return {
    enabled: fields.enabled,
    time_zone: fields.timeZone,
    days: WEEKDAYS.filter((day) => fields.days.includes(day)),
    times: 'times' in read ? [...read.times] : [],
    per_week: numberOf(fields.perWeek),
    publish: fields.publish,
    review_hours: numberOf(fields.reviewHours) ?? 24,
    monthly_posts: numberOf(fields.monthlyPosts),
    monthly_cost: numberOf(fields.monthlyCost),
    defaults: {
      ...word('audience'),
      ...word('tone'),
      ...word('instructions'),
      ...word('language'),
      ...(length !== null && { length }),
      ...(fields.pictures && { pictures: true }),
    },
  };
}

function numberOf(typed: number | string): number | null {
  if (typeof typed === 'number') return typed;
  return typed.trim() === '' ? null : Number(typed);
}
