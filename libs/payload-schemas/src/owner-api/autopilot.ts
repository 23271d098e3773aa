import { z } from 'zod';
import { doc, fields } from '../fields.ts';
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
  items
    .refine((given) => new Set(given).size === given.length, 'must not contain duplicates')
    .meta({ uniqueItems: true });

export const weekday = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);

/** When posts are made, on the clock of a place. */
const cadence = {
  time_zone: z
    .string()
    .max(64)
    .regex(/^[A-Za-z][A-Za-z0-9_+\-/]*$/)
    .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin')
    .meta(doc('IANA time zone.', 'Europe/Berlin')),
  days: unique(z.array(weekday).min(1).max(7)).meta(doc('Days of the week.', ['mon', 'thu'])),
  times: unique(
    z
      .array(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:30'))
      .min(1)
      .max(AUTOPILOT_LIMITS.times),
  ).meta(doc('Times on these days.', ['09:00'])),
  per_week: z
    .int()
    .min(1)
    .max(7 * AUTOPILOT_LIMITS.times)
    .nullable()
    .default(null)
    .meta(doc('Posts per week, spread evenly over these times. Null: one post at each time.', 2)),
};

const { audience, tone, length, language, instructions, pictures } = blogGenerateRequest.shape;
/** What each post is generated with, unless its topic says otherwise. */
const defaults = z.object({
  ...{ audience, tone, instructions },
  length: length.unwrap().optional().meta(doc('Target length in words.', 1000)),
  language: language.unwrap().optional().meta(doc('Language of the post.', 'en')),
  pictures: pictures.unwrap().optional().meta(doc('Whether to generate images.', false)),
});

const settings = {
  enabled: z.boolean().describe('Whether the autopilot is on.'),
  ...cadence,
  publish: z
    .enum(['draft_only', 'after_review'])
    .default('draft_only')
    .describe(
      'What happens to a draft: keep it, or publish it after its review window. Outlines, which are made without an AI model, stay drafts.',
    ),
  review_hours: z
    .int()
    .min(0)
    .max(AUTOPILOT_LIMITS.reviewHours)
    .default(24)
    .describe('Length of the review window. Cancelling the post’s schedule during it keeps the post a draft.'),
  defaults: defaults.default({}).describe('Settings for generated posts.'),
  monthly_posts: z.int().min(1).max(5_000).nullable().default(null).describe('Maximum posts per month (UTC).'),
  monthly_cost: z
    .number()
    .min(0)
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe('Maximum cost per month (UTC), at the prices in the AI model settings.'),
};

export const autopilotRequest = z
  .object(settings)
  .refine(({ days, times, per_week: perWeek }) => perWeek === null || perWeek <= days.length * times.length, {
    path: ['per_week'],
    message: 'exceeds the times in a week: add days or times',
  });
export type AutopilotSettings = z.infer<typeof autopilotRequest>;

/** The autopilot of a project. */
export const autopilot = z.object({
  ...settings,
  status: z
    .enum(['off', 'running', 'waiting', 'paused', 'stopped'])
    .describe('`waiting` resumes automatically. `paused` and `stopped` resume when a member resumes them.'),
  reason: autopilotReason.nullable().meta(doc('Why it is waiting or stopped.', null)),
  detail: z.string().nullable().meta(doc('Human-readable reason, with what to do.', null)),
  next_run_at: timestamp.nullable().describe('When the next topic starts, or the budget is checked again.'),
  last_run_at: timestamp.nullable().describe('When the last topic started.'),
  failures_in_a_row: z.int().describe('Consecutive posts that failed.'),
  queued_topics: z.int().describe('Topics in the queue.'),
  posts_this_month: z.int().describe('Posts made this month (UTC).'),
  cost_this_month: z.number().describe('Cost of those posts.'),
});
export type ShownAutopilot = z.infer<typeof autopilot>;

/** Something to write about. */
export const autopilotTopicRequest = z.object({
  topic: label.meta(doc('Topic of the post.', 'Green tea at home')),
  keyword: label
    .nullable()
    .default(null)
    .meta(doc('Focus keyword. If null, the model chooses one; without a model there is none.', 'green tea')),
  instructions: z
    .string()
    .trim()
    .max(GENERATION_LIMITS.instructionsLength)
    .nullable()
    .default(null)
    .meta(doc('Extra instructions for the writer.', 'No jokes.')),
  sources: z.array(givenHttpUrl).max(GENERATION_LIMITS.sources).default([]).meta({ description: 'Source URLs.' }),
});
export type AutopilotTopicRequest = z.infer<typeof autopilotTopicRequest>;

export const autopilotTopicsRequest = z.object({
  topics: z.array(autopilotTopicRequest).min(1).max(AUTOPILOT_LIMITS.added).describe('The topics, in queue order.'),
});
export const autopilotTopicUpdateRequest = z
  .object({
    topic: label.meta(doc('The topic of the post.', 'Green tea at home')),
    keyword: label.nullable().meta(doc('The focus keyword.', 'green tea')),
    instructions: autopilotTopicRequest.shape.instructions
      .unwrap()
      .meta(doc('Instructions for the writer.', 'No jokes.')),
    sources: autopilotTopicRequest.shape.sources.unwrap().describe('Sources for the writer.'),
    status: z.literal('queued').describe('Puts a failed topic back into the queue.'),
  })
  .partial();
export const autopilotTopicMoveRequest = z.object({
  before: z.uuid().nullable().meta(doc('ID of the topic to move it before. Null: move to the end.', null)),
});
export const autopilotTopicImportRequest = z.object({
  csv: z
    .string()
    .max(AUTOPILOT_LIMITS.csvLength)
    .meta(
      doc(
        'Comma- or semicolon-separated, with a `topic` column and optional `keyword`, `instructions` and `sources` (space-separated URLs) columns. Without a header row, the first column is the topic.',
        'topic,keyword\nGreen tea at home,green tea\n',
      ),
    ),
});

export const autopilotTopicStatus = z.enum(['queued', 'writing', 'made', 'failed', 'cancelled']);

/** A topic of the autopilot, and its result. */
export const autopilotTopicItem = z.object({
  id: fields.id,
  topic: z.string().meta(doc('The topic of the post.', 'Green tea at home')),
  keyword: fields.keywordOrNull,
  instructions: z.string().nullable().meta(doc('Instructions for the writer.', 'No jokes.')),
  sources: z.array(z.string()).meta({ description: 'Sources for the writer.' }),
  status: autopilotTopicStatus.describe('`made`: a draft exists or existed.'),
  generation_id: z.uuid().nullable().describe('ID of the generation that writes the post.'),
  blog_id: fields.blogIdOrNull,
  publish_at: timestamp.nullable().describe('When the post is published, unless its schedule is cancelled.'),
  failure: z.string().nullable().meta(doc('Why the post failed.', null)),
  created_at: fields.createdAt,
});
export type ShownAutopilotTopic = z.infer<typeof autopilotTopicItem>;

export const autopilotTopicListQuery = z.object({
  status: autopilotTopicStatus
    .optional()
    .describe('Defaults to `queued`, in queue order. Other statuses are listed newest first.'),
});

export const autopilotTopicsAdded = z.object({
  items: z.array(autopilotTopicItem).describe('The items on this page, in list order.'),
  skipped: z
    .array(
      z.object({
        row: z.int().meta(doc('Row number.', 3)),
        message: z.string().describe('A note about the result.'),
      }),
    )
    .describe('Skipped CSV rows, counted from 1, and the reason.'),
});

/** Something that the project has no post about. */
export const autopilotSuggestions = z.object({
  items: z
    .array(
      z.object({
        topic: z.string().meta(doc('The topic of the post.', 'Green tea at home')),
        keyword: fields.keywordOrNull,
        because: z.string().describe('Why the topic is suggested.'),
      }),
    )
    .describe('The items on this page, in list order.'),
  by: z.string().describe('The model, or `offline`.'),
});
