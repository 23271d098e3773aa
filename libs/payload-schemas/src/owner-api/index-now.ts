import { z } from 'zod';
import { timestamp } from '../primitives.ts';

/** IndexNow of a project: the key that its site serves as a file, and what came of telling search engines (ADR 37). */
export const indexNow = z.object({
  project_id: z.uuid(),
  key: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .describe('Not a secret: the site serves it. It is all that the key file holds.'),
  file_name: z.string().describe('`<key>.txt`'),
  file_url: z.string().nullable().describe('Where the site must serve it; null while the project has no website.'),
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
  last_given_up: z
    .object({ at: timestamp, addresses: z.int(), detail: z.string() })
    .nullable()
    .describe('Addresses that were last given up without a ping, and why.'),
});

/** What is wrong with the key file. */
export const indexNowCheck = z.object({
  url: z.string(),
  succeeded: z.boolean(),
  status_code: z.int().nullable(),
  detail: z.string().nullable().describe('What is wrong, and what to do.'),
});
