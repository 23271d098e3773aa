import { z } from 'zod';
import { timestamp } from '../primitives.ts';

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

export const importFile = z.object({
  number: z.int(),
  path: z.string(),
  status: importFileStatus,
  message: z.string().nullable().describe('Why it was skipped or failed, or what of it was left out.'),
  blog_id: z.uuid().nullable(),
});
