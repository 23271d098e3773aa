import type { Autopilot, AutopilotRequest, Weekday } from '../../../generated/types.gen.ts';
import { numberOf } from '../../../parts/forms/number-of.ts';

/** The form’s values; a number field gives '' while it is empty. */
export interface AutopilotFields {
  readonly enabled: boolean;
  readonly time_zone: string;
  readonly days: readonly Weekday[];
  readonly times: string;
  readonly per_week: number | string;
  readonly publish: 'draft_only' | 'after_review';
  readonly review_hours: number | string;
  readonly monthly_posts: number | string;
  readonly monthly_cost: number | string;
  readonly 'defaults.audience': string;
  readonly 'defaults.tone': string;
  readonly 'defaults.instructions': string;
  readonly 'defaults.length': number | string;
  readonly 'defaults.language': string;
  readonly 'defaults.pictures': boolean;
}

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export function fieldsOf(set: Autopilot): AutopilotFields {
  const { defaults } = set;
  return {
    enabled: set.enabled,
    time_zone: set.time_zone,
    days: set.days,
    times: set.times.join(', '),
    per_week: set.per_week ?? '',
    publish: set.publish,
    review_hours: set.review_hours,
    monthly_posts: set.monthly_posts ?? '',
    monthly_cost: set.monthly_cost ?? '',
    'defaults.audience': defaults.audience ?? '',
    'defaults.tone': defaults.tone ?? '',
    'defaults.instructions': defaults.instructions ?? '',
    'defaults.length': defaults.length ?? '',
    'defaults.language': defaults.language ?? '',
    'defaults.pictures': defaults.pictures ?? false,
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
  const length = numberOf(fields['defaults.length']);
  const word = (name: 'audience' | 'tone' | 'instructions' | 'language') => {
    const typed = fields[`defaults.${name}`].trim();
    return typed !== '' && { [name]: typed };
  };
  return {
    enabled: fields.enabled,
    time_zone: fields.time_zone,
    days: WEEKDAYS.filter((day) => fields.days.includes(day)),
    times: 'times' in read ? [...read.times] : [],
    per_week: numberOf(fields.per_week),
    publish: fields.publish,
    review_hours: numberOf(fields.review_hours) ?? 24,
    monthly_posts: numberOf(fields.monthly_posts),
    monthly_cost: numberOf(fields.monthly_cost),
    defaults: {
      ...word('audience'),
      ...word('tone'),
      ...word('instructions'),
      ...word('language'),
      ...(length !== null && { length }),
      ...(fields['defaults.pictures'] && { pictures: true }),
    },
  };
}
