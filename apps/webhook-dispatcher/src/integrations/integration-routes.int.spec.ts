import { integration, pageOf, problem } from '@blog-content/payload-schemas';
import {
  openOwnerGround,
  owner,
  type OwnerGround,
  type Page,
  SECRET,
  type ShownIntegration,
  URL_OK,
  webhooksOn,
} from '../../test/grounds/owner-ground.ts';

let on: OwnerGround;
let dispatcher: OwnerGround['dispatcher'];
let projectId: string;

beforeAll(async () => {
  on = await openOwnerGround();
  ({ dispatcher } = on);
});
beforeEach(async () => {
  projectId = await on.addProject();
});
afterAll(() => on[Symbol.asyncDispose]());

const { webhooks, create, created, stored } = webhooksOn(() => ({ ...on, projectId }));

describe('webhook integrations', () => {
  it('are created, and never show their secret', async () => {
    const answer = await create({ name: ' Site ', url: URL_OK, secret: SECRET, headers: { 'X-Site': 'one' } });
    expect(answer.status).toBe(201);
    expect(integration.parse(answer.body)).toEqual(answer.body);
    expect(answer.body).toMatchObject({
      project_id: projectId,
      name: 'Site',
      url: URL_OK,
      has_secret: true,
      headers: { 'X-Site': 'one' },
      active: true,
      retry_manual: false,
      standard_webhooks: false,
    });
    expect(answer.headers.get('location')).toBe(`/blog/api/v1/owner${webhooks(`/${answer.body.id}`)}`);
    expect(JSON.stringify(answer.body)).not.toContain(SECRET);
    const got = await dispatcher.call('GET', webhooks(`/${answer.body.id}`), owner);
    expect(got).toMatchObject({ status: 200, body: answer.body });
  });

  it('keep URL, secret and headers sealed at rest; what is changed too', async () => {
    const { id } = await created({ secret: SECRET, headers: { Authorization: 'Bearer of-the-owner' } });
    const row = async () => (await stored(id)) ?? {};
    expect(await row()).toMatchObject({ shown_url: 'https://receiver.example/••••' });
    expect(String((await row())['sealed_url'])).not.toContain('receiver.example');
    const changed = 'https://receiver.example/a-newer-one';
    expect(await dispatcher.call('PATCH', webhooks(`/${id}`), owner, { url: changed })).toMatchObject({
      status: 200,
      body: { url: changed },
    });
    expect(JSON.stringify({ ...(await row()), position: '' })).not.toContain('a-newer-one');
  });

  it('with blanks or letters outside ASCII in the path are kept percent-encoded', async () => {
    const { id } = await created({ url: 'https://receiver.example/mein weg/grüße?an=Zoë B' });
    expect(await dispatcher.call('GET', webhooks(`/${id}`), owner)).toMatchObject({
      body: { url: 'https://receiver.example/mein%20weg/gr%C3%BC%C3%9Fe?an=Zo%C3%AB%20B' },
    });
  });

  it('keep no secret in the clear', async () => {
    const { id } = await created({ secret: SECRET, headers: { Authorization: 'Bearer of-the-owner' } });
    const row = JSON.stringify(await stored(id), (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(row).not.toContain(SECRET);
    expect(row).not.toContain('of-the-owner');
  });

  it('need no secret (contract §4.7)', async () => {
    expect(await created()).toMatchObject({ has_secret: false, headers: {} });
  });

  it('are listed in the order of their creation, page by page', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await created()).id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { status, body }: { status: number; body: Page<ShownIntegration> } = await dispatcher.call(
        'GET',
        webhooks(`?limit=2${query}`),
        owner,
      );
      expect(status).toBe(200);
      expect(pageOf(integration).parse(body)).toEqual(body);
      seen.push(...body.items.map(({ id }) => id));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(ids);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=!!', 'cursor=LTE'])('cannot be listed with %s', async (query) => {
    const { status, body } = await dispatcher.call('GET', webhooks(`?${query}`), owner);
    expect(status).toBe(400);
    expect(problem.safeParse(body).success).toBe(true);
  });

  it('are changed field by field; null takes the secret away', async () => {
    const { id } = await created({ secret: SECRET, headers: { 'X-Site': 'one' } });
    const path = webhooks(`/${id}`);
    expect((await dispatcher.call('PATCH', path, owner, { active: false })).body).toMatchObject({
      active: false,
      has_secret: true,
      headers: { 'X-Site': 'one' },
    });
    expect((await dispatcher.call('PATCH', path, owner, { headers: {}, name: 'New' })).body).toMatchObject({
      headers: {},
      name: 'New',
    });
    expect((await dispatcher.call('PATCH', path, owner, { secret: null })).body).toMatchObject({ has_secret: false });
    expect((await dispatcher.call('PATCH', path, owner, { standard_webhooks: true })).body).toMatchObject({
      standard_webhooks: true,
    });
    expect((await dispatcher.call('PATCH', path, owner, { retry_manual: true })).body).toMatchObject({
      retry_manual: true,
      standard_webhooks: true,
    });
    expect(await dispatcher.call('PATCH', path, owner, { retry_manual: 'yes' })).toMatchObject({ status: 422 });
    expect(await dispatcher.call('PATCH', path, owner, { url: 'https://10.0.0.1/' })).toMatchObject({ status: 422 });
    expect((await dispatcher.call('GET', path, owner)).body).toMatchObject({ url: URL_OK, active: false });
  });

  it('are created with retries of manual publishes, if asked for', async () => {
    expect(await created({ retry_manual: true })).toMatchObject({ retry_manual: true });
  });

  it('are deleted, with their secrets', async () => {
    const { id } = await created({ secret: SECRET, headers: { 'X-Site': 'one' } });
    expect(await dispatcher.call('DELETE', webhooks(`/${id}`), owner)).toMatchObject({ status: 204 });
    expect(await dispatcher.call('GET', webhooks(`/${id}`), owner)).toMatchObject({ status: 404 });
    expect(await dispatcher.call('DELETE', webhooks(`/${id}`), owner)).toMatchObject({ status: 404 });
    expect(await dispatcher.call('PATCH', webhooks(`/${id}`), owner, { active: true })).toMatchObject({ status: 404 });
    expect(await stored(id)).toMatchObject({ active: false, sealed_secret: null, sealed_headers: null });
  });
});

