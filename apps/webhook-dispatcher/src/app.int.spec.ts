import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { integration, pageOf, problem } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { createUrlGuard } from '@blog-content/url-guard';
import { Client } from 'pg';
import { projectDeleted, projectSaved, testBlog } from '../test/events.ts';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../test/running-dispatcher.ts';

const SECRET = 'a secret of at least 16';
const [owner, editor, stranger] = [randomUUID(), randomUUID(), randomUUID()];
let ground: TestGround;
/** With the address rules of production, but for the DNS. */
let dispatcher: RunningDispatcher;
let projectId: string;

const ADDRESSES: Record<string, string> = { 'receiver.example': '93.184.216.34', 'inside.example': '10.0.0.7' };
const lookup = (name: string) => {
  const address = ADDRESSES[name];
  if (address === undefined) return Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
  return Promise.resolve([{ address, family: 4 as const }]);
};
const URL_OK = 'https://receiver.example/hook?token=x';

beforeAll(async () => {
  ground = await prepareTestGround();
  const urlGuard = createUrlGuard({ allowHttp: false, allowedRanges: [] }, { lookup });
  dispatcher = await runDispatcher(ground, { urlGuard });
});
beforeEach(async () => {
  projectId = randomUUID();
  await addProject(ground, dispatcher, projectId, owner, [editor]);
});
afterAll(async () => {
  await dispatcher[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
});

interface ShownIntegration {
  id: string;
  [field: string]: unknown;
}
interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}
const webhooks = (path = '') => `/projects/${projectId}/webhooks${path}`;
const create = (body: object, account: string | null = owner) =>
  dispatcher.call<ShownIntegration>('POST', webhooks(), account, body);
