import { z } from 'zod';
import { timestamp } from '../primitives.ts';

const method = z.enum(['POST', 'GET']);

/** What the owner saves (contract §6.8): it takes the place of what was there. */
export const deployHookRequest = z.object({
  url: z
    .string()
    .min(1)
    .max(2_048)
    .meta({ format: 'uri' })
    .optional()
    .describe('If omitted, the saved URL is kept. It is never returned in full.'),
  method: method.default('POST'),
  headers: z
    .record(z.string().min(1).max(200), z.string().max(4_096))
    .refine((headers) => Object.keys(headers).length <= 100, 'must have at most 100 headers')
    .meta({ maxProperties: 100 })
    .default({}),
  body: z
    .string()
    .max(16_384)
    .nullable()
    .default(null)
    .describe('Sent with POST. The content type is application/json unless set in `headers`.'),
  active: z.boolean().default(true),
});

/**
 * A project's deploy hook. Its URL is a credential and shown as its origin; editors see neither header values nor the
 * body.
 */
export const deployHook = z.object({
  project_id: z.uuid(),
  url: z.string().describe('Masked: scheme and host only, the rest as ••••.'),
  method,
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  active: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});

const timings = z
  .object({
    connected_ms: z.int().nullable().describe('Connection and TLS established.'),
    answer_ms: z.int().nullable().describe('Response headers received.'),
    total_ms: z.int(),
  })
  .describe('Milliseconds since the attempt started; null for phases not reached.');

/** What came of a test: of one request, made at once. */
export const deployHookTest = z.object({
  request_id: z.uuid().describe('ID of the test in the history.'),
  succeeded: z.boolean(),
  status_code: z.int().nullable(),
  timings: timings.nullable(),
  answer: z.string().nullable().describe('First 1,000 characters of the response body.'),
  detail: z.string().nullable().describe('Why it failed.'),
  hint: z.string().nullable().describe('How to fix it.'),
});

/** One request to a deploy hook, for all changes of a short time, or for a test. */
export const deployHookRequestLog = z.object({
  id: z.uuid(),
  kind: z.enum(['changes', 'test']),
  status: z
    .enum(['waiting', 'in_flight', 'succeeded', 'failed', 'superseded', 'cancelled'])
    .describe('`superseded`: newer changes replaced a retry. `cancelled`: the hook was deleted or deactivated.'),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  warning: z.string().nullable(),
  status_code: z.int().nullable(),
  changes: z.object({ published: z.int(), unpublished: z.int(), deleted: z.int() }),
  blog_ids: z.array(z.uuid()).describe('The changed posts, at most 20.'),
  created_at: timestamp,
  next_attempt_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  attempts: z.array(
    z.object({
      number: z.int(),
      started_at: timestamp,
      ended_at: timestamp.nullable(),
      status_code: z.int().nullable(),
      reason: z.string().nullable(),
      detail: z.string().nullable(),
      timings: timings.nullable(),
    }),
  ),
});
