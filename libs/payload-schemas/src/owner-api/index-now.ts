import { z } from 'zod';
import { timestamp } from '../primitives.ts';

/** IndexNow of a project: the key that its site serves as a file, and the result of the last ping (ADR 31). */
export const indexNow = z.object({
  project_id: z.uuid(),
  key: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .describe('Public: the site serves it as the only content of the key file.'),
  file_name: z.string().describe('`<key>.txt`'),
  file_url: z.string().nullable().describe('URL where the site must serve it; null without a site URL.'),
  file_seen_at: timestamp
    .nullable()
    .describe('When a check found it there; null if the last one did not. Until then, changed URLs wait.'),
  file_tried_at: timestamp.nullable().describe('When it was last checked; null if not yet.'),
  file_detail: z.string().nullable().describe('Why it was not found, and what to do.'),
  created_at: timestamp,
  waiting: z.int().describe('Changed URLs that wait for the deploy hook, the key file or the next ping.'),
  last_ping: z
    .object({
      at: timestamp,
      status: z
        .enum(['accepted', 'retry', 'failed'])
        .describe('`retry`: the same URLs are pinged again. `failed`: they are not.'),
      addresses: z.int(),
      status_code: z.int().nullable(),
      detail: z.string().nullable().describe('Why the ping was rejected.'),
    })
    .nullable(),
});

/** What is wrong with the key file. */
export const indexNowCheck = z.object({
  url: z.string(),
  succeeded: z.boolean(),
  status_code: z.int().nullable(),
  detail: z.string().nullable().describe('What is wrong, and what to do.'),
});
