import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Receiver, startReceiver } from '@blog-content/testing';
import { type DispatcherProcess, spawnDispatcher } from '../test/dispatcher-process.ts';
import { servedEvent, testBlog } from '../test/events.ts';
import { addProject, prepareTestGround, runDispatcher, type TestGround } from '../test/running-dispatcher.ts';

const LEASE_MS = 1_000;
const env = { LEASE_MS: String(LEASE_MS), RETRY_DELAYS_MS: '50' };
const owner = randomUUID();
let ground: TestGround;
let receiver: Receiver;
let projectId: string;
/** A project whose receiver has manual publishes retried. */
let optedIn: string;
const processes: DispatcherProcess[] = [];
beforeAll(async () => {
  ground = await prepareTestGround();
  receiver = await startReceiver();
});
beforeEach(async () => {
  receiver.clear();
  receiver.respondWith(() => ({}));
  projectId = randomUUID();
  await using dispatcher = await runDispatcher(ground);
  await addProject(ground, dispatcher, projectId, owner);
  await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, { url: receiver.url });
  optedIn = randomUUID();
  await addProject(ground, dispatcher, optedIn, owner);
  await dispatcher.call('POST', `/projects/${optedIn}/webhooks`, owner, { url: receiver.url, retry_manual: true });
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((dispatcher) => dispatcher.end('SIGKILL')));
});
afterAll(async () => {
  await receiver.close();
  await ground[Symbol.asyncDispose]();
});

const start = async (changes: Record<string, string> = {}): Promise<DispatcherProcess> => {
  const dispatcher = await spawnDispatcher({ ...ground.env, ...env, ...changes });
  processes.push(dispatcher);
  return dispatcher;
};
/** What comes after a process that has ended need not be one: it finds the same in the database. */
const succeed = () => runDispatcher(ground, { env });
const publish = async (trigger: 'manual' | 'autopilot' = 'manual', project = projectId) => {
  const event = testBlog(project).published({ trigger });
  await ground.append(event, servedEvent(event));
  return event;
};
const requestsOf = (blogId: string) => receiver.requests.filter((request) => request.json()['blog_id'] === blogId);

describe('a process killed during an attempt (contract §3.2)', () => {
  it('leaves a manual delivery that ends as failed: interrupted, and is never sent again, and an autopilot or opted-in manual delivery that is attempted again, with the same key', async () => {
    receiver.respondWith(() => ({ hang: true }));
    const killed = await start();
    const manual = await publish();
    const retried = [await publish('autopilot'), await publish('manual', optedIn)];
    for (const { data } of [manual, ...retried]) {
      await receiver.waitFor((request) => request.json()['blog_id'] === data.blog_id);
    }
    await killed.end('SIGKILL');

    receiver.respondWith(() => ({}));
    await using _successor = await succeed();
    expect(await ground.finished(manual.id)).toMatchObject([
      { outcome: 'failed', reason: 'interrupted', attempts: 1, status_code: null },
    ]);
    for (const { id, data } of retried) {
      expect(await ground.finished(id)).toMatchObject([{ outcome: 'succeeded', attempts: 2 }]);
      expect(ground.retriesPlanned(id)).toMatchObject([{ attempts: 1, reason: 'interrupted', status_code: null }]);
      expect(requestsOf(data.blog_id).map((request) => request.json())).toMatchObject([
        { publish_attempt: 1, idempotency_key: `${data.blog_id}:${data.publish_id}` },
        { publish_attempt: 2, idempotency_key: `${data.blog_id}:${data.publish_id}` },
      ]);
    }
    const next = await publish();
    await ground.finished(next.id);
    expect(requestsOf(manual.data.blog_id)).toHaveLength(1);
  });

  it('loses nothing and sends nothing twice, wherever it dies', async () => {
    receiver.respondWith(() => ({ delayMs: 5 + Math.random() * 20 }));
    const events = Array.from({ length: 120 }, () => testBlog(projectId).published());
    await ground.append(...events, ...events.map(servedEvent));
    for (let round = 0; round < 3; round += 1) {
      const before = receiver.requests.length;
      const killed = await start();
      // A different place in its work each time.
      await eventually(() => receiver.requests.length >= before + 1 + round * 7);
      await sleep(Math.random() * 20);
      await killed.end('SIGKILL');
    }
    await using _successor = await succeed();
    const outcomes = (await Promise.all(events.map((event) => ground.finished(event.id)))).flat();
    expect(outcomes).toHaveLength(events.length);
    for (const { blog_id, outcome, reason } of outcomes) {
      const sent = requestsOf(blog_id).length;
      if (outcome === 'succeeded') expect(sent).toBe(1);
      else expect([reason, sent <= 1]).toEqual(['interrupted', true]);
    }
    expect(outcomes.filter(({ outcome }) => outcome === 'succeeded').length).toBeGreaterThan(0);
  });
});

