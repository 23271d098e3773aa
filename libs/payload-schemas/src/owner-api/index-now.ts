import { z } from 'zod';
import { timestamp } from '../primitives.ts';

/** IndexNow of a project: the key that its site serves as a file, and what came of telling search engines (ADR 22). */
export const indexNow = z.object({
  project_id: z.uuid(),
  key: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .describe('Not a secret: the site serves it. It is all that the key file holds.'),
  file_name: z.string().describe('`<key>.txt`'),
  file_url: z.string().nullable().describe('Where the site must serve it; null while the project has no website.'),
  file_seen_at: timestamp
    .nullable()
    .describe('When it was last found there; null while it was not. Until then nobody is told, and addresses wait.'),
  file_tried_at: timestamp.nullable().describe('When it was last looked for; null when it was not yet.'),
  file_detail: z.string().nullable().describe('Why it was not found, and what to do.'),
  created_at: timestamp,
  waiting: z
    .int()
    .describe('Changed addresses that the site does not show yet, or that are to be pinged: 1,000 at most.'),
  last_ping: z
    .object({
      at: timestamp,
      status: z
        .enum(['accepted', 'retry', 'failed'])
        .describe('`retry`: the same addresses are pinged again; `failed`: they are not.'),
      addresses: z.int(),
      status_code: z.int().nullable(),
      detail: z.string().nullable().describe('Why it was not accepted.'),
    })
    .nullable(),
  given_up: z
    .array(
      z.object({
        slug: z.string(),
        url: z.string().nullable().describe('The address; null where it was not looked at.'),
        detail: z.string().describe('Why.'),
        at: timestamp,
      }),
    )
    .describe('Changed addresses that nobody was told of, the newest first: 100 at most.'),
});

/** What is wrong with the key file. */
export const indexNowCheck = z.object({
  url: z.string(),
  succeeded: z.boolean(),
  status_code: z.int().nullable(),
  detail: z.string().nullable().describe('What is wrong, and what to do.'),
});
