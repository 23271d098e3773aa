import { z } from 'zod';
import { MAX_SHORT_TEXT, timestamp } from '../primitives.ts';
import { integration } from './integrations.ts';

/** Limits of one import. */
export const IMPORT_LIMITS = {
  archiveBytes: 32 * 1024 * 1024,
  unpackedBytes: 128 * 1024 * 1024,
  fileBytes: 4 * 1024 * 1024,
  files: 2_000,
  pathLength: 500,
} as const;

export const importQuery = z.object({
  publish: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Publish each post that its front matter does not call a draft.'),
  existing: z
    .enum(['skip', 'update'])
    .default('skip')
    .describe('What becomes of a file whose slug a blog of the project has.'),
  images: z
    .enum(['link', 'host'])
    .default('link')
    .describe('Whether images of other hosts stay there, or are fetched into the library.'),
});

export const exportQuery = z.object({
  format: z
    .enum(['written', 'markdown', 'html'])
    .default('written')
    .describe('What posts are in their files: as each was written, or all Markdown, or all HTML.'),
});

/** A webhook in an export: without its secret and the values of its headers, which may be credentials. */
const exportedWebhook = integration
  .omit({ project_id: true, failed_deliveries: true, failing_since: true, failing_reason: true })
  .extend({
    name: z.string().max(MAX_SHORT_TEXT),
    url: z.string().max(2_048),
    headers: z.array(z.string().max(200)).max(100).describe('The names of its custom headers.'),
    settings: z.looseObject({}),
  });

export const exportRequest = z.object({
  webhooks: z
    .array(exportedWebhook)
    .max(100)
    .describe('As `GET …/webhooks` lists them, less what is not named here. They become `data/webhooks.json`.'),
});
export type ExportRequest = z.infer<typeof exportRequest>;

export const importFileStatus = z.enum(['waiting', 'created', 'updated', 'skipped', 'failed']);

/** A folder of Markdown or HTML files with front matter, being made into blogs. */
export const importJob = z.object({
  id: z.uuid(),
  status: z.enum(['running', 'finished']),
  files: z.int(),
  waiting: z.int(),
  created: z.int(),
  updated: z.int(),
  skipped: z.int(),
  failed: z.int(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
});

export const importPlanFile = z.object({
  path: z.string(),
  outcome: z.enum(['create', 'update', 'skip', 'fail']).describe('What would become of the file.'),
  title: z.string().nullable().describe('The title of its post; null when it is no post that would be made.'),
  slug: z.string().nullable().describe('The slug of its post; null when the file is no post that can be read.'),
  publish: z.boolean().describe('Whether the post would be published.'),
  publish_at: timestamp
    .nullable()
    .describe('When it would be published by schedule, because its date is in the future; null when it would not.'),
  message: z.string().nullable().describe('Why it would be skipped or fail, or what of it would be left out.'),
});

/** What an import would do, worked out without doing it. */
export const importPlan = z.object({
  create: z.int().describe('How many files would make a post, or an image.'),
  update: z.int().describe('How many files would change a post.'),
  skip: z.int().describe('How many would be left out.'),
  fail: z.int().describe('How many would fail.'),
  publish: z.int().describe('How many posts would be published.'),
  schedule: z.int().describe('How many posts would be scheduled.'),
  items: z.array(importPlanFile).describe('Each file, in the order in which they would be imported.'),
});

export const importFile = z.object({
  number: z.int(),
  path: z.string(),
  status: importFileStatus,
  message: z.string().nullable().describe('Why it was skipped or failed, or what of it was left out.'),
  blog_id: z.uuid().nullable(),
});
