import { z } from 'zod';
import { MAX_SHORT_TEXT, timestamp, trigger } from '../primitives.ts';

/** The project's public key (spec §5.1). */
export const publicKey = z.object({ public_key: z.string(), created_at: timestamp });

/** How many days of the public key's use are shown. */
export const USAGE_DAYS = { default: 30, min: 1, max: 90 } as const;
/** The query of {@link publicKeyUsage}. */
export const keyUsageQuery = z.object({
  days: z.coerce.number().int().min(USAGE_DAYS.min).max(USAGE_DAYS.max).default(USAGE_DAYS.default),
});
/** How often the project's public key was used, also keys that it had before. */
export const publicKeyUsage = z.object({
  last_used_at: timestamp.nullable().describe('To about ten seconds; null when it was not used within 90 days.'),
  days: z
    .array(
      z.object({
        day: z.iso.date().describe('In UTC.'),
        requests: z.int().min(0).describe('Answers given with a valid key.'),
        not_modified: z.int().min(0).describe('Those of them that were 304.'),
      }),
    )
    .max(USAGE_DAYS.max)
    .describe('Every day up to today, oldest first.'),
});
export type PublicKeyUsage = z.infer<typeof publicKeyUsage>;

const customHeaders = z
  .record(z.string().min(1).max(200), z.string().max(4_096))
  .refine((headers) => Object.keys(headers).length <= 100, 'must hold at most 100 headers');

export const integrationCreateRequest = z.object({
  name: z.string().trim().max(MAX_SHORT_TEXT).default(''),
  url: z.string().max(2_048),
  secret: z.string().min(16, 'must be at least 16 characters').max(1_024).nullable().default(null),
  headers: customHeaders.default({}),
  active: z.boolean().default(true),
});
export const integrationUpdateRequest = z.object({
  name: z.string().trim().max(MAX_SHORT_TEXT).optional(),
  url: z.string().max(2_048).optional(),
  secret: z.string().min(16, 'must be at least 16 characters').max(1_024).nullable().optional(),
  headers: customHeaders.optional(),
  active: z.boolean().optional(),
});
/** A webhook integration; its secret is never shown. */
export const integration = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  name: z.string(),
  url: z.string(),
  has_secret: z.boolean(),
  headers: z.record(z.string(), z.string()),
  active: z.boolean(),
  created_at: timestamp,
});

/** A delivery in the log of the dispatcher. */
export const delivery = z.object({
  id: z.uuid(),
  integration_id: z.uuid(),
  blog_id: z.uuid(),
  publish_id: z.uuid().nullable(),
  event: z.string(),
  trigger,
  status: z.enum(['pending', 'in_flight', 'succeeded', 'failed', 'superseded']),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
  attempts: z.array(
    z.object({
      number: z.int(),
      started_at: timestamp,
      ended_at: timestamp.nullable(),
      status_code: z.int().nullable(),
      reason: z.string().nullable(),
      detail: z.string().nullable(),
    }),
  ),
});
