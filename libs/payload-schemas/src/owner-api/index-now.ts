import { z } from 'zod';
import { doc, fields } from '../fields.ts';
import { timestamp } from '../primitives.ts';

/** IndexNow of a project: the key that its site serves as a file, and the result of the last ping (ADR 31). */
export const indexNow = z.object({
  project_id: fields.projectId,
  key: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .meta(doc('Public: the site serves it as the only content of the key file.', '26ecd1ada8034912a62634cc4e3ddd7e')),
  file_name: z.string().meta(doc('`<key>.txt`', '26ecd1ada8034912a62634cc4e3ddd7e.txt')),
  file_url: z
    .string()
    .nullable()
    .meta(
      doc(
        'URL where the site must serve it; null without a site URL.',
        'https://tea.example.com/26ecd1ada8034912a62634cc4e3ddd7e.txt',
      ),
    ),
  file_seen_at: timestamp
    .nullable()
    .describe('When a check found it there; null if the last one did not. Until then, changed URLs wait.'),
  file_tried_at: timestamp.nullable().describe('When it was last checked; null if not yet.'),
  file_detail: z.string().nullable().meta(doc('Why it was not found, and what to do.', null)),
  created_at: fields.createdAt,
  waiting: z.int().meta(doc('Changed URLs that wait for the deploy hook, the key file or the next ping.', 2)),
  last_ping: z
    .object({
      at: timestamp.describe('When it happened.'),
      status: z
        .enum(['accepted', 'retry', 'failed'])
        .describe('`retry`: the same URLs are pinged again. `failed`: they are not.'),
      addresses: z.int().meta(doc('Number of URLs.', 3)),
      status_code: fields.statusCode,
      detail: z.string().nullable().meta(doc('Why the ping was rejected.', null)),
    })
    .nullable()
    .describe('Result of the last ping; null if none.'),
});

/** What is wrong with the key file. */
export const indexNowCheck = z.object({
  url: z
    .string()
    .meta(doc('URL where the key file was checked.', 'https://tea.example.com/26ecd1ada8034912a62634cc4e3ddd7e.txt')),
  succeeded: z.boolean().describe('Whether the file contains the key.'),
  status_code: fields.statusCode,
  detail: z.string().nullable().meta(doc('What is wrong, and what to do.', null)),
});
