import type { z } from 'zod';
import * as webhooks from '../../webhook-bodies.ts';
import type { Components } from './components.ts';
import type { JsonSchema } from '../json-schema.ts';

interface Webhook {
  readonly body: z.ZodType;
  readonly summary: string;
  readonly description: string;
}

const UPSERT = 'Create the post, or bring it up to date, by its `blog_id`: both events are treated the same.';
const REMOVE = 'Find the post by its `blog_id` and hide or delete it.';

/** The five events (contract §6). */
const WEBHOOKS: Readonly<Record<string, Webhook>> = {
  'test.ping': {
    body: webhooks.testPingBody,
    summary: 'The owner clicks Test Connection',
    description: 'Has no blog fields. Answer `{"ok": true}` without asking for title, slug or content.',
  },
  'blog.published': {
    body: webhooks.blogPublishedBody,
    summary: 'A blog is published to this receiver for the first time',
    description: `${UPSERT} A \`blog_id\` that begins with \`preview-\` is a Sample Payload: write nothing, and answer \`{"ok": true, "skipped": true}\`.`,
  },
  'blog.updated': {
    body: webhooks.blogUpdatedBody,
    summary: 'A blog that the receiver has is published again, or synced',
    description: UPSERT,
  },
  'blog.unpublished': {
    body: webhooks.blogUnpublishedBody,
    summary: 'A blog is unpublished',
    description: REMOVE,
  },
  'blog.deleted': { body: webhooks.blogDeletedBody, summary: 'A published blog is deleted', description: REMOVE },
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
    'Where a secret is configured: HMAC-SHA256 of the exact bytes of the body, keyed with the secret, in lowercase hexadecimal. Compare in constant time; answer 401 when it does not match.',
    { pattern: '^[0-9a-f]{64}$' },
  ),
  header('X-Legacy-Signature', 'The same for old receivers, with publishes by agents only.', {
    pattern: '^sha256=[0-9a-f]{64}$',
  }),
  header('X-Webhook-Delivery', 'The delivery in the log of the owner.', { format: 'uuid' }, true),
  header('User-Agent', 'The service and its version.', { pattern: '^BlogContentService/' }, true),
];

/** Requests that the service makes to receivers (contract §4.4), and what their answers come to. */
export function webhooksSection(components: Components): Record<string, JsonSchema> {
  const answer = {
    content: { 'application/json': { schema: components.refer(webhooks.receiverAnswerBody, 'output') } },
  };
  const success = 'Taken. The body is optional, and need not be JSON; `url` and `id` are kept with the blog.';
  const responses = {
    200: { description: success, ...answer },
    201: { description: success, ...answer },
    202: { description: success, ...answer },
    204: { description: 'Taken.' },
    '3XX': { description: 'Failed: redirects are not followed. Not tried again.' },
    401: { description: 'Failed: the signature does not match. Not tried again.' },
    '4XX': { description: 'Failed. Not tried again.' },
    '5XX': {
      description:
        'Failed. What an agent published is tried again, up to five attempts in all, as after no answer within 30 seconds; `Retry-After` of a 503 is heeded up to 16 minutes. What a person published is not.',
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
