import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Receiver, type ReceiverAnswer, startReceiver } from '@blog-content/testing';
import { createUrlGuard } from '@blog-content/url-guard';
import {
  ANY_REQUEST,
  type DeployHookGround,
  type GivenHook,
  openDeployHookGround,
  type Replica,
  type ReplicaOptions,
} from '../../test/grounds/deploy-hook-ground.ts';
import { servedEvent, testBlog } from '../../test/events.ts';

let ground: DeployHookGround;
let receiver: Receiver;
const replicas: Replica[] = [];
beforeAll(async () => {
  ground = await openDeployHookGround();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all(replicas.splice(0).map((replica) => replica.stop(0)));
  await receiver.close();
  // What a test leaves open is not the next one's.
  await ground.query('TRUNCATE deploy_hook, deploy_hook_change, deploy_hook_attempt, deploy_hook_request');
});
afterAll(async () => {
  await ground[Symbol.asyncDispose]();
});

const start = (options?: ReplicaOptions) => {
  const replica = ground.start(options);
  replicas.push(replica);
  return replica;
};
const addProject = (hook: GivenHook = {}) => ground.addProject({ url: receiver.url, ...hook });
/** A publish that the public API serves, due `quietMs` later. */
const change = async (projectId: string, quietMs = 0) => {
  const event = testBlog(projectId).published();
  await ground.take(event);
  await ground.serve(event, { quietMs, maxWaitMs: 3_600_000 });
  return event;
};
const latest = async (projectId: string) => (await ground.history(projectId))[0];
const becomes = (projectId: string, status: string) =>
  eventually(async () => {
    const request = await latest(projectId);
    expect(request?.status).toBe(status);
    return request;
  });

describe('a request to a deploy hook (decisions “Deploy hook”)', () => {
  it('is a POST without a body, as Netlify, Vercel, Cloudflare Pages and Render take it', async () => {
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
    expect(receiver.requests).toHaveLength(1);
    const [request] = receiver.requests;
    expect([request?.method, request?.path, request?.body.length]).toEqual(['POST', '/hook', 0]);
    expect(request?.headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      'user-agent': 'BlogContentService/9.9.9',
      'content-length': '0',
      connection: 'close',
    });
  });

  it('has the owner’s headers and body, as JSON, as GitHub’s repository_dispatch takes it', async () => {
    const projectId = await addProject({
      headers: { Authorization: 'Bearer of-the-owner', Accept: 'application/vnd.github+json' },
      body: '{"event_type":"blog – changed"}',
    });
    await change(projectId);
    start();
    const request = await receiver.waitFor(() => true);
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
    const { rawHeaders } = await receiver.waitFor(() => true);
    expect(rawHeaders.filter((name) => /^(x-site-key|authorization)$/i.test(name))).toEqual([
      'X-Site-KEY',
      'AUTHORIZATION',
    ]);
  });

  it('has the Content-Type and the User-Agent that the owner says', async () => {
    const headers = { 'content-TYPE': 'application/x-www-form-urlencoded', 'User-Agent': 'mine' };
    await change(await addProject({ headers, body: 'token=x' }));
    start();
    const request = await receiver.waitFor(() => true);
    expect(request.headers).toMatchObject({ 'content-type': headers['content-TYPE'], 'user-agent': 'mine' });
    expect(request.rawHeaders.filter((name) => /^(content-type|user-agent)$/i.test(name))).toHaveLength(2);
  });

  it('is a GET where the owner says so', async () => {
    const projectId = await addProject({ method: 'GET' });
    await change(projectId);
    start();
    const request = await receiver.waitFor(() => true);
    expect([request.method, request.body.length, request.headers['content-length']]).toEqual(['GET', 0, undefined]);
    await becomes(projectId, 'succeeded');
  });

  it.each([201, 202, 203, 204, 206, 299])('succeeds with %d', async (status) => {
    receiver.respondWith(() => ({ status }));
    const projectId = await addProject();
    await change(projectId);
    start();
    expect(await becomes(projectId, 'succeeded')).toMatchObject({ status_code: status });
  });

  it.each<[string, ReceiverAnswer, string]>([
    ['5xx', { status: 503 }, 'status'],
    ['no answer in time', { hang: true }, 'timeout'],
    ['a broken connection', { disconnect: true }, 'network'],
  ])('is made five times with %s, and then has failed', async (_name, answer, reason) => {
    receiver.respondWith(() => answer);
    const projectId = await addProject();
    await change(projectId);
    // Short only where it is to be over: a busy machine takes its time with the others.
    start(reason === 'timeout' ? { timeoutMs: 150 } : {});
    const failed = await becomes(projectId, 'failed');
    expect(failed).toMatchObject({ reason, next_attempt_at: null, finished_at: expect.any(String) as string });
    expect(failed?.attempts.map((attempt) => [attempt.number, attempt.reason])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, reason]),
    );
    expect(receiver.requests).toHaveLength(5);
  });

  it('succeeds when a retry does', async () => {
    receiver.respondWith(({ index }) => ({ status: index < 2 ? 500 : 200 }));
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
  ])('is made once with %d: that is permanent, and no redirect is followed', async (status, headers) => {
    receiver.respondWith(() => ({ status, headers }));
    const projectId = await addProject();
    await change(projectId);
    start();
    expect(await becomes(projectId, 'failed')).toMatchObject({ reason: 'status', status_code: status });
    expect(receiver.requests).toHaveLength(1);
  });

  it('is not kept waiting by an answer that never ends', async () => {
    const endless = async function* () {
      for (;;) {
        yield 'x'.repeat(16_384);
        await sleep(0);
      }
    };
    receiver.respondWith(() => ({ status: 200, body: endless() }));
    const projectId = await addProject();
    await change(projectId);
    start();
    expect(await becomes(projectId, 'succeeded')).toMatchObject({ status_code: 200 });
  });

  it('uses what the owner has saved meanwhile', async () => {
    receiver.respondWith(() => ({ status: 500 }));
    const projectId = await addProject();
    await change(projectId);
    start({ policy: { delaysMs: [5_000] } });
    await eventually(async () => expect((await latest(projectId))?.attempts[0]?.ended_at).toEqual(expect.any(String)));
    receiver.respondWith(() => ({}));
    await ground.saveHook(projectId, { url: receiver.url.replace('/hook', '/other') });
    await becomes(projectId, 'succeeded');
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/hook', '/other']);
  });
});

