import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@blog-content/testing';
import { servedEvent, testBlog } from '../../test/events.ts';
import { ANY_REQUEST } from '../../test/grounds/deploy-hook-ground.ts';
import { prepareDeployHooks } from '../../test/deploy-hooks.ts';

const on = prepareDeployHooks();
const { start, addProject, change, latest, becomes } = on;

describe('the window', () => {
  it('makes one request for several changes with any number of replicas', async () => {
    const projectId = await addProject();
    const rules = { quietMs: 3_600_000, maxWaitMs: 3_600_000 };
    const [one, other] = [start(rules), start(rules)];
    for (let index = 0; index < 10; index += 1) {
      const replica = index % 2 === 0 ? one : other;
      const event = testBlog(projectId).published();
      await replica.plan([event], []);
      await replica.markServed?.([servedEvent(event).data]);
    }
    expect(on.receiver.requests).toEqual([]);
    await on.ground.query('UPDATE deploy_hook_request SET due_at = now() WHERE project_id = $1', [projectId]);
    expect(await becomes(projectId, 'succeeded')).toMatchObject({ changes: { published: 10 } });
    await sleep(600);
    expect([on.receiver.requests.length, (await on.ground.history(projectId)).length]).toEqual([1, 1]);
  });

  it('ends after its maximum, even if it never becomes quiet', async () => {
    const projectId = await addProject();
    const event = testBlog(projectId).published();
    await on.ground.take(event);
    await on.ground.serve(event, { quietMs: 3_600_000, maxWaitMs: 300 });
    start();
    await becomes(projectId, 'succeeded');
  });
});