describe('what is refused at save (contract §7.2)', () => {
  it.each([
    ['http', 'http://receiver.example/hook'],
    ['localhost', 'https://localhost/hook'],
    ['a loopback address', 'https://127.0.0.1/hook'],
    ['a loopback address in IPv6', 'https://[::1]/hook'],
    ['a private address', 'https://192.168.1.1/hook'],
    ['the metadata address', 'https://169.254.169.254/latest'],
    ['a name that resolves to a private address', 'https://inside.example/hook'],
    ['a name that does not resolve', 'https://nowhere.example/hook'],
    ['user info', 'https://user:pass@receiver.example/'],
    ['something else', 'not a url'],
  ])('%s', async (_name, url) => {
    const answer = await create({ url });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(problem.parse(answer.body).errors).toEqual([{ field: 'url', message: expect.any(String) as string }]);
  });

  it('a secret shorter than 16 characters', async () => {
    const answer = await create({ url: URL_OK, secret: 'x'.repeat(15) });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'secret' }] } });
  });

  it('headers that belong to the connection or are none, each by its name', async () => {
    const answer = await create({ url: URL_OK, headers: { Host: 'x', 'a b': 'y', 'X-Ok': 'z', 'X-Bad': 'a\r\nb' } });
    const errors = problem.parse(answer.body).errors ?? [];
    expect(answer.status).toBe(422);
    expect(errors.map(({ field }) => field)).toEqual(['headers.Host', 'headers.a b', 'headers.X-Bad']);
  });

  it('but not the ignored headers (contract §5.2.6)', async () => {
    const { headers } = await created({
      headers: { 'content-TYPE': 'text/plain', 'X-Webhook-Signature': 'mine', 'X-Ok': 'z' },
    });
    expect(headers).toEqual({ 'X-Ok': 'z' });
  });

  it.each(['name', 'secret', 'url'])('NUL and half characters in %s', async (field) => {
    for (const text of [`${SECRET}\0`, `${SECRET}\ud800`]) {
      const value = field === 'url' ? `${URL_OK}${text}` : text;
      expect(await create({ url: URL_OK, [field]: value })).toMatchObject({
        status: 422,
        body: { errors: [{ field }] },
      });
    }
  });

  it('a body that is no JSON object', async () => {
    expect(await dispatcher.call('POST', webhooks(), owner, [])).toMatchObject({ status: 422 });
    expect(await dispatcher.call('POST', webhooks(), owner)).toMatchObject({ status: 400 });
  });
});