describe('no request is made', () => {
  it('to an address that may not be called, though it could when the hook was saved', async () => {
    const lookup = () => Promise.resolve([{ address: '127.0.0.1', family: 4 as const }]);
    const urlGuard = createUrlGuard({ allowHttp: true, allowedRanges: [] }, { lookup });
    const projectId = await addProject({ url: `http://rebound.example:${receiver.port}/hook` });
    await change(projectId);
    start({ urlGuard });
    expect(await becomes(projectId, 'failed')).toMatchObject({ reason: 'address_refused', status_code: null });
    expect(receiver.requests).toEqual([]);
  });

  it('without a key that opens the hook', async () => {
    const projectId = await addProject();
    await ground.query(`UPDATE deploy_hook SET sealed_url = sealed_parts WHERE project_id = $1`, [projectId]);
    await change(projectId);
    const replica = start();
    expect(await becomes(projectId, 'failed')).toMatchObject({ reason: 'unsendable' });
    expect(receiver.requests).toEqual([]);
    expect(replica.lines).toContainEqual(expect.objectContaining({ level: 'error', event: 'deploy_hook.unsendable' }));
  });
});

describe('the window', () => {
  it('makes one request of several changes, whatever the number of replicas', async () => {
    const projectId = await addProject();
    const rules = { quietMs: 3_600_000, maxWaitMs: 3_600_000 };
    const [one, other] = [start(rules), start(rules)];
    for (let index = 0; index < 10; index += 1) {
      const replica = index % 2 === 0 ? one : other;
      const event = testBlog(projectId).published();
      await replica.events.keep([event]);
      await replica.events.markServed([servedEvent(event).data]);
    }
    expect(receiver.requests).toEqual([]);
    await ground.query('UPDATE deploy_hook_request SET due_at = now() WHERE project_id = $1', [projectId]);
    expect(await becomes(projectId, 'succeeded')).toMatchObject({ changes: { published: 10 } });
    await sleep(600);
    expect([receiver.requests.length, (await ground.history(projectId)).length]).toEqual([1, 1]);
  });

  it('is over after its longest time, though it never becomes quiet', async () => {
    const projectId = await addProject();
    const event = testBlog(projectId).published();
    await ground.take(event);
    await ground.serve(event, { quietMs: 3_600_000, maxWaitMs: 300 });
    start();
    await becomes(projectId, 'succeeded');
  });
});