const created = async (body: object = {}) => {
  const answer = await create({ url: URL_OK, ...body });
  expect(answer.status).toBe(201);
  return answer.body;
};
const stored = async (id: string) =>
  (await ground.query<Record<string, unknown>>('SELECT * FROM integration WHERE id = $1', [id]))[0];

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

  it('need no secret (contract “Webhooks”)', async () => {
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
    expect(await dispatcher.call('PATCH', path, owner, { url: 'https://10.0.0.1/' })).toMatchObject({ status: 422 });
    expect((await dispatcher.call('GET', path, owner)).body).toMatchObject({ url: URL_OK, active: false });
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

describe('who may', () => {
  it('only members: everybody else gets the 404 of a project that does not exist', async () => {
    const { id } = await created();
    const unknown = await dispatcher.call('GET', `/projects/${randomUUID()}/webhooks`, owner);
    for (const [method, path] of [
      ['GET', webhooks()],
      ['GET', webhooks(`/${id}`)],
      ['PATCH', webhooks(`/${id}`)],
      ['DELETE', webhooks(`/${id}`)],
      ['GET', `/projects/${projectId}/deliveries`],
      ['GET', `/projects/${projectId}/deliveries/${randomUUID()}`],
    ] as const) {
      const answer = await dispatcher.call(method, path, stranger, method === 'PATCH' ? {} : undefined);
      expect(answer).toMatchObject({ status: 404, body: unknown.body });
    }
    expect(await create({ url: URL_OK }, stranger)).toMatchObject({ status: 404 });
  });

  it('editors see receivers and deliveries, and change nothing: 403', async () => {
    const { id } = await created({ secret: SECRET });
    const before = await stored(id);
    for (const path of [webhooks(), webhooks(`/${id}`), `/projects/${projectId}/deliveries`]) {
      expect(await dispatcher.call('GET', path, editor)).toMatchObject({ status: 200 });
    }
    // Not even what is wrong with the request is told.
    for (const body of [{ url: URL_OK }, { url: 'http://10.0.0.1/' }, {}]) {
      for (const [method, path] of [
        ['POST', webhooks()],
        ['PATCH', webhooks(`/${id}`)],
        ['PATCH', webhooks(`/${randomUUID()}`)],
        ['DELETE', webhooks(`/${id}`)],
      ] as const) {
        const answer = await dispatcher.call(method, path, editor, body);
        expect(problem.parse(answer.body).status).toBe(403);
        expect(answer.status).toBe(403);
      }
    }
    expect(await stored(id)).toEqual(before);
    expect((await dispatcher.call<Page<ShownIntegration>>('GET', webhooks(), owner)).body.items).toHaveLength(1);
  });

  it('editors see no header’s value, and of a URL only its origin: credentials are kept there', async () => {
    const { id } = await created({
      secret: SECRET,
      headers: { Authorization: 'Bearer of-the-owner', 'X-Site': 'one' },
    });
    const shown = { id, url: 'https://receiver.example/••••', headers: { Authorization: '••••', 'X-Site': '••••' } };
    const one = await dispatcher.call<ShownIntegration>('GET', webhooks(`/${id}`), editor);
    expect(integration.parse(one.body)).toMatchObject({ ...shown, has_secret: true });
    const { body } = await dispatcher.call<Page<ShownIntegration>>('GET', webhooks(), editor);
    expect(body.items).toEqual([one.body]);
    for (const secret of ['of-the-owner', 'token', SECRET]) expect(JSON.stringify([one, body])).not.toContain(secret);

    const asOwner = await dispatcher.call<Page<ShownIntegration>>('GET', webhooks(), owner);
    expect(asOwner.body.items).toMatchObject([{ url: URL_OK, headers: { Authorization: 'Bearer of-the-owner' } }]);
    // What an editor was shown cannot be written back in place of the credentials.
    const written = await dispatcher.call('PATCH', webhooks(`/${id}`), owner, { headers: one.body['headers'] });
    expect(written).toMatchObject({ status: 422 });
  });

  it('an owner who has become an editor no longer', async () => {
    const { id } = await created();
    await ground.append(projectSaved(projectId, [stranger], 2, [owner]));
    await eventually(async () =>
      expect(await dispatcher.call('PATCH', webhooks(`/${id}`), owner, { name: 'Mine' })).toMatchObject({
        status: 403,
      }),
    );
    expect(await dispatcher.call('GET', webhooks(`/${id}`), owner)).toMatchObject({ status: 200 });
    expect(await dispatcher.call('PATCH', webhooks(`/${id}`), stranger, { name: 'New' })).toMatchObject({
      status: 200,
    });
  });

  it('nobody once the project is deleted: receivers and deliveries are gone, secrets too', async () => {
    const { id } = await created({ secret: SECRET, headers: { 'X-Site': 'one' } });
    await ground.append(projectDeleted(projectId, 2));
    const unknown = await dispatcher.call('GET', `/projects/${randomUUID()}/webhooks`, owner);
    const paths = [webhooks(), webhooks(`/${id}`), `/projects/${projectId}/deliveries`];
    await eventually(async () =>
      expect(await dispatcher.call('GET', webhooks(), owner)).toMatchObject({ status: 404 }),
    );
    for (const account of [owner, editor]) {
      for (const path of paths) {
        expect(await dispatcher.call('GET', path, account)).toMatchObject({ status: 404, body: unknown.body });
      }
    }
    expect(await create({ url: URL_OK })).toMatchObject({ status: 404 });
    expect(await stored(id)).toMatchObject({ active: false, sealed_secret: null, sealed_headers: null });
    const event = testBlog(projectId).published();
    await ground.append(event);
    await eventually(() => ground.outcomesOf(event.id).length > 0);
    expect(ground.outcomesOf(event.id)[0]).toMatchObject({
      event: 'deliveries.planned',
      deliveries: [],
    });
  });

  it('nobody without a session', async () => {
    const answer = await create({ url: URL_OK }, null);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  });

  it('a member of one project not in another', async () => {
    const { id } = await created();
    const other = randomUUID();
    await addProject(ground, dispatcher, other, owner);
    expect(await dispatcher.call('GET', `/projects/${other}/webhooks/${id}`, owner)).toMatchObject({ status: 404 });
  });

  it('and unknown addresses, ids and methods are problems too', async () => {
    expect(await dispatcher.call('GET', webhooks('/nonsense'), owner)).toMatchObject({ status: 404 });
    expect(await dispatcher.call('GET', '/projects/nonsense/webhooks', owner)).toMatchObject({ status: 404 });
    expect(await dispatcher.call('GET', `/projects/${projectId}/nonsense`, owner)).toMatchObject({ status: 404 });
    const answer = await dispatcher.call('PUT', webhooks(), owner, {});
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });
});

describe('a body', () => {
  /** The status of the answer to a request whose head announces a body that never comes. */
  const statusWithoutBody = async (path: string, account: string | null) => {
    const call = request(`${dispatcher.origin}/blog/api/v1/owner${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': '1000000',
        ...(account !== null && { authorization: `Bearer ${await ground.token(account)}` }),
      },
    });
    call.flushHeaders();
    try {
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      return answer.statusCode;
    } finally {
      call.destroy();
    }
  };

  it('is not waited for before its sender has a session and is a member, or where nothing takes one', async () => {
    expect(await statusWithoutBody(webhooks(), null)).toBe(401);
    expect(await statusWithoutBody(webhooks(), stranger)).toBe(404);
    expect(await statusWithoutBody('/nowhere', null)).toBe(404);
  });

  it('with the largest headers that may be set is taken, and one beyond 1 MiB is answered 413', async () => {
    const headers = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`x-${String(index).padEnd(198, 'n')}`, 'é'.repeat(4_096)]),
    );
    const { id } = await created({ headers });
    expect(await dispatcher.call('PATCH', webhooks(`/${id}`), owner, { headers })).toMatchObject({ status: 200 });
    const hook = { url: URL_OK, headers, body: '語'.repeat(16_384) };
    expect(await dispatcher.call('PUT', `/projects/${projectId}/deploy-hook`, owner, hook)).toMatchObject({
      status: 201,
    });
    expect(await create({ url: URL_OK, name: 'x'.repeat(1_048_576) })).toMatchObject({ status: 413 });
  });

  it('that saves no settings is answered 413 beyond 64 KiB', async () => {
    const { id } = await created();
    const body = { since: '2026-01-01T00:00:00Z', more: 'x'.repeat(65_536) };
    for (const path of ['test', 'redeliver-failed']) {
      expect(await dispatcher.call('POST', webhooks(`/${id}/${path}`), owner, body)).toMatchObject({ status: 413 });
    }
  });
});

describe('readiness', () => {
  it('has the database, the event log, and every loop that claims', async () => {
    expect(Object.keys(dispatcher.checks)).toEqual(['database', 'start', 'deliveries', 'deploy_hooks', 'index_now']);
    await expect(dispatcher.checks['index_now']?.()).resolves.toBeUndefined();
    await expect(dispatcher.checks['database']?.()).resolves.toBeUndefined();
    await expect(dispatcher.checks['start']?.()).resolves.toBeUndefined();
  });
});

describe('requests of one owner', () => {
  const waiting = () =>
    ground.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`);
  const lists = ['webhooks', 'deliveries', 'deploy-hook', 'index-now'];

  it.each([
    ['of one token, before its session is looked up', 'revoked_session', true],
    ['of one account, whatever number of tokens it has', 'project_member', false],
  ])('come two reads at a time %s, and others do not wait for them', async (_rule, table, isSameToken) => {
    const token = await ground.token(owner);
    const ask = async (bearer: string | Promise<string>, path: string) => {
      const headers = { authorization: `Bearer ${await bearer}` };
      const answer = await fetch(`${dispatcher.origin}/blog/api/v1/owner/projects/${projectId}/${path}`, { headers });
      await answer.body?.cancel();
      return answer.status;
    };
    const asked: Promise<number>[] = [];
    {
      await using locking = new AsyncDisposableStack();
      const client = locking.adopt(new Client({ connectionString: ground.env['DATABASE_URL'] }), (one) => one.end());
      await client.connect();
      await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      for (const path of [...lists, ...lists]) asked.push(ask(isSameToken ? token : ground.token(owner), path));
      await eventually(async () => expect(await waiting()).toHaveLength(2));
      asked.push(ask(ground.token(editor), 'webhooks'));
      await eventually(async () => expect(await waiting()).toHaveLength(3));
    }
    for (const status of await Promise.all(asked)) expect([200, 404]).toContain(status);
  });
});
