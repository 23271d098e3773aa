import type { z } from 'zod';
import * as webhooks from '../../webhook-bodies.ts';
import type { Components } from './components.ts';
import type { JsonSchema } from '../json-schema.ts';

interface Webhook {
  readonly body: z.ZodType;
  readonly summary: string;
  readonly description: string;
}

const UPSERT = 'Create or update the post by its `blog_id`. Handle both events the same way.';
const REMOVE = 'Find the post by its `blog_id`, then hide or delete it.';

/** The five events (contract §6). */
const WEBHOOKS: Readonly<Record<string, Webhook>> = {
  'test.ping': {
    body: webhooks.testPingBody,
    summary: 'Handle a connection test',
    description: 'Has no blog fields. Respond with `{"ok": true}` without requiring title, slug or content.',
  },
  'blog.published': {
    body: webhooks.blogPublishedBody,
    summary: 'Handle a first publish',
    description: `${UPSERT} If \`blog_id\` starts with \`preview-\`, this is a sample payload: write nothing and respond with \`{"ok": true, "skipped": true}\`.`,
  },
  'blog.updated': {
    body: webhooks.blogUpdatedBody,
    summary: 'Handle an update',
    description: UPSERT,
  },
  'blog.unpublished': {
    body: webhooks.blogUnpublishedBody,
    summary: 'Handle an unpublish',
    description: REMOVE,
  },
  'blog.deleted': { body: webhooks.blogDeletedBody, summary: 'Handle a delete', description: REMOVE },
};

const header = (name: string, description: string, schema: JsonSchema, required = false): JsonSchema => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string', ...schema },
});

/** What each request to a receiver carries (contract §5.2), besides the owner's own headers. */
const HEADERS: readonly JsonSchema[] = [
  header(
    'X-Webhook-Signature',
    'Sent if a secret is configured: the HMAC-SHA256 of the exact body bytes, keyed with the secret, in lowercase hexadecimal. Compare it in constant time; respond with `401` if it does not match.',
    { pattern: '^[0-9a-f]{64}$' },
  ),
  header('X-Legacy-Signature', 'The same signature for old receivers. Sent with autopilot publishes only.', {
    pattern: '^sha256=[0-9a-f]{64}$',
  }),
  header('X-Webhook-Delivery', 'ID of the delivery in the delivery log.', { format: 'uuid' }, true),
  header('User-Agent', 'Name and version of the service.', { pattern: '^BlogContentService/' }, true),
];

/** Requests that the service makes to receivers (contract §4.4), and what their answers come to. */
export function webhooksSection(components: Components): Record<string, JsonSchema> {
  const answer = {
    content: { 'application/json': { schema: components.refer(webhooks.receiverAnswerBody, 'output') } },
  };
  const success = 'Success. The body is optional and need not be JSON. `url` and `id` are stored with the post.';
  const responses = {
    200: { description: success, ...answer },
    201: { description: success, ...answer },
    202: { description: success, ...answer },
    204: { description: 'Success.' },
    '3XX': { description: 'Failure. Redirects are not followed. Not retried.' },
    401: { description: 'Failure: the signature does not match. Not retried.' },
    '4XX': { description: 'Failure. Not retried.' },
    '5XX': {
      description:
        'Failure. Autopilot publishes are retried, up to five attempts, as after a timeout (30 seconds). A `503` may set `Retry-After`, up to 16 minutes. Manual publishes are retried only with `retry_manual`.',
    },
  };
  return Object.fromEntries(
    Object.entries(WEBHOOKS).map(([event, { body, summary, description }]) => [
      event,
      {
        post: {
          operationId: `on${event.replaceAll(/(?:^|\.)(\w)/g, (_all, first: string) => first.toUpperCase())}`,
          tags: ['Webhooks'],
          summary,
          description,
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: components.refer(body, 'output') } },
          },
          responses,
        },
      },
    ]),
  );
}
