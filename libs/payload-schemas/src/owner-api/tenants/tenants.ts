import { z } from 'zod';
import { doc, fields } from '../../fields.ts';
import { timestamp } from '../../primitives.ts';
import { suspension } from '../projects.ts';
import { quotas } from './quotas.ts';

/** Most projects that one request names. */
const MAX_IDS = 100;
const ids = z
  .string()
  .regex(/^[0-9a-f-]{36}(?:,[0-9a-f-]{36}){0,99}$/i, `must be at most ${MAX_IDS} project IDs, separated by commas`)
  .optional()
  .describe('Only these projects: IDs, separated by commas.');

/** `GET /owner/tenants` */
export const tenantListQuery = z.object({
  q: z.string().max(200).optional().describe('Part of the name, or of the email address of an owner, or the ID.'),
  sort: z
    .enum(['newest', 'publishes', 'posts', 'storage'])
    .default('newest')
    .describe('What comes first: the newest, or the most of it.'),
  ids,
});
/** Of a service that has something of projects: those with the most first. */
export const tenantUseQuery = z.object({ ids });

/** A project as the administrator sees it. */
export const tenant = z.object({
  id: fields.id,
  name: fields.name,
  site_url: z.string().nullable().describe('URL of the website.'),
  created_at: fields.createdAt,
  owners: z.array(z.string()).describe('Email addresses of its owners.'),
  posts: z.int().meta(doc('Posts that are not deleted.', 120)),
  storage_bytes: z.int().meta(doc('Bytes of its images’ originals.', 52_428_800)),
  publishes: z.int().meta(doc('Publishes of the last 7 days.', 12)),
  suspension: suspension.nullable().describe('What is stopped; null for nothing.'),
  quotas: quotas.describe('What the administrator lets it use.'),
});
/** How often a project's posts were read. */
export const tenantRequests = z.object({
  project_id: fields.projectId,
  requests: z.int().meta(doc('Responses with its public key, of today and the six days before (UTC).', 5_300)),
});
/** A project whose receivers fail. */
export const tenantReceivers = z.object({
  project_id: fields.projectId,
  failing: z.int().meta(doc('Number of failing receivers.', 1)),
  receivers: z
    .array(
      z.object({
        id: fields.id,
        name: fields.name,
        failing_since: timestamp.describe('Since when it counts as failing.'),
        reason: z.string().nullable().meta(doc('Why the last delivery failed.', 'status')),
        failed_deliveries: z.int().meta(doc('Deliveries that failed in a row.', 14)),
      }),
    )
    .describe('The first ten of them, the longest failing first.'),
});

/** Events that a service could not process, and those behind them. */
export const parkedEvents = z.object({
  items: z
    .array(
      z.object({
        topic: z.string().meta(doc('Topic.', 'blog.lifecycle')),
        key: z.string().meta(doc('What waits: later events of it wait behind the first.', 'blog 2f2b7f0e')),
        event_id: z.uuid().meta(doc('The event that could not be processed.', '2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11')),
        type: z.string().meta(doc('Its type.', 'blog.published')),
        project_id: z.string().nullable().describe('ID of the project.'),
        blog_id: z.string().nullable().describe('ID of the post.'),
        error: z.string().meta(doc('Why the last attempt failed.', 'invalid input syntax')),
        failures: z.int().meta(doc('Failed attempts.', 6)),
        waiting: z.int().meta(doc('Events that wait behind it.', 2)),
        parked_at: timestamp.describe('Since when it waits.'),
        retry_at: timestamp.describe('When it is tried again.'),
      }),
    )
    .describe('The longest parked first, at most 1,000.'),
});
export const parkedRetryRequest = z.object({
  key: z.string().min(1).max(500).meta(doc('The `key` of a parked event.', 'blog 2f2b7f0e')),
});
export const parkedSkipRequest = z.object({
  event_id: z.uuid().meta(doc('The `event_id` of a parked event.', '2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11')),
});
