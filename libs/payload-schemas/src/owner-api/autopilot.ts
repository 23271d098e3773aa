import { z } from 'zod';
import { autopilotReason } from '../autopilot-topic.ts';
import { givenHttpUrl, label, timestamp } from '../primitives.ts';
import { blogGenerateRequest, GENERATION_LIMITS } from './generation.ts';

/** Limits of a project's autopilot. */
export const AUTOPILOT_LIMITS = {
  /** Topics that wait. */
  queued: 1_000,
  /** Topics of one request. */
  added: 100,
  /** Characters, and rows, of one CSV. */
  csvLength: 200_000,
  csvRows: 500,
  times: 24,
  reviewHours: 168,
} as const;

const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};
const unique = <Item extends z.ZodType>(items: z.ZodArray<Item>) =>
  items.refine((given) => new Set(given).size === given.length, 'must hold nothing twice').meta({ uniqueItems: true });

export const weekday = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);

/** When posts are made, on the clock of a place. */
const cadence = {
  time_zone: z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9_+\-/]*$/)
    .refine(isTimeZone, 'must be a time zone of the IANA database, such as Europe/Berlin')
    .describe('Time zone of the IANA database.'),
  days: unique(z.array(weekday).min(1).max(7)).describe('Days of the week.'),
  times: unique(
    z
      .array(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be hours and minutes, such as 09:30'))
      .min(1)
      .max(AUTOPILOT_LIMITS.times),
  ).describe('Times of these days.'),
  per_week: z
    .int()
    .min(1)
    .max(7 * AUTOPILOT_LIMITS.times)
    .nullable()
    .default(null)
    .describe('How many posts a week: so many of these times, evenly spread. Null: each of them.'),
};

const { audience, tone, length, language, instructions, pictures } = blogGenerateRequest.shape;
/** What each post is generated with, unless its topic says otherwise. */
const defaults = z.object({
  ...{ audience, tone, instructions },
  length: length.unwrap().optional(),
  language: language.unwrap().optional(),
  pictures: pictures.unwrap().optional(),
});

const settings = {
  enabled: z.boolean().describe('Whether it is on.'),
  ...cadence,
  publish: z
    .enum(['draft_only', 'after_review'])
    .default('draft_only')
    .describe(
      'What becomes of a draft: it stays one, or is published when its review window ends. An outline, made without a model, stays one.',
    ),
  review_hours: z
    .int()
    .min(0)
    .max(AUTOPILOT_LIMITS.reviewHours)
    .default(24)
    .describe('Length of the review window. Who ends the schedule of the post in it keeps it a draft.'),
  defaults: defaults.default({}).describe('What posts are generated with.'),
  monthly_posts: z.int().min(1).max(5_000).nullable().default(null).describe('Most posts in a month (UTC).'),
  monthly_cost: z
    .number()
    .min(0)
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe('Most cost in a month (UTC), by the prices of the generation settings.'),
};

export const autopilotRequest = z
  .object(settings)
  .refine(({ days, times, per_week: perWeek }) => perWeek === null || perWeek <= days.length * times.length, {
    path: ['per_week'],
    message: 'is more than there are times in a week: name more days or times',
  });
export type AutopilotSettings = z.infer<typeof autopilotRequest>;

/** The autopilot of a project. */
export const autopilot = z.object({
  ...settings,
  status: z
    .enum(['off', 'running', 'waiting', 'paused', 'stopped'])
    .describe('`waiting` goes on by itself; `paused` and `stopped` when a member resumes it.'),
  reason: autopilotReason.nullable().describe('Why it waits or has stopped.'),
  detail: z.string().nullable().describe('The same for people, with what to do.'),
  next_run_at: timestamp.nullable().describe('When the next topic is taken, or budget for it is looked for again.'),
  last_run_at: timestamp.nullable().describe('When a topic was taken last.'),
  failures_in_a_row: z.int().describe('Posts that could not be made since the last one that could.'),
  queued_topics: z.int().describe('Topics that wait.'),
  posts_this_month: z.int().describe('Posts made in this month (UTC).'),
  cost_this_month: z.number().describe('What they have cost.'),
});
export type ShownAutopilot = z.infer<typeof autopilot>;

/** Something to write about. */
export const autopilotTopicRequest = z.object({
  topic: label.describe('What the post is about.'),
  keyword: label.nullable().default(null).describe('The focus keyword; made from the topic when null.'),
  instructions: z
    .string()
    .trim()
    .max(GENERATION_LIMITS.instructionsLength)
    .nullable()
    .default(null)
    .describe('What the writer is to heed besides the defaults.'),
  sources: z.array(givenHttpUrl).max(GENERATION_LIMITS.sources).default([]).describe('Addresses to write from.'),
});
export type AutopilotTopicRequest = z.infer<typeof autopilotTopicRequest>;

export const autopilotTopicsRequest = z.object({
  topics: z.array(autopilotTopicRequest).min(1).max(AUTOPILOT_LIMITS.added),
});
export const autopilotTopicUpdateRequest = z
  .object({
    topic: label,
    keyword: label.nullable(),
    instructions: autopilotTopicRequest.shape.instructions.unwrap(),
    sources: autopilotTopicRequest.shape.sources.unwrap(),
    status: z.literal('queued').describe('Puts a topic whose post could not be made back into the queue.'),
  })
  .partial();
export const autopilotTopicMoveRequest = z.object({
  before: z.uuid().nullable().describe('The topic that comes after it; null: it comes last.'),
});
export const autopilotTopicImportRequest = z.object({
  csv: z
    .string()
    .max(AUTOPILOT_LIMITS.csvLength)
    .describe(
      'Comma- or semicolon-separated, with the column `topic`, and `keyword`, `instructions` and `sources` (addresses with spaces between) if there are any. Without such a first row, the first column is the topic.',
    ),
});

export const autopilotTopicStatus = z.enum(['queued', 'writing', 'made', 'failed', 'cancelled']);

/** A topic of the autopilot, and what became of it. */
export const autopilotTopicItem = z.object({
  id: z.uuid(),
  topic: z.string(),
  keyword: z.string().nullable(),
  instructions: z.string().nullable(),
  sources: z.array(z.string()),
  status: autopilotTopicStatus.describe('`made`: there is a draft, or was one.'),
  generation_id: z.uuid().nullable().describe('The generation that writes, or has written, the post.'),
  blog_id: z.uuid().nullable().describe('The post.'),
  publish_at: timestamp.nullable().describe('When the post goes out, unless somebody ends its schedule.'),
  failure: z.string().nullable().describe('Why the post could not be made.'),
  created_at: timestamp,
});
export type ShownAutopilotTopic = z.infer<typeof autopilotTopicItem>;

export const autopilotTopicListQuery = z.object({
  status: autopilotTopicStatus
    .optional()
    .describe('`queued` unless given: those in their order, any others newest first.'),
});

export const autopilotTopicsAdded = z.object({
  items: z.array(autopilotTopicItem),
  skipped: z
    .array(z.object({ row: z.int(), message: z.string() }))
    .describe('Rows of the CSV that were left out, counted from 1, and why.'),
});

/** Something that the project has no post about. */
export const autopilotSuggestions = z.object({
  items: z.array(
    z.object({
      topic: z.string(),
      keyword: z.string().nullable(),
      because: z.string().describe('Why it is suggested.'),
    }),
  ),
  by: z.string().describe('The model that suggests, or `offline`.'),
});