describe('the wait for the public API', () => {
  it('holds the request back', async () => {
    const projectId = await addProject();
    start();
    const event = testBlog(projectId).published();
    await ground.take(event);
    await sleep(700);
    expect(receiver.requests).toEqual([]);
    await ground.serve(event, { quietMs: 0 });
    await becomes(projectId, 'succeeded');
  });

  it('is over after its time: the request is made, with a warning in log and history', async () => {
    const projectId = await addProject();
    await ground.take(testBlog(projectId).published(), { servedWaitMs: 50 });
    const replica = start();
    const request = await becomes(projectId, 'succeeded');
    expect(request?.warning).toContain('1 of 1 changes');
    expect(replica.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        event: 'deploy_hook.not_served',
        project_id: projectId,
        request_id: request?.id,
        changes: 1,
      }),
    );
  });
});

describe('a process that dies', () => {
  it('after the claim, before the send: another one makes the request, as the second attempt', async () => {
    const projectId = await addProject();
    await change(projectId);
    const [claimed] = await ground.requests.claim(ANY_REQUEST, 100);
    expect(receiver.requests).toEqual([]);
    start({ leaseMs: 3_000 });
    const request = await becomes(projectId, 'succeeded');
    expect(request?.attempts).toMatchObject([
      { number: 1, reason: 'interrupted', timings: null },
      { number: 2, status_code: 200, reason: null },
    ]);
    expect(receiver.requests).toHaveLength(1);
    // It comes back, and has lost its say.
    const late = { verdict: { kind: 'succeeded' }, endedAt: new Date(), statusCode: 299, timings: null } as const;
    expect(claimed && (await ground.requests.record(claimed, late))).toBeNull();
    expect(await latest(projectId)).toMatchObject({ status_code: 200 });
  });

  it('in a test: the test has failed, interrupted, and another one may be made', async () => {
    const projectId = await addProject();
    expect(await ground.requests.startTest(projectId, 50)).toMatchObject({ kind: 'started' });
    expect(await ground.requests.startTest(projectId, 50)).toEqual({ kind: 'under_way' });
    const replica = start({ leaseMs: 3_000 });
    expect(await becomes(projectId, 'failed')).toMatchObject({ kind: 'test', reason: 'interrupted' });
    expect(await replica.routes.testHook(projectId, 'an account')).toMatchObject({ succeeded: true });
    expect(receiver.requests).toHaveLength(1);
  });

  it('keeps its lease while it lives', async () => {
    receiver.respondWith(() => ({ delayMs: 7_000 }));
    const projectId = await addProject();
    await change(projectId);
    start({ leaseMs: 3_000 });
    start({ leaseMs: 3_000 });
    expect((await becomes(projectId, 'succeeded'))?.attempts).toHaveLength(1);
    expect(receiver.requests).toHaveLength(1);
  });

  it('gracefully: what is under way goes again at once', async () => {
    receiver.respondWith(({ index }) => (index === 0 ? { hang: true } : {}));
    const projectId = await addProject();
    await change(projectId);
    const dying = start();
    await receiver.waitFor(() => true);
    await dying.stop(0);
    expect(await latest(projectId)).toMatchObject({ status: 'waiting', reason: 'interrupted' });
    start();
    expect((await becomes(projectId, 'succeeded'))?.attempts).toHaveLength(2);
  });

  it('begins nothing once it is told to stop', async () => {
    const replica = start();
    replica.stopClaiming();
    const projectId = await addProject();
    await change(projectId);
    await sleep(600);
    expect([receiver.requests.length, (await latest(projectId))?.status]).toEqual([0, 'waiting']);
  });
});

