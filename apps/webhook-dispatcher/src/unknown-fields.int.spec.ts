import { randomUUID } from 'node:crypto';
import { httpSurface, openApi } from '@blog-content/payload-schemas/documents';
import { ADMINISTRATOR } from '../test/running-dispatcher.ts';
import { openOwnerGround, owner, type OwnerGround, webhooksOn } from '../test/grounds/owner-ground.ts';

type Json = Readonly<Record<string, unknown>>;
interface Described {
  readonly requestBody?: { readonly content: Record<string, { readonly example: Json }> };
}

const FIELD = 'unknown_field';
/** Objects whose names callers choose. */
const OPEN: readonly string[] = ['headers'];
const paths = openApi()['paths'] as Record<string, Record<string, Described>>;
const changes = httpSurface.filter(({ service, method }) => service === 'webhook-dispatcher' && method !== 'get');

let on: OwnerGround;
let projectId: string;
let integrationId: string;
beforeAll(async () => {
  on = await openOwnerGround();
  projectId = await on.addProject();
  ({ id: integrationId } = await webhooksOn(() => ({ ...on, projectId })).created({}));
});
afterAll(() => on[Symbol.asyncDispose]());

/** The body with the field in one of its objects, for each of those. */
function* withField(body: Json, at: readonly string[] = []): Generator<readonly [field: string, body: Json]> {
  yield [[...at, FIELD].join('.'), { ...body, [FIELD]: 1 }];
  for (const [key, inner] of Object.entries(body)) {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner) || OPEN.includes(key)) continue;
    for (const [field, changed] of withField(inner as Json, [...at, key])) yield [field, { ...body, [key]: changed }];
  }
}

it.each(changes)('$id refuses a field that it does not know, and names it', async ({ method, path, only }) => {
  const example = paths[path]?.[method]?.requestBody?.content['application/json']?.example ?? {};
  const ids: Record<string, string> = { projectId, integrationId };
  const target = path
    .replace('/blog/api/v1/owner', '')
    .replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? randomUUID());
  const account = only === 'administrator' ? ADMINISTRATOR : owner;
  for (const [field, body] of withField(example)) {
    const answer = await on.dispatcher.call<{ errors?: unknown }>(method.toUpperCase(), target, account, body);
    expect([field, answer.status]).toEqual([field, 422]);
    expect(answer.body.errors).toContainEqual({ field, message: expect.stringContaining('is not a known field') });
  }
});

it('an unknown setting of a system is refused with the nearest known one', async () => {
  const [wordpress, shopify] = [
    { kind: 'wordpress', url: 'https://blog.example', secret: 'abcd efgh ijkl', settings: { user_name: 'ada' } },
    {
      kind: 'shopify',
      url: 'https://shop.myshopify.com',
      secret: 'x'.repeat(20),
      settings: { blogId: '1', author: 'A' },
    },
  ];
  const post = (body: object) =>
    on.dispatcher.call<{ detail: string }>('POST', `/projects/${projectId}/webhooks`, owner, body);
  expect((await post(wordpress ?? {})).body.detail).toBe(
    'Unknown field `settings.user_name`. Did you mean `username`?',
  );
  expect((await post(shopify ?? {})).body.detail).toBe('Unknown field `settings.blogId`. Did you mean `blog_id`?');
});
