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
    .describe('Publish each post unless its front matter marks it as a draft.'),
  existing: z
    .enum(['skip', 'update'])
    .default('skip')
    .describe('What to do with a file whose slug already exists in the project.'),
  images: z
    .enum(['link', 'host'])
    .default('link')
    .describe('Whether to keep external images where they are or fetch them into the library.'),
});

export const exportQuery = z.object({
  format: z
    .enum(['written', 'markdown', 'html'])
    .default('written')
    .describe('Format of the posts: as written, all Markdown, or all HTML.'),
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
    .describe('Webhooks to add to the archive as `data/webhooks.json`. Copy these fields from `GET …/webhooks`.'),
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
  outcome: z.enum(['create', 'update', 'skip', 'fail']).describe('What would happen to the file.'),
  title: z.string().nullable().describe('Title of the post; null if the file would not become a post.'),
  slug: z.string().nullable().describe('Slug of the post; null if the file is not a readable post.'),
  publish: z.boolean().describe('Whether the post would be published.'),
  publish_at: timestamp
    .nullable()
    .describe('When the post would be published, if its date is in the future; null otherwise.'),
  message: z.string().nullable().describe('Why it would be skipped or fail, or what would be lost.'),
});

/** What an import would do, worked out without doing it. */
export const importPlan = z.object({
  create: z.int().describe('Number of files that would create a post or an image.'),
  update: z.int().describe('Number of files that would update a post.'),
  skip: z.int().describe('Number of files that would be skipped.'),
  fail: z.int().describe('Number of files that would fail.'),
  publish: z.int().describe('Number of posts that would be published.'),
  schedule: z.int().describe('Number of posts that would be scheduled.'),
  items: z.array(importPlanFile).describe('All files, in import order.'),
});

export const importFile = z.object({
  number: z.int(),
  path: z.string(),
  status: importFileStatus,
  message: z.string().nullable().describe('Why it was skipped or failed, or what was lost.'),
  blog_id: z.uuid().nullable(),
});
