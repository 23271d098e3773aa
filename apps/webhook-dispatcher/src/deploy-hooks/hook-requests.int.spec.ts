import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type ReceiverAnswer } from '@blog-content/testing';
import { createUrlGuard } from '@blog-content/url-guard';
import { prepareDeployHooks } from '../../test/deploy-hooks.ts';

const on = prepareDeployHooks();
const { start, addProject, change, latest, becomes } = on;

describe('a request to a deploy hook (contract §6.8)', () => {
  it('is a POST without a body, as Netlify, Vercel, Cloudflare Pages and Render expect', async () => {
    const projectId = await addProject();
    await change(projectId);
    start();
    expect(await becomes(projectId, 'succeeded')).toMatchObject({
      status_code: 200,
      attempts: [
        {
          number: 1,
          status_code: 200,
          reason: null,
          timings: { connected_ms: expect.any(Number) as number, total_ms: expect.any(Number) as number },
        },
      ],
    });
    expect(on.receiver.requests).toHaveLength(1);
    const [request] = on.receiver.requests;
    expect([request?.method, request?.path, request?.body.length]).toEqual(['POST', '/hook', 0]);
    expect(request?.headers).toEqual({
      host: `127.0.0.1:${on.receiver.port}`,
      'user-agent': 'BlogContentService/9.9.9',
      'content-length': '0',
      connection: 'close',
    });
  });

  it('has the owner’s headers and JSON body, as GitHub’s repository_dispatch expects', async () => {
    const projectId = await addProject({
      headers: { Authorization: 'Bearer of-the-owner', Accept: 'application/vnd.github+json' },
      body: '{"event_type":"blog – changed"}',
    });
    await change(projectId);
    start();
    const request = await on.receiver.waitFor(() => true);
    expect(request.body.toString()).toBe('{"event_type":"blog – changed"}');
    expect(request.headers).toMatchObject({
      authorization: 'Bearer of-the-owner',
      accept: 'application/vnd.github+json',
      'content-type': 'application/json',
      'user-agent': 'BlogContentService/9.9.9',
    });
  });

  it('has the names of its headers as the owner wrote them', async () => {
    await change(await addProject({ headers: { 'X-Site-KEY': 'one', AUTHORIZATION: 'Bearer of-the-owner' } }));
    start();
    const { rawHeaders } = await on.receiver.waitFor(() => true);
    expect(rawHeaders.filter((name) => /^(x-site-key|authorization)$/i.test(name))).toEqual([
      'X-Site-KEY',
      'AUTHORIZATION',
    ]);
  });

  it('has the owner’s Content-Type and User-Agent', async () => {
    const headers = { 'content-TYPE': 'application/x-www-form-urlencoded', 'User-Agent': 'mine' };
    await change(await addProject({ headers, body: 'token=x' }));
    start();
    const request = await on.receiver.waitFor(() => true);
    expect(request.headers).toMatchObject({ 'content-type': headers['content-TYPE'], 'user-agent': 'mine' });
    expect(request.rawHeaders.filter((name) => /^(content-type|user-agent)$/i.test(name))).toHaveLength(2);
  });

  it('is a GET if the owner chose that', async () => {
    const projectId = await addProject({ method: 'GET' });
    await change(projectId);
    start();
    const request = await on.receiver.waitFor(() => true);
    expect([request.method, request.body.length, request.headers['content-length']]).toEqual(['GET', 0, undefined]);
    await becomes(projectId, 'succeeded');
  });

  it.each([201, 202, 203, 204, 206, 299])('succeeds with %d', async (status) => {
    on.receiver.respondWith(() => ({ status }));
    const projectId = await addProject();
    await change(projectId);
    start();
    expect(await becomes(projectId, 'succeeded')).toMatchObject({ status_code: status });
  });

  it.each<[string, ReceiverAnswer, string]>([
    ['5xx', { status: 503 }, 'status'],
    ['no answer in time', { hang: true }, 'timeout'],
    ['a broken connection', { disconnect: true }, 'network'],
  ])('is made five times with %s, and then fails', async (_name, answer, reason) => {
    on.receiver.respondWith(() => answer);
    const projectId = await addProject();
    await change(projectId);
    // Short only where it is to be over: a busy machine takes its time with the others.
    start(reason === 'timeout' ? { timeoutMs: 150 } : {});
    const failed = await becomes(projectId, 'failed');
    expect(failed).toMatchObject({ reason, next_attempt_at: null, finished_at: expect.any(String) as string });
    expect(failed?.attempts.map((attempt) => [attempt.number, attempt.reason])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, reason]),
    );
    expect(on.receiver.requests).toHaveLength(5);
  });

  it('succeeds when a retry does', async () => {
    on.receiver.respondWith(({ index }) => ({ status: index < 2 ? 500 : 200 }));
    const projectId = await addProject();
    await change(projectId);
    start();
    const request = await becomes(projectId, 'succeeded');
    expect(request?.attempts.map(({ status_code }) => status_code)).toEqual([500, 500, 200]);
    expect(request).toMatchObject({ reason: null, detail: null });
  });

  it.each([
    [404, {}],
    [429, {}],
    [302, { location: '/elsewhere' }],
    [308, { location: 'http://127.0.0.1:1/' }],
  ])('is made once with %d, which is permanent, and follows no redirect', async (status, headers) => {
    on.receiver.respondWith(() => ({ status, headers }));
    const projectId = await addProject();
    await change(projectId);
    start();
    expect(await becomes(projectId, 'failed')).toMatchObject({ reason: 'status', status_code: status });
    expect(on.receiver.requests).toHaveLength(1);
  });

  it('succeeds by status, even with 60 kB of headers', async () => {
    on.receiver.respondWith(() => ({ status: 200, headers: { 'x-long': 'x'.repeat(61_440) } }));
    const projectId = await addProject();
    await change(projectId);
    start();
    expect(await becomes(projectId, 'succeeded')).toMatchObject({ status_code: 200 });
    expect(on.receiver.requests).toHaveLength(1);
  });

  it('does not wait for a response that never ends', async () => {
    const endless = async function* () {
      for (;;) {
        yield 'x'.repeat(16_384);
        await sleep(0);
      }
    };
    on.receiver.respondWith(() => ({ status: 200, body: endless() }));
    const projectId = await addProject();
    await change(projectId);
    start();
    expect(await becomes(projectId, 'succeeded')).toMatchObject({ status_code: 200 });
  });

  it('uses the settings that the owner has saved since', async () => {
    on.receiver.respondWith(() => ({ status: 500 }));
    const projectId = await addProject();
    await change(projectId);
    start({ policy: { delaysMs: [5_000] } });
    await eventually(async () => expect((await latest(projectId))?.attempts[0]?.ended_at).toEqual(expect.any(String)));
    on.receiver.respondWith(() => ({}));
    await on.ground.saveHook(projectId, { url: on.receiver.url.replace('/hook', '/other') });
    await becomes(projectId, 'succeeded');
    expect(on.receiver.requests.map(({ path }) => path)).toEqual(['/hook', '/other']);
  });
});

describe('no request is made', () => {
  it('to an address that is no longer allowed since the hook was saved', async () => {
    const lookup = () => Promise.resolve([{ address: '127.0.0.1', family: 4 as const }]);
    const urlGuard = createUrlGuard({ allowHttp: true, allowedRanges: [] }, { lookup });
    const projectId = await addProject({ url: `http://rebound.example:${on.receiver.port}/hook` });
    await change(projectId);
    start({ urlGuard });
    expect(await becomes(projectId, 'failed')).toMatchObject({ reason: 'address_refused', status_code: null });
    expect(on.receiver.requests).toEqual([]);
  });

  it('without a key that opens the hook', async () => {
    const projectId = await addProject();
    await on.ground.query(`UPDATE deploy_hook SET sealed_url = sealed_parts WHERE project_id = $1`, [projectId]);
    await change(projectId);
    const replica = start();
    expect(await becomes(projectId, 'failed')).toMatchObject({ reason: 'unsendable' });
    expect(on.receiver.requests).toEqual([]);
    expect(replica.lines).toContainEqual(expect.objectContaining({ level: 'error', event: 'deploy_hook.unsendable' }));
  });
});