describe('the wait for the public API', () => {
  it('ends after its time while no slot is free', async () => {
    const projectId = await addProject();
    await on.ground.take(testBlog(projectId).published(), { servedWaitMs: 50 });
    start({ concurrency: 0, perAccount: 0 });
    expect(await becomes(projectId, 'waiting')).toMatchObject({ changes: { published: 1 }, attempts: [] });
  });

  it('holds the request back', async () => {
    const projectId = await addProject();
    start();
    const event = testBlog(projectId).published();
    await on.ground.take(event);
    await sleep(700);
    expect(on.receiver.requests).toEqual([]);
    await on.ground.serve(event, { quietMs: 0 });
    await becomes(projectId, 'succeeded');
  });

  it('times out: the request is made, with a warning in log and history', async () => {
    const projectId = await addProject();
    await on.ground.take(testBlog(projectId).published(), { servedWaitMs: 50 });
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
  it('after the claim, before the send: another process makes the request, as the second attempt', async () => {
    const projectId = await addProject();
    await change(projectId);
    const [claimed] = await on.ground.requests.claim(ANY_REQUEST, 100);
    expect(on.receiver.requests).toEqual([]);
    start({ leaseMs: 3_000 });
    const request = await becomes(projectId, 'succeeded');
    expect(request?.attempts).toMatchObject([
      { number: 1, reason: 'interrupted', timings: null },
      { number: 2, status_code: 200, reason: null },
    ]);
    expect(on.receiver.requests).toHaveLength(1);
    // It comes back, and has lost its say.
    const late = { verdict: { kind: 'succeeded' }, endedAt: new Date(), statusCode: 299, timings: null } as const;
    expect(claimed && (await on.ground.requests.record(claimed, late))).toBeNull();
    expect(await latest(projectId)).toMatchObject({ status_code: 200 });
  });

  it('in a test: the test has failed, interrupted, and another one may be made', async () => {
    const projectId = await addProject();
    expect(await on.ground.requests.startTest(projectId, 50)).toMatchObject({ kind: 'started' });
    expect(await on.ground.requests.startTest(projectId, 50)).toEqual({ kind: 'under_way' });
    const replica = start({ leaseMs: 3_000 });
    expect(await becomes(projectId, 'failed')).toMatchObject({ kind: 'test', reason: 'interrupted' });
    expect(await replica.routes.testHook(projectId)).toMatchObject({ succeeded: true });
    expect(on.receiver.requests).toHaveLength(1);
  });

  it('keeps its lease while it lives', async () => {
    on.receiver.respondWith(() => ({ delayMs: 7_000 }));
    const projectId = await addProject();
    await change(projectId);
    start({ leaseMs: 3_000 });
    start({ leaseMs: 3_000 });
    expect((await becomes(projectId, 'succeeded'))?.attempts).toHaveLength(1);
    expect(on.receiver.requests).toHaveLength(1);
  });

  it('gracefully: the request under way is repeated immediately', async () => {
    on.receiver.respondWith(({ index }) => (index === 0 ? { hang: true } : {}));
    const projectId = await addProject();
    await change(projectId);
    const dying = start();
    await on.receiver.waitFor(() => true);
    await dying.stop(0);
    expect(await latest(projectId)).toMatchObject({ status: 'waiting', reason: 'interrupted' });
    start();
    expect((await becomes(projectId, 'succeeded'))?.attempts).toHaveLength(2);
  });

  it('starts nothing once it is told to stop', async () => {
    const replica = start();
    replica.stopClaiming();
    const projectId = await addProject();
    await change(projectId);
    await sleep(600);
    expect([on.receiver.requests.length, (await latest(projectId))?.status]).toEqual([0, 'waiting']);
  });
});

describe('projects do not wait for each other', () => {
  it('a host that hangs delays its own project only', async () => {
    on.receiver.respondWith(({ path }) => (path === '/slow' ? { hang: true } : {}));
    const slow = await addProject({ url: on.receiver.url.replace('/hook', '/slow') });
    await change(slow);
    start();
    await on.receiver.waitFor(({ path }) => path === '/slow');
    await change(slow);
    const other = await addProject();
    await change(other);
    await becomes(other, 'succeeded');
    expect(on.receiver.requests.filter(({ path }) => path === '/slow')).toHaveLength(1);
    expect((await on.ground.history(slow)).map(({ status }) => status)).toEqual(['waiting', 'in_flight']);
  });

  it('no more requests run concurrently than the setting allows', async () => {
    let [atOnce, most] = [0, 0];
    on.receiver.respondWith(async () => {
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

describe('the history', () => {
  it('is kept for its days, and then forgotten with its attempts', async () => {
    const projectId = await addProject();
    await change(projectId);
    start();
    await becomes(projectId, 'succeeded');
    await on.ground.requests.purge(30);
    expect(await on.ground.history(projectId)).toHaveLength(1);
    await on.ground.query(
      `UPDATE deploy_hook_request SET finished_at = now() - interval '31 days' WHERE project_id = $1`,
      [projectId],
    );
    await change(projectId, 3_600_000);
    // More than one batch: a purge goes on until nothing is left.
    await on.ground.query(
      `INSERT INTO deploy_hook_request (id, project_id, kind, status, attempts, finished_at)
       SELECT gen_random_uuid(), $1, 'test', 'succeeded', 1, now() - interval '31 days' FROM generate_series(1, 2100)`,
      [projectId],
    );
    await on.ground.requests.purge(30);
    expect(await on.ground.history(projectId)).toMatchObject([{ status: 'waiting' }]);
    expect(await on.ground.query('SELECT FROM deploy_hook_attempt')).toEqual([]);
    expect(await on.ground.query('SELECT FROM deploy_hook_change')).toHaveLength(1);
  });

  it('has one log line per attempt, without the URL, the headers or the body', async () => {
    on.receiver.respondWith(({ index }) => ({ status: index === 0 ? 500 : 200, body: 'answer-of-the-host' }));
    const projectId = await addProject({
      url: on.receiver.url.replace('/hook', '/hook-of-the-owner?key=of-the-owner'),
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
    const rows = await on.ground.query('SELECT * FROM deploy_hook, deploy_hook_attempt');
    expect(JSON.stringify(rows)).not.toMatch(/of-the-owner|of-the-host|127\.0\.0\.1/);
  });

  it('is counted', async () => {
    const projectId = await addProject();
    await change(projectId);
    await on.ground.take(testBlog(projectId).published());
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
