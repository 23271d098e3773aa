import { randomUUID } from 'node:crypto';
import { deployHook, deployHookRequestLog, deployHookTest, pageOf, problem } from '@blog-content/payload-schemas';
import { eventually, type Receiver, startReceiver } from '@blog-content/testing';
import { createUrlGuard } from '@blog-content/url-guard';
import { projectDeleted } from '../../test/events.ts';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../../test/running-dispatcher.ts';

const [owner, editor, stranger] = [randomUUID(), randomUUID(), randomUUID()];
const SHORT = { DEPLOY_HOOK_QUIET_MS: '50', DEPLOY_HOOK_MAX_WAIT_MS: '500', RETRY_DELAYS_MS: '20', LEASE_MS: '3000' };
let ground: TestGround;
let receiver: Receiver;
/** Reaches receivers on this machine. */
let dispatcher: RunningDispatcher;
/** With the address rules of production, but for the DNS; it has no windows that end. */
let strict: RunningDispatcher;
let projectId: string;

const ADDRESSES: Record<string, string> = { 'host.example': '93.184.216.34', 'inside.example': '10.0.0.7' };
const lookup = (name: string) => {
  const address = ADDRESSES[name];
  if (address === undefined) return Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
  return Promise.resolve([{ address, family: 4 as const }]);
};
const URL_OK = 'https://host.example/hooks/of-the-owner?key=x';

beforeAll(async () => {
  ground = await prepareTestGround();
  receiver = await startReceiver();
  dispatcher = await runDispatcher(ground, { env: SHORT });
  const urlGuard = createUrlGuard({ allowHttp: false, allowedRanges: [] }, { lookup });
  strict = await runDispatcher(ground, { env: SHORT, urlGuard });
});
beforeEach(async () => {
  receiver.clear();
  receiver.respondWith(() => ({}));
  projectId = randomUUID();
  await addProject(ground, dispatcher, projectId, owner, [editor]);
});
afterAll(async () => {
  await strict[Symbol.asyncDispose]();
  await dispatcher[Symbol.asyncDispose]();
  await receiver.close();
  await ground[Symbol.asyncDispose]();
});

const path = (rest = '') => `/projects/${projectId}/deploy-hook${rest}`;
const call = (method: string, rest = '', body?: unknown, account: string | null = owner, to = dispatcher) =>
  to.call<Record<string, unknown>>(method, path(rest), account, body);
const save = (body: object, to = dispatcher) => call('PUT', '', body, owner, to);
const errorsOf = (body: unknown) => problem.parse(body).errors ?? [];
const history = async (query = '', account = owner) => {
  const { status, body } = await call('GET', `/requests${query}`, undefined, account);
  expect(status).toBe(200);
  return pageOf(deployHookRequestLog).parse(body);
};

describe('a deploy hook', () => {
  it('is saved, shown and replaced as a whole, and its URL is never shown again', async () => {
    expect(await call('GET')).toMatchObject({ status: 404, body: { detail: 'This project has no deploy hook.' } });
    const saved = await save({ url: URL_OK }, strict);
    expect(saved.status).toBe(201);
    expect(deployHook.parse(saved.body)).toEqual(saved.body);
    expect(saved.body).toMatchObject({
      project_id: projectId,
      url: 'https://host.example/••••',
      method: 'POST',
      headers: {},
      body: null,
      active: true,
    });
    expect(await call('GET')).toMatchObject({ status: 200, body: saved.body });

    const headers = { Authorization: 'Bearer of-the-owner', 'Content-Type': 'text/plain' };
    const replaced = await save({ url: URL_OK, headers, body: 'main' }, strict);
    expect(replaced).toMatchObject({ status: 200, body: { headers, body: 'main' } });
    expect(await save({ url: URL_OK, method: 'GET', active: false }, strict)).toMatchObject({
      status: 200,
      body: { method: 'GET', headers: {}, body: null, active: false, created_at: saved.body['created_at'] },
    });
    expect(JSON.stringify([saved.body, replaced.body])).not.toContain('hooks');
  });

  it('keeps its URL when none is given', async () => {
    expect(await save({ active: true })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'url', message: 'is required' }] },
    });
    await save({ url: receiver.url });
    expect(await save({ headers: { 'X-A': 'b' } })).toMatchObject({ status: 200 });
    expect(await call('POST', '/test')).toMatchObject({ body: { succeeded: true } });
    expect(receiver.requests).toMatchObject([{ path: '/hook', headers: { 'x-a': 'b' } }]);
  });

  it('is sealed at rest: URL, headers and body', async () => {
    await save({ url: URL_OK, headers: { Authorization: 'Bearer of-the-owner' }, body: 'body-of-the-owner' }, strict);
    const rows = await ground.query('SELECT * FROM deploy_hook WHERE project_id = $1', [projectId]);
    expect(JSON.stringify(rows)).not.toMatch(/of-the-owner|host\.example/);
  });

  it('is shown to editors without header values and body', async () => {
    await save({ url: URL_OK, headers: { Authorization: 'Bearer of-the-owner' }, body: 'body-of-the-owner' }, strict);
    expect(await call('GET', '', undefined, editor)).toMatchObject({
      status: 200,
      body: { url: 'https://host.example/••••', headers: { Authorization: '••••' }, body: '••••' },
    });
  });

  it('is deleted, and can be made again', async () => {
    await save({ url: URL_OK }, strict);
    expect(await call('DELETE')).toMatchObject({ status: 204 });
    expect(await call('DELETE')).toMatchObject({ status: 404 });
    expect(await call('GET')).toMatchObject({ status: 404 });
    expect(await save({ url: URL_OK }, strict)).toMatchObject({ status: 201 });
  });

  it('is deleted with its project', async () => {
    await save({ url: URL_OK }, strict);
    await ground.append(projectDeleted(projectId, 2));
    await eventually(async () => {
      expect(await ground.query('SELECT FROM deploy_hook WHERE project_id = $1', [projectId])).toEqual([]);
    });
    expect(await save({ url: URL_OK }, strict)).toMatchObject({ status: 404 });
  });
});

