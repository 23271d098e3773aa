import { z } from 'zod';
import { doc, fields } from '../fields.ts';
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
    name: z.string().max(MAX_SHORT_TEXT).meta(doc('Display name.', 'Tea')),
    url: z.string().max(2_048).meta(doc('URL.', 'https://receiver.example.com/hook')),
    // Clients of before don't send it.
    retry_manual: integration.shape.retry_manual.default(false),
    headers: z.array(z.string().max(200)).max(100).describe('The names of its custom headers.'),
    settings: z.looseObject({}).meta(doc('Non-secret settings, by integration type.', { username: 'ada' })),
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
  id: fields.id,
  status: z.enum(['running', 'finished']).describe('Status.'),
  files: z.int().meta(doc('Number of files.', 12)),
  waiting: z.int().meta(doc('Number of files waiting.', 2)),
  created: z.int().meta(doc('Number of files that created something.', 9)),
  updated: z.int().meta(doc('Number of files that updated something.', 0)),
  skipped: z.int().describe('Number of files skipped.'),
  failed: z.int().meta(doc('Number of files that failed.', 0)),
  created_at: fields.createdAt,
  finished_at: fields.finishedAt,
});

export const importPlanFile = z.object({
  path: z.string().meta(doc('Path of the file in the archive.', 'posts/green-tea.md')),
  outcome: z.enum(['create', 'update', 'skip', 'fail']).describe('What would happen to the file.'),
  kind: z
    .enum(['post', 'author', 'image', 'data_fields'])
    .nullable()
    .describe('What the file contains; null if it has nothing to import or can’t be read.'),
  title: z.string().nullable().meta(doc('Title of the post; null if the file would not become a post.', 'Green tea')),
  slug: z.string().nullable().meta(doc('Slug of the post; null if the file is not a readable post.', 'green-tea')),
  publish: z.boolean().describe('Whether the post would be published.'),
  publish_at: timestamp
    .nullable()
    .describe('When the post would be published, if its date is in the future; null otherwise.'),
  message: z.string().nullable().meta(doc('Why it would be skipped or fail, or what would be lost.', null)),
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
  number: fields.number,
  path: z.string().meta(doc('Path of the file in the archive.', 'posts/green-tea.md')),
  status: importFileStatus.describe('Status.'),
  message: z.string().nullable().meta(doc('Why it was skipped or failed, or what was lost.', null)),
  blog_id: fields.blogIdOrNull,
});