describe('projects do not wait for each other', () => {
  it('a host that hangs delays its own project only', async () => {
    receiver.respondWith(({ path }) => (path === '/slow' ? { hang: true } : {}));
    const slow = await addProject({ url: receiver.url.replace('/hook', '/slow') });
    await change(slow);
    start();
    await receiver.waitFor(({ path }) => path === '/slow');
    await change(slow);
    const other = await addProject();
    await change(other);
    await becomes(other, 'succeeded');
    expect(receiver.requests.filter(({ path }) => path === '/slow')).toHaveLength(1);
    expect((await ground.history(slow)).map(({ status }) => status)).toEqual(['waiting', 'in_flight']);
  });

  it('no more requests are made at once than the setting says', async () => {
    let [atOnce, most] = [0, 0];
    receiver.respondWith(async () => {
      most = Math.max(most, (atOnce += 1));
      await sleep(30);
      atOnce -= 1;
      return {};
    });
    const projects: string[] = [];
    for (let index = 0; index < 9; index += 1) projects.push(await addProject());
    for (const projectId of projects) await change(projectId);
    start({ concurrency: 3 });
    for (const projectId of projects) await becomes(projectId, 'succeeded');
    expect(most).toBeLessThanOrEqual(3);
  });
});

describe('what remains', () => {
  it('is kept for its days, and then forgotten with its attempts', async () => {
    const projectId = await addProject();
    await change(projectId);
    start();
    await becomes(projectId, 'succeeded');
    await ground.requests.purge(30);
    expect(await ground.history(projectId)).toHaveLength(1);
    await ground.query(
      `UPDATE deploy_hook_request SET finished_at = now() - interval '31 days' WHERE project_id = $1`,
      [projectId],
    );
    await change(projectId, 3_600_000);
    // More than one batch: a purge goes on until nothing is left.
    await ground.query(
      `INSERT INTO deploy_hook_request (id, project_id, kind, status, attempts, finished_at)
       SELECT gen_random_uuid(), $1, 'test', 'succeeded', 1, now() - interval '31 days' FROM generate_series(1, 2100)`,
      [projectId],
    );
    await ground.requests.purge(30);
    expect(await ground.history(projectId)).toMatchObject([{ status: 'waiting' }]);
    expect(await ground.query('SELECT FROM deploy_hook_attempt')).toEqual([]);
    expect(await ground.query('SELECT FROM deploy_hook_change')).toHaveLength(1);
  });

  it('is one line in the log for each attempt, with nothing of the URL, the headers or the body', async () => {
    receiver.respondWith(({ index }) => ({ status: index === 0 ? 500 : 200, body: 'answer-of-the-host' }));
    const projectId = await addProject({
      url: receiver.url.replace('/hook', '/hook-of-the-owner?key=of-the-owner'),
      headers: { 'X-Key': 'header-of-the-owner' },
      body: 'body-of-the-owner',
    });
    await change(projectId);
    const replica = start();
    await becomes(projectId, 'succeeded');
    await eventually(() =>
      expect(replica.lines.filter(({ event }) => event === 'deploy_hook.attempted')).toHaveLength(2),
    );
    expect(replica.lines.filter(({ event }) => event === 'deploy_hook.attempted')).toMatchObject([
      {
        project_id: projectId,
        kind: 'changes',
        changes: 1,
        attempt: 1,
        outcome: 'retry',
        reason: 'status',
        status_code: 500,
      },
      { project_id: projectId, attempt: 2, outcome: 'succeeded', status_code: 200, status: 'succeeded' },
    ]);
    expect(JSON.stringify(replica.lines)).not.toMatch(/of-the-owner|of-the-host|127\.0\.0\.1/);
    const rows = await ground.query('SELECT * FROM deploy_hook, deploy_hook_attempt');
    expect(JSON.stringify(rows)).not.toMatch(/of-the-owner|of-the-host|127\.0\.0\.1/);
  });

  it('is counted', async () => {
    const projectId = await addProject();
    await change(projectId);
    await ground.take(testBlog(projectId).published());
    const replica = start();
    await becomes(projectId, 'succeeded');
    await change(projectId, 3_600_000);
    await eventually(async () => {
      const metrics = await replica.metrics();
      expect(metrics).toMatch(
        /^deploy_hook_attempts_total\{.*kind="changes",verdict="succeeded",reason="none".*\} 1$/m,
      );
      expect(metrics).toMatch(/^deploy_hook_requests_waiting\{.*\} 1$/m);
      expect(metrics).toMatch(/^deploy_hook_oldest_due_seconds\{.*\} 0$/m);
      expect(metrics).toMatch(/^deploy_hook_changes_unserved\{.*\} 1$/m);
    });
  });
});