describe('what is refused at save', () => {
  it.each([
    ['http', 'http://host.example/hook'],
    ['localhost', 'https://localhost/hook'],
    ['a loopback address', 'https://127.0.0.1/hook'],
    ['a loopback address in IPv6', 'https://[::1]/hook'],
    ['a loopback address in decimal', 'https://2130706433/hook'],
    ['a private address', 'https://192.168.1.1/hook'],
    ['the metadata address', 'https://169.254.169.254/latest'],
    ['a name that resolves to a private address', 'https://inside.example/hook'],
    ['a name that does not resolve', 'https://nowhere.example/hook'],
    ['user info', 'https://user:pass@host.example/'],
    ['something else', 'not a url'],
    ['the URL as it is shown', 'https://host.example/••••'],
    ['the same, encoded', 'https://host.example/%E2%80%A2%e2%80%a2%E2%80%A2%E2%80%A2'],
  ])('the URL: %s', async (_name, url) => {
    const answer = await save({ url }, strict);
    expect([answer.status, errorsOf(answer.body).map(({ field }) => field)]).toEqual([422, ['url']]);
    expect(await call('GET')).toMatchObject({ status: 404 });
  });

  it.each([
    ['headers that belong to the connection', { headers: { Host: 'x' } }, 'headers.Host'],
    ['header names that are none', { headers: { 'a b': 'x' } }, 'headers.a b'],
    ['header values that no header can carry', { headers: { 'X-A': 'a\r\nB: c' } }, 'headers.X-A'],
    ['the same in Content-Type', { headers: { 'Content-Type': 'a\r\nB: c' } }, 'headers.Content-Type'],
    ['a masked header value', { headers: { Authorization: '••••' } }, 'headers.Authorization'],
    ['a header given twice', { headers: { 'content-type': 'a', 'Content-Type': 'b' } }, 'headers.Content-Type'],
    ['a body with GET', { method: 'GET', body: 'x' }, 'body'],
    ['a body with broken characters', { body: '\ud800' }, 'body'],
    ['a body too long', { body: 'x'.repeat(16_385) }, 'body'],
    ['another method', { method: 'DELETE' }, 'method'],
    ['a URL too long', { url: `https://host.example/${'x'.repeat(2_048)}` }, 'url'],
  ])('%s', async (_name, changes, field) => {
    const answer = await save({ url: URL_OK, ...changes }, strict);
    expect([answer.status, errorsOf(answer.body).map((error) => error.field)]).toEqual([422, [field]]);
  });
});

describe('who may', () => {
  const operations: [string, string, object | undefined][] = [
    ['GET', '', undefined],
    ['GET', '/requests', undefined],
    ['PUT', '', { url: URL_OK }],
    ['DELETE', '', undefined],
    ['POST', '/test', undefined],
  ];

  it.each(operations)('%s %s: members see, owners change, others learn nothing', async (method, rest, body) => {
    await save({ url: URL_OK }, strict);
    const asked = (account: string | null) => call(method, rest, body, account, strict).then(({ status }) => status);
    expect(await asked(null)).toBe(401);
    expect(await asked(stranger)).toBe(404);
    expect(await asked(editor)).toBe(method === 'GET' ? 200 : 403);
    expect(await call('GET')).toMatchObject({ status: 200 });
  });

  it('and other methods are refused', async () => {
    const answer = await call('PATCH', '', {});
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, DELETE']);
    expect((await call('GET', '/test')).headers.get('allow')).toBe('POST');
    expect((await call('POST', '/requests')).headers.get('allow')).toBe('GET, HEAD');
    expect(await call('GET', '/nonsense')).toMatchObject({ status: 404 });
  });
});

