import { z } from 'zod';

/** ISO 8601 UTC timestamp with a `Z` suffix (contract §2). */
export const timestamp = z.iso.datetime();

/** First year of a publication date. */
export const MIN_PUBLICATION_YEAR = 1970;
/** How many years a publication date may lie ahead. */
export const MAX_PUBLICATION_YEARS_AHEAD = 10;

/** A publication date in a request: with a time zone, within the bounds above. */
export const publicationDate = z.iso
  .datetime({
    offset: true,
    error: ({ input }) =>
      `must be an ISO 8601 date and time with a time zone, such as 2025-08-08T10:00:00Z${gotten(input)}`,
  })
  .refine(isPublicationDate, {
    error: ({ input }) =>
      `must be between the year ${MIN_PUBLICATION_YEAR} and ${MAX_PUBLICATION_YEARS_AHEAD} years from now${gotten(input)}`,
  });

/** Whether a post can have the date. */
export function isPublicationDate(date: string): boolean {
  const time = new Date(date);
  const latest = new Date();
  latest.setUTCFullYear(latest.getUTCFullYear() + MAX_PUBLICATION_YEARS_AHEAD);
  return time.getUTCFullYear() >= MIN_PUBLICATION_YEAR && time <= latest;
}

const MAX_QUOTED = 50;
const gotten = (input: unknown) =>
  typeof input === 'string' || typeof input === 'number'
    ? ` (got ${String(input).slice(0, MAX_QUOTED) || 'nothing'})`
    : '';

/**
 * A blog's public name in URLs: lowercase ASCII words joined by single hyphens, at most 200 characters (contract
 * §2.6).
 */
export const slug = z
  .string()
  .max(200)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lowercase letters and digits, separated by single hyphens');

/** An absolute http(s) URL. */
export const httpUrl = z.url({ protocol: /^https?$/ }).max(2_048);

/** The same in a request: brought into the one form that URLs have in HTML and JSON, by percent-encoding. */
export const givenHttpUrl = z
  .url({ protocol: /^https?$/, normalize: true })
  .max(2_048)
  .meta({ pattern: '^https?://' });

/** A whole number in a query string: digits and nothing else. Refused in one clause, which names the bounds. */
export function queryInteger({ min, max }: { readonly min: number; readonly max: number }) {
  const error = ({ input }: { readonly input?: unknown }) => `must be between ${min} and ${max}${gotten(input)}`;
  return z
    .string({ error })
    .regex(/^\d+$/, { error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error });
}

/**
 * Who asked for a change: an owner's session (`manual`) or an agent key (`autopilot`). It decides the retry rule,
 * unless a receiver opted in to retries of both (contract §3).
 */
export const trigger = z.enum(['manual', 'autopilot']);
export type Trigger = z.infer<typeof trigger>;

/** Most categories, and most tags, of one blog. */
export const MAX_LABELS = 50;
/** Longest category, tag, title, meta title and keyword, in characters. */
export const MAX_SHORT_TEXT = 300;
/** Longest excerpt and meta description, in characters. */
export const MAX_LONG_TEXT = 2_000;
/** Longest body of one blog, in characters of HTML. */
export const MAX_CONTENT = 500_000;

export const label = z.string().trim().min(1).max(MAX_SHORT_TEXT);
export const labels = z.array(label).max(MAX_LABELS);
