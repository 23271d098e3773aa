import type { JsonSchema } from '../json-schema.ts';
import type { Credential } from '../operation.ts';

/** What holds for all operations. CommonMark. */
export const DESCRIPTION = `
## Authentication
Send credentials as a bearer token: \`Authorization: Bearer …\`.

- **Owner API**: the \`token\` of a session. It lasts about half an hour; \`POST …/owner/session/refresh\` exchanges the
  single-use refresh token for the next one. Browsers use \`POST …/owner/session/browser\` and
  \`POST …/owner/session/browser/refresh\`, which keep the refresh token in a cookie.
- **Agent API**: an agent key \`sk_agent_…\`, bound to one project.
- **Public API**: a project’s public key \`pk_live_…\`, also accepted as the query parameter \`api_key\`.

A project that you are not a member of returns \`404\`, as if it did not exist.

## Errors
Errors are problem documents (RFC 9457, \`application/problem+json\`) with \`title\`, \`status\` and a human-readable \`detail\`. A
\`422\` also has \`errors\`, one for each invalid field. Errors of the public API and of image files are \`{"detail": "…"}\` only.

Any request may also return \`405\` (\`Allow\` lists the allowed methods), \`408\`, \`431\` or \`500\`, and \`413\` or \`415\` if it has
an unexpected body. Every response has an \`X-Request-Id\`; quote it when you report a problem.

In text fields, NUL characters are removed and unpaired surrogates become U+FFFD before validation. Fields where every
character counts, such as a webhook’s URL or secret, are rejected instead.

## Rate limits
\`429\` means that you sent too many requests. Wait for as many seconds as \`Retry-After\` says, then retry.

## Pagination
Lists return pages of \`items\`. Pass \`next_cursor\` as \`cursor\` to get the next page; it is null on the last one. The public
API uses \`limit\` and \`offset\`.

## Optimistic concurrency
Blogs and projects are returned with an \`ETag\`. Send it as \`If-Match\` when you change them: you get \`412\` if the resource
changed since you read it. Without \`If-Match\`, the last write wins.

## Idempotent requests
Send an \`Idempotency-Key\` with a \`POST\` that accepts one to retry it safely for 24 hours. A repeat returns the first
response with \`Idempotency-Replayed: true\`, except for secrets, which are shown once. It returns \`404\` if the blog or project
has since been deleted, \`409\` while the first request is in progress, and \`422\` if the request differs from the first.

\`\`\`sh
curl -X POST -H "Authorization: Bearer $TOKEN" -H 'Idempotency-Key: publish-soup-1' \\
  $API/owner/projects/$PROJECT/blogs/$BLOG/publish
\`\`\`

## Unknown fields
New fields may be added to responses: ignore those you do not know. A request with an unknown field returns \`422\` with the field’s name
and the nearest known one.
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
    description: 'The public key as a query parameter. The header takes precedence.',
  },
  ownerSession: bearer('The `token` of a session.', { bearerFormat: 'JWT' }),
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Secure-blog-session',
    description: 'The refresh token of a browser session. The cookie is HTTP-only and same-site.',
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
  IfMatch: header('If-Match', 'ETag of the resource as you read it. Returns `412` if it has changed.', {
    type: 'string',
    maxLength: 1_000,
    pattern: String.raw`^\s*(\*|(W/)?"[!#-~\x80-\xff]*"(\s*,\s*(W/)?"[!#-~\x80-\xff]*")*)\s*$`,
  }),
  IfNoneMatch: header('If-None-Match', 'ETag of your cached response. Returns `304` if it is still current.', {
    type: 'string',
  }),
  IfModifiedSince: header(
    'If-Modified-Since',
    '`Last-Modified` of your cached response. Returns `304` if nothing changed since. `If-None-Match` takes precedence.',
    { type: 'string' },
  ),
  Range: header('Range', 'One byte range. Returns `206` with that part, or `416` if it starts beyond the end.', {
    type: 'string',
  }),
  IdempotencyKey: header('Idempotency-Key', 'Makes retries safe for 24 hours. 1 to 255 visible ASCII characters.', {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[!-~]+$',
  }),
};

/** Response headers. */
export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  ETag: { description: 'Identifies this version.', required: true, schema: { type: 'string' } },
  'Last-Modified': {
    description: 'Time of the last change. Omitted in the first seconds after a change.',
    required: false,
    schema: { type: 'string' },
  },
  Location: {
    description: 'URL of the resource.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'Idempotency-Replayed': {
    description: 'Present when this is the response to an earlier request with the same key.',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': {
    description: 'Authentication challenge (RFC 6750).',
    required: true,
    schema: { type: 'string' },
  },
};