describe('a test', () => {
  it('makes one request now, returns its outcome, and is in the history', async () => {
    receiver.respondWith(() => ({ status: 201, body: `built ✓ ${'x'.repeat(5_000)}` }));
    await save({ url: receiver.url, active: false });
    const { status, body } = await call('POST', '/test');
    expect(status).toBe(200);
    const result = deployHookTest.parse(body);
    expect(result).toMatchObject({ succeeded: true, status_code: 201, detail: null, hint: null });
    expect(result.answer).toBe(`built ✓ ${'x'.repeat(992)}`);
    expect(receiver.requests).toHaveLength(1);
    expect((await history()).items).toMatchObject([
      {
        id: result.request_id,
        kind: 'test',
        status: 'succeeded',
        status_code: 201,
        changes: { published: 0, unpublished: 0, deleted: 0 },
        blog_ids: [],
        next_attempt_at: null,
        attempts: [{ number: 1, timings: { total_ms: result.timings?.total_ms } }],
      },
    ]);
  });

  it('is not repeated when it fails, and suggests a fix', async () => {
    receiver.respondWith(() => ({ status: 405 }));
    await save({ url: receiver.url });
    expect((await call('POST', '/test')).body).toMatchObject({
      succeeded: false,
      status_code: 405,
      detail: 'The deploy hook returned 405. Any 2xx counts as success.',
      hint: 'The host does not accept this method. Try GET.',
    });
    receiver.respondWith(() => ({ disconnect: true }));
    expect((await call('POST', '/test')).body).toMatchObject({ succeeded: false, status_code: null, answer: null });
    expect(receiver.requests).toHaveLength(2);
    expect((await history()).items).toMatchObject([
      { kind: 'test', status: 'failed', reason: 'network' },
      { kind: 'test', status: 'failed', reason: 'status' },
    ]);
  });

  it('connects to public addresses alone, even if the name had another one at save', async () => {
    ADDRESSES['moving.example'] = '93.184.216.34';
    await save({ url: `https://moving.example:${receiver.port}/hook` }, strict);
    ADDRESSES['moving.example'] = '127.0.0.1';
    const { body } = await call('POST', '/test', undefined, owner, strict);
    expect(body).toMatchObject({ succeeded: false, status_code: null, answer: null });
    expect(body['detail']).toContain('is not allowed');
    expect(receiver.requests).toEqual([]);
  });

  it('is made one at a time', async () => {
    receiver.respondWith(() => ({ delayMs: 500 }));
    await save({ url: receiver.url });
    const answers = await Promise.all([call('POST', '/test'), call('POST', '/test'), call('POST', '/test')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('is made at most ten times a minute by a project, over all members', async () => {
    await save({ url: receiver.url });
    for (let made = 0; made < 10; made += 1) expect(await call('POST', '/test')).toMatchObject({ status: 200 });
    const refused = await call('POST', '/test');
    expect(refused).toMatchObject({
      status: 429,
      body: { detail: 'Limit reached: 10 deploy hook tests per minute and project.' },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(receiver.requests).toHaveLength(10);
    await ground.query(`UPDATE deploy_hook_request SET created_at = created_at - interval '1 minute'`);
    expect(await call('POST', '/test')).toMatchObject({ status: 200 });
  });

  it('of one account leaves others room: eight of its hooks are tested concurrently, over all of its projects', async () => {
    const [other, held] = [randomUUID(), Promise.withResolvers<void>()];
    receiver.respondWith(async ({ path: asked }) => {
      if (asked === '/held') await held.promise;
      return {};
    });
    const projects = Array.from({ length: 9 }, () => randomUUID());
    const test = async (id: string, account: string, url: string) => {
      await addProject(ground, dispatcher, id, account, []);
      await dispatcher.call('PUT', `/projects/${id}/deploy-hook`, account, { url });
      return () => dispatcher.call('POST', `/projects/${id}/deploy-hook/test`, account);
    };
    const tests = await Promise.all(projects.map((id) => test(id, owner, new URL('/held', receiver.url).href)));
    const ofOther = await test(randomUUID(), other, receiver.url);
    const under = tests.slice(0, 8).map((make) => make());
    await eventually(() => expect(receiver.requests).toHaveLength(8));
    expect(await tests[8]?.()).toMatchObject({ status: 429 });
    expect(await ofOther()).toMatchObject({ status: 200 });
    held.resolve();
    expect((await Promise.all(under)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it('masks the URL and the headers in the host’s response', async () => {
    receiver.respondWith(({ path: asked, headers }) => ({
      status: 404,
      body: `No hook at ${asked}, ${String(headers['x-token'])} will not help.`,
    }));
    const token = 'token-of-the-owner';
    await save({ url: `${receiver.url}/hooks/s3cret-of-the-site`, headers: { 'X-Token': token } });
    expect((await call('POST', '/test')).body['answer']).toBe('No hook at ••••, •••• will not help.');
  });

  it('without a hook is 404', async () => {
    expect(await call('POST', '/test')).toMatchObject({ status: 404 });
  });
});
