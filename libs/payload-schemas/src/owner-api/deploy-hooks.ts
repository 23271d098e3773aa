import { z } from 'zod';
import { doc, fields } from '../fields.ts';
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
    .meta(doc('If omitted, the saved URL is kept. It is never returned in full.', 'https://receiver.example.com/hook')),
  method: method.default('POST').meta(doc('HTTP method.', 'POST')),
  headers: z
    .record(z.string().min(1).max(200), z.string().max(4_096))
    .refine((headers) => Object.keys(headers).length <= 100, 'must have at most 100 headers')
    .meta({ maxProperties: 100 })
    .default({})
    .meta(doc('Custom headers to send.', { 'X-Site': 'tea' })),
  body: z
    .string()
    .max(16_384)
    .nullable()
    .default(null)
    .meta(
      doc('Sent with POST. The content type is application/json unless set in `headers`.', '{"event":"test.ping"}'),
    ),
  active: z.boolean().default(true).describe('Whether it is active.'),
});

/**
 * A project's deploy hook. Its URL is a credential and shown as its origin; editors see neither header values nor the
 * body.
 */
export const deployHook = z.object({
  project_id: fields.projectId,
  url: z.string().meta(doc('Masked: scheme and host only, the rest as ••••.', 'https://receiver.example.com/hook')),
  method: method.meta(doc('HTTP method.', 'POST')),
  headers: z.record(z.string(), z.string()).meta(doc('Custom headers to send.', { 'X-Site': 'tea' })),
  body: z.string().nullable().meta(doc('Request body.', '{"event":"test.ping"}')),
  active: z.boolean().describe('Whether it is active.'),
  created_at: fields.createdAt,
  updated_at: timestamp.describe('When it was last changed.'),
});

const timings = z
  .object({
    connected_ms: z.int().nullable().meta(doc('Connection and TLS established.', 30)),
    answer_ms: z.int().nullable().meta(doc('Response headers received.', 110)),
    total_ms: z.int().meta(doc('Total time.', 120)),
  })
  .describe('Milliseconds since the attempt started; null for phases not reached.');

/** The outcome of a test: of one request, made immediately. */
export const deployHookTest = z.object({
  request_id: z.uuid().describe('ID of the test in the history.'),
  succeeded: z.boolean().describe('Whether the response was a success.'),
  status_code: fields.statusCode,
  timings: timings.nullable().describe('Duration in milliseconds.'),
  answer: z.string().nullable().meta(doc('First 1,000 characters of the response body.', 'OK')),
  detail: z.string().nullable().meta(doc('Why it failed.', null)),
  hint: z.string().nullable().meta(doc('How to fix it.', null)),
});

/** One request to a deploy hook, for all changes of a short time, or for a test. */
export const deployHookRequestLog = z.object({
  id: fields.id,
  kind: z.enum(['changes', 'test']).describe('What it is for.'),
  status: z
    .enum(['waiting', 'in_flight', 'succeeded', 'failed', 'superseded', 'cancelled'])
    .describe('`superseded`: newer changes replaced a retry. `cancelled`: the hook was deleted or deactivated.'),
  reason: fields.reason,
  detail: fields.detail,
  warning: z.string().nullable().meta(doc('A warning although the request was sent; null if none.', null)),
  status_code: fields.statusCode,
  changes: z
    .object({
      published: z.int().describe('Number of posts published.'),
      unpublished: z.int().meta(doc('Number of posts unpublished.', 0)),
      deleted: z.int().meta(doc('Number of posts deleted.', 0)),
    })
    .describe('Number of changed posts.'),
  blog_ids: z.array(z.uuid()).meta(doc('The changed posts, at most 20.', ['0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10'])),
  created_at: fields.createdAt,
  next_attempt_at: timestamp.nullable().meta(doc('When the next attempt is due; null if none is planned.', null)),
  finished_at: fields.finishedAt,
  attempts: z
    .array(
      z.object({
        number: fields.number,
        started_at: timestamp.describe('When it started.'),
        ended_at: fields.endedAt,
        status_code: fields.statusCode,
        reason: fields.reason,
        detail: fields.detail,
        timings: timings.nullable().describe('Duration in milliseconds.'),
      }),
    )
    .describe('The attempts, oldest first.'),
});