describe('a process told to stop', () => {
  it('lets the attempt under way end, records it, starts no other, and exits with 0', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    receiver.respondWith(async () => {
      await answered;
      return { body: { url: 'https://site.example/tea' } };
    });
    const stopped = await start({ DELIVERY_CONCURRENCY: '1', LEASE_MS: '10000' });
    const event = await publish();
    await receiver.waitFor(() => true);
    const waiting = await publish();
    const ended = stopped.end('SIGTERM');
    await eventually(() => stopped.lines.some((line) => line['event'] === 'service.stopping'));
    answer();
    expect(await ended).toBe(0);
    const rows = await ground.query(
      'SELECT lifecycle_event_id, status, live_url FROM delivery WHERE project_id = $1 AND finished_at IS NOT NULL',
      [projectId],
    );
    expect(rows).toEqual([{ lifecycle_event_id: event.id, status: 'succeeded', live_url: 'https://site.example/tea' }]);
    await using _successor = await succeed();
    expect(await ground.finished(waiting.id)).toMatchObject([{ outcome: 'succeeded' }]);
  });

  it('records attempts that outlast its deadline as interrupted, and announces the next attempt of an autopilot delivery', async () => {
    receiver.respondWith(() => ({ hang: true }));
    const stopped = await start({ SHUTDOWN_TIMEOUT_MS: '8000', LEASE_MS: '60000' });
    const [manual, autopilot] = [await publish(), await publish('autopilot')];
    for (const { data } of [manual, autopilot]) {
      await receiver.waitFor((request) => request.json()['blog_id'] === data.blog_id);
    }
    expect(await stopped.end('SIGTERM')).toBe(0);
    const rows = await ground.query('SELECT status, reason FROM delivery WHERE lifecycle_event_id = $1', [manual.id]);
    expect(rows).toEqual([{ status: 'failed', reason: 'interrupted' }]);
    const [waiting] = await ground.query<{ status: string; due_at: Date }>(
      `SELECT d.status, s.due_at FROM delivery d JOIN delivery_queue s ON s.delivery_id = d.id
       WHERE d.lifecycle_event_id = $1`,
      [autopilot.id],
    );
    expect(waiting?.status).toBe('pending');

    receiver.respondWith(() => ({}));
    await using _successor = await succeed();
    expect(await ground.finished(autopilot.id)).toMatchObject([{ outcome: 'succeeded', attempts: 2 }]);
    expect(ground.retriesPlanned(autopilot.id)).toMatchObject([
      { attempts: 1, reason: 'interrupted', next_attempt_at: waiting?.due_at.toISOString() },
    ]);
  });
});

describe('a process that loses its database connections', () => {
  it('continues with new ones', async () => {
    const dispatcher = await start();
    await ground.finished((await publish()).id);
    for (let round = 0; round < 3; round += 1) {
      await ground.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
         AND pid <> pg_backend_pid()`,
      );
      expect(await ground.finished((await publish()).id)).toMatchObject([{ outcome: 'succeeded' }]);
    }
    expect(await dispatcher.end('SIGTERM')).toBe(0);
  });
});

describe('the start', () => {
  it('logs its ports and no secret, delivers without an event log, and reports that as not ready', async () => {
    const event = testBlog(projectId).published();
    {
      await using _before = await runDispatcher(ground, { env: { SERVED_WAIT_MS: '600000' } });
      await ground.append(event);
      await eventually(async () =>
        expect(await ground.query('SELECT 1 FROM delivery WHERE lifecycle_event_id = $1', [event.id])).toHaveLength(1),
      );
    }
    await ground.query(
      `UPDATE delivery_queue SET due_at = now()
       WHERE delivery_id = (SELECT id FROM delivery WHERE lifecycle_event_id = $1)`,
      [event.id],
    );

    const { started } = await start({ EVENT_LOG_DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing' });
    expect(started).toMatchObject({ port: expect.any(Number) as number, admin_port: expect.any(Number) as number });
    const text = JSON.stringify(started);
    for (const name of ['ENCRYPTION_KEYS', 'DATABASE_URL', 'OWNER_SESSION_JWKS']) {
      expect(text).not.toContain(ground.env[name]);
    }
    await receiver.waitFor((request) => request.json()['blog_id'] === event.data.blog_id);
    const ready = await fetch(`http://127.0.0.1:${String(started['admin_port'])}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      checks: { database: { status: 'ok' }, start: { status: 'failed' } },
    });
  });
});
