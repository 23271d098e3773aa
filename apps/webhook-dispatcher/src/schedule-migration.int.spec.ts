import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrateDatabase } from '@blog-content/database-migrations';
import { createEmptyDatabase } from '@blog-content/testing';
import { Client } from 'pg';
import { attemptsOn, FAILED, SUCCEEDED } from '../test/attempts.ts';
import { servedEvent, testBlog } from '../test/events.ts';
import { openTestSchedule, type TestSchedule } from '../test/schedule.ts';
import type { StoredExchange } from './delivery/exchange.ts';
import { createTestRequestStore } from './test-requests/test-request-store.ts';
import { openDatabase } from './open-database.ts';

const PRISMA_FOLDER = fileURLToPath(new URL('../prisma', import.meta.url));
const MIGRATION = '20261121150000_schedule';
const EXCHANGE: StoredExchange = {
  request: { headers: [['x-a', 'b "c" \n']], custom: null, body: null, bytes: 3 },
  answer: { headers: [], start: 'später 😀', isWhole: true },
  timings: { dns: null, connect: 1, tls: null, firstByte: 2.5, total: 3 },
};
const BEGAN = new Date('2026-11-20T09:00:00.123Z');
const ENDED = new Date('2026-11-20T09:00:01.456Z');

const projectId = randomUUID();
const integrationId = randomUUID();
const blogs = {
  waiting: testBlog(projectId),
  unserved: testBlog(projectId),
  retried: testBlog(projectId),
  flying: testBlog(projectId),
  held: testBlog(projectId),
  failed: testBlog(projectId),
  succeeded: testBlog(projectId),
  superseded: testBlog(projectId),
  redelivered: testBlog(projectId),
};
type Name = keyof typeof blogs;
const names = Object.keys(blogs) as Name[];
const events = new Map(
  names.map((name) => [name, blogs[name].published({ trigger: 'autopilot', revision: { title: `${name} "é"` } })]),
);
const eventOf = (name: Name) => {
  const event = events.get(name);
  if (event === undefined) throw new Error(`no event of ${name}`);
  return event;
};
const ids = Object.fromEntries([...names, 'test'].map((name) => [name, randomUUID()])) as Record<Name | 'test', string>;
const tokens = { flying: randomUUID(), held: randomUUID() };

/** What the release before has written, in its tables. */
async function writeAsBefore(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `INSERT INTO integration (id, project_id, name, url, active, created_at)
     VALUES ($1, $2, '', 'https://receiver.example:8443/hook', true, '2026-11-01T00:00:00Z')`,
    [integrationId, projectId],
  );
  for (const name of names) {
    const { id, time, data } = eventOf(name);
    await client.query(
      `INSERT INTO lifecycle_event (id, project_id, blog_id, blog_event_number, time, data, newest) VALUES ($1, $2, $3, 1, $4, $5, true)`,
      [id, projectId, data.blog_id, time, JSON.stringify(data)],
    );
  }
  const insert = (name: Name, columns: Readonly<Record<string, unknown>>) => {
    const { id: lifecycleEventId, data } = eventOf(name);
    const row = {
      ...{ id: ids[name], lifecycle_event_id: lifecycleEventId, integration_id: integrationId, project_id: projectId },
      ...{ blog_id: data.blog_id, blog_event_number: 1, publish_id: data.publish_id, trigger: 'autopilot' },
      ...{
        event: 'blog.published',
        status: 'pending',
        due_at: '2026-11-20T08:59:59Z',
        created_at: '2026-11-20T08:59:00Z',
      },
      ...columns,
    };
    return insertRow(client, 'delivery', row);
  };
  const attempt = (name: Name | 'test', number: number, ended: object = {}) =>
    insertRow(client, 'delivery_attempt', { delivery_id: ids[name], number, started_at: BEGAN, ...ended });
  const endedAs = (reason: string | null) => ({
    ended_at: ENDED,
    status_code: 503,
    reason,
    detail: reason,
    exchange: EXCHANGE,
  });
  const finished = (status: string) => ({ status, attempts: 1, finished_at: ENDED });

  await insert('waiting', {});
  await insert('unserved', { due_at: new Date(Date.now() + 600_000) });
  await insert('retried', { attempts: 1, reason: 'status', due_at: new Date(Date.now() + 600_000) });
  await attempt('retried', 1, endedAs('status'));
  await insert('flying', { status: 'in_flight', attempts: 2, lease_token: tokens.flying, lease_until: BEGAN });
  await attempt('flying', 1, endedAs('status'));
  await attempt('flying', 2);
  await insert('held', {
    ...{ status: 'in_flight', attempts: 1, lease_token: tokens.held },
    lease_until: new Date(Date.now() + 600_000),
  });
  await attempt('held', 1);
  await insert('failed', { ...finished('failed'), reason: 'status' });
  await attempt('failed', 1, endedAs('status'));
  await insert('succeeded', finished('succeeded'));
  await attempt('succeeded', 1, endedAs(null));
  await insert('superseded', finished('superseded'));
  await insert('redelivered', { kind: 'redelivery', trigger: 'manual' });
  await insertRow(client, 'delivery', {
    ...{ id: ids.test, kind: 'test', integration_id: integrationId, project_id: projectId, trigger: 'manual' },
    ...{ event: 'test.ping', status: 'in_flight', attempts: 1, due_at: BEGAN, created_at: BEGAN },
  });
  await attempt('test', 1);
  await client.end();
}

