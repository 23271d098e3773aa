import type { JsonSchema } from '../json-schema.ts';
import type { Credential } from '../operation.ts';

/** What holds for all operations. CommonMark. */
export const DESCRIPTION = `
## Authentication
Every credential is a bearer token: \`Authorization: Bearer …\`. The **owner API** takes the \`token\` of a session; it lasts an
half hour or so, and \`refreshSession\` gives the next one for the refresh token, which is good for one use. Pages in a browser
use \`signInBrowser\` and \`refreshBrowserSession\` instead, which keep the refresh token in a cookie. The **agent API** takes an
agent key \`sk_agent_…\`, which is bound to one project. The **public API** takes a project’s public key \`pk_live_…\`, also as the
query parameter \`api_key\`. A project that you are no member of is answered like one that does not exist: 404.

## Problems
A refusal is a problem document (RFC 9457, \`application/problem+json\`): \`title\`, \`status\`, \`detail\` to show to people, and with
422 \`errors\`, which name each field that is wrong. Errors of the public API and of image files are \`{"detail": "…"}\` and nothing else. Besides what
each operation lists, any request may be answered 405 (\`Allow\` names the methods that exist), 408, 431, 500, and 413 or 415 when
it has a body that is not asked for. What people read is kept without NUL, and with U+FFFD for half a surrogate pair: such text is
made so before it is checked. Where every character counts, as in a webhook’s URL or secret, it is refused.
Every answer has an \`X-Request-Id\` to ask about it with.

## Lists
A list is answered in pages of \`items\`. \`next_cursor\` is the \`cursor\` of the next page, and null on the last one. The public
API pages by \`limit\` and \`offset\`.

## Changing what nobody else has changed
Blogs and projects are answered with an \`ETag\`. Sent back as \`If-Match\` with a change, it has the change refused with 412 when
somebody was faster. Without \`If-Match\` the change is made on whatever is there.

## Asking again without doing it twice
A \`POST\` that takes an \`Idempotency-Key\` happens once for each key, however often it is sent within 24 hours: a repeat gets the
first answer again, with \`Idempotency-Replayed: true\`, but for secrets, which are shown once. It gets 404 when the
blog or the project has been deleted since. The key with another request is refused with 422, and with 409 while the first is
being worked on.

## Unknown fields
Answers may have more fields than are described here: ignore what you do not know. A request with a field that is not described
is refused with 422, which names the field and the nearest known one, so that no misspelled field is lost.
`.trim();

const bearer = (description: string, more: JsonSchema = {}): JsonSchema => ({
  type: 'http',
  scheme: 'bearer',
  ...more,
  description,
});

export const SECURITY_SCHEMES = {
  publicKeyHeader: bearer('The project’s public key `pk_live_…`.'),
  publicKeyQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'The same; the header counts when both are there.',
  },
  ownerSession: bearer('The `token` of a session.', { bearerFormat: 'JWT' }),
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Secure-blog-session',
    description: 'The refresh token of a browser’s session: no script reads it, and no other site’s page sends it.',
  },
  agentKey: bearer('An agent’s secret key `sk_agent_…`.'),
};

type SecurityRequirement = { readonly [scheme in keyof typeof SECURITY_SCHEMES]?: readonly [] };

const SECURITY: Readonly<Record<Credential, readonly SecurityRequirement[]>> = {
  publicKey: [{ publicKeyHeader: [] }, { publicKeyQuery: [] }],
  ownerSession: [{ ownerSession: [] }],
  sessionCookie: [{ sessionCookie: [] }],
  agentKey: [{ agentKey: [] }],
  none: [],
};

/** Which schemes give an operation's credential. */
export const securityOf = (credential: Credential): readonly SecurityRequirement[] => SECURITY[credential];

const header = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
});

/** Request headers. */
export const PARAMETERS = {
  IfMatch: header('If-Match', 'ETag of what was read: refused with 412 when it was changed since.', {
    type: 'string',
    maxLength: 1_000,
    pattern: String.raw`^\s*(\*|(W/)?"[!#-~\x80-\xff]*"(\s*,\s*(W/)?"[!#-~\x80-\xff]*")*)\s*$`,
  }),
  IfNoneMatch: header('If-None-Match', 'ETag of an answer that the caller has: 304 when it is still the answer.', {
    type: 'string',
  }),
  IfModifiedSince: header(
    'If-Modified-Since',
    '`Last-Modified` of an answer that the caller has: 304 when nothing has changed since. `If-None-Match` counts before it.',
    { type: 'string' },
  ),
  Range: header('Range', 'One range of bytes: 206 with that part, 416 when it begins behind the end.', {
    type: 'string',
  }),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes the request happen once, however often it is sent within 24 hours: 1 to 255 visible ASCII characters.',
    { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  ),
};

/** Response headers. */
export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  ETag: { description: 'Names this version.', required: true, schema: { type: 'string' } },
  'Last-Modified': {
    description: 'Since when nothing has changed; not sent in the first seconds after a change.',
    required: false,
    schema: { type: 'string' },
  },
  Location: {
    description: 'Where it can be read.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'Idempotency-Replayed': {
    description: 'That this is the answer of an earlier request with the same key.',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': { description: 'RFC 6750.', required: true, schema: { type: 'string' } },
};