async function insertRow(client: Client, table: string, row: Readonly<Record<string, unknown>>): Promise<void> {
  const places = Object.keys(row).map((_, index) => `$${index + 1}`);
  await client.query(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  );
}

/** A folder with the migrations that came before. */
async function folderBefore(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-migrations-'));
  await cp(PRISMA_FOLDER, folder, {
    recursive: true,
    filter: (path) => basename(dirname(path)) !== 'migrations' || basename(path) < MIGRATION,
  });
  return folder;
}

describe('a database of the release before, once it is migrated', () => {
  let schedule: TestSchedule;
  const { claim, record, leases, takeOver, expireLeases, plan } = attemptsOn(() => schedule);
  const shown = async (id: string) => (await schedule.log.find(projectId, id))?.delivery;

  beforeEach(async () => {
    const empty = await createEmptyDatabase();
    const before = await folderBefore();
    const { applied } = await migrateDatabase({ databaseUrl: empty.url, prismaFolder: before });
    expect(applied.at(-1)).toBe('20261121121000_deploy_hooks');
    await rm(before, { recursive: true });
    await writeAsBefore(empty.url);
    const after = await migrateDatabase({ databaseUrl: empty.url, prismaFolder: PRISMA_FOLDER });
    expect(after.applied[0]).toBe(MIGRATION);
    schedule = await openTestSchedule(empty);
  });
  afterEach(() => schedule[Symbol.asyncDispose]());

  it('delivers what was due, with its event, and a redelivery', async () => {
    const claimed = await claim();
    expect(claimed.map(({ id }) => id).toSorted()).toEqual([ids.waiting, ids.redelivered].toSorted());
    for (const { id, lifecycleEvent } of claimed) {
      expect(lifecycleEvent).toEqual(eventOf(id === ids.waiting ? 'waiting' : 'redelivered').data);
      expect((await shown(id))?.attempts).toMatchObject([{ number: 1, ended_at: null }]);
    }
    await Promise.all(claimed.map((delivery) => record(delivery, SUCCEEDED)));
    expect(await claim()).toEqual([]);
  });

  it('still waits for the read service’s word, and for the times of retries', async () => {
    expect(await schedule.deliveries.measure()).toMatchObject({ due: 2, retries: 1, unserved: 1 });
    await schedule.plans.markServed([servedEvent(eventOf('unserved')).data, servedEvent(eventOf('retried')).data]);
    const claimed = await claim();
    expect(claimed.map(({ id }) => id).toSorted()).toEqual([ids.waiting, ids.unserved, ids.redelivered].toSorted());
    expect((await shown(ids.retried))?.status).toBe('pending');
  });

  it('counts on at a retry, and supersedes it where there is newer news', async () => {
    await schedule.query('UPDATE schedule SET due_at = now() WHERE delivery_id = $1', [ids.retried]);
    const [retry] = (await claim()).filter(({ id }) => id === ids.retried);
    expect(retry?.attempt).toBe(2);
    if (retry !== undefined) await schedule.deliveries.release(retry);
    await plan(blogs.retried.published());
    expect((await shown(ids.retried))?.status).toBe('superseded');
  });

  it('keeps leases: what a process holds is left to it, and what a dead one held is taken over, with its beginning', async () => {
    expect((await leases()).map(({ token, began_at, delivery_ids }) => ({ token, began_at, delivery_ids }))).toEqual(
      expect.arrayContaining([
        { token: tokens.flying, began_at: BEGAN, delivery_ids: [ids.flying] },
        { token: tokens.held, began_at: BEGAN, delivery_ids: [ids.held] },
      ]),
    );
    expect(await leases()).toHaveLength(2);
    const running = { number: 2, started_at: BEGAN.toISOString(), ended_at: null, reason: null };
    expect((await shown(ids.flying))?.attempts).toMatchObject([{ number: 1, reason: 'status' }, running]);
    expect((await shown(ids.held))?.attempts).toMatchObject([{ ...running, number: 1 }]);

    const taken = await takeOver();
    expect(taken).toMatchObject([{ id: ids.flying, attempt: 2, beganAt: BEGAN }]);
    const [any] = await claim();
    if (any === undefined) throw new Error('nothing was claimed');
    expect(await record({ ...any, ...taken[0] }, FAILED)).toBe(true);
    expect((await shown(ids.flying))?.attempts).toMatchObject([
      { number: 1, reason: 'status' },
      { number: 2, started_at: BEGAN.toISOString(), reason: 'status', detail: FAILED.detail },
    ]);
    expect((await schedule.deliveries.renew([tokens.held, tokens.flying], 10_000)).has(tokens.held)).toBe(true);
    await expireLeases();
    expect((await takeOver()).map(({ id }) => id)).toContain(ids.held);
  });

  it('finds what failed by when, once, and nothing else', async () => {
    expect(await schedule.query('SELECT delivery_id, integration_id, failed_at FROM failed_delivery')).toEqual([
      { delivery_id: ids.failed, integration_id: integrationId, failed_at: ENDED },
    ]);
    const later = new Date(ENDED.getTime() + 1);
    expect((await schedule.redeliveries.redeliverFailed(projectId, integrationId, later)).created).toEqual([]);
    const { created, refused } = await schedule.redeliveries.redeliverFailed(projectId, integrationId, ENDED);
    expect(created.map(({ blogId }) => blogId)).toEqual([blogs.failed.id]);
    expect(refused).toEqual([]);
  });

  it('has one redelivery of a blog at a time, as before', async () => {
    expect(await schedule.redeliveries.redeliver(projectId, ids.redelivered)).toEqual({
      kind: 'refused',
      reason: 'not_ended',
    });
  });

  it('shows what has ended as it was, with what was sent and answered', async () => {
    for (const [name, status] of [
      ['failed', 'failed'],
      ['succeeded', 'succeeded'],
      ['superseded', 'superseded'],
    ] as const) {
      expect(await shown(ids[name])).toMatchObject({ status, finished_at: ENDED.toISOString() });
    }
    const found = await schedule.log.find(projectId, ids.failed);
    expect(found?.delivery.attempts).toMatchObject([
      { number: 1, started_at: BEGAN.toISOString(), ended_at: ENDED.toISOString(), status_code: 503, reason: 'status' },
    ]);
    expect(found?.exchanges).toEqual(new Map([[1, EXCHANGE]]));
  });

  it('ends a test whose process died', async () => {
    expect(await shown(ids.test)).toMatchObject({ status: 'in_flight', attempts: [{ number: 1, ended_at: null }] });
    const database = openDatabase(schedule.databaseUrl, 1, () => undefined);
    expect(await createTestRequestStore(database, 1_000).endAbandoned()).toBe(1);
    await database.$disconnect();
    expect(await shown(ids.test)).toMatchObject({ status: 'failed', attempts: [{ reason: 'interrupted' }] });
  });

  it('plans the next events of its blogs behind what waits', async () => {
    const next = blogs.waiting.unpublished();
    await plan(next);
    const first = (await claim()).filter(({ blogId }) => blogId === blogs.waiting.id);
    expect(first.map(({ id }) => id)).toEqual([ids.waiting]);
    for (const claimed of first) await record(claimed, SUCCEEDED);
    expect((await claim()).map(({ lifecycleEventId }) => lifecycleEventId)).toEqual([next.id]);
  });
});
