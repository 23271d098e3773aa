import { randomUUID } from 'node:crypto';
import { createMetrics } from '@blog-content/service-runtime';
import { createTestDatabase, type TestDatabase } from '@blog-content/testing';
import pg from 'pg';
import { IMAGE_BASE_URL } from '../../test/running-service.ts';
import { createPublishCounters, createPublishStore } from '../blogs/publishing/publish-store.ts';
import { createScheduleStore } from '../blogs/scheduling/schedule-store.ts';
import { createContentWork } from '../content/content-work.ts';
import { openDatabase, type Database } from '../platform/database/open-database.ts';
import { usedBy } from './quota-checks-store.ts';
import { createQuotaStore } from './quota-store.ts';

let testDatabase: TestDatabase;
let database: Database;
const contentWork = createContentWork((projectId) => Promise.resolve(projectId));
beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  database = openDatabase(testDatabase.url, 5, () => undefined);
});
afterAll(async () => {
  await contentWork.close();
  await database.$disconnect();
  await testDatabase.drop();
});

const NOON = new Date('2026-06-01T12:00:00Z');
const LAST_MOMENT = new Date('2026-06-01T23:59:59.999Z');
const MIDNIGHT = new Date('2026-06-02T00:00:00Z');
const NONE = { posts: null, publishes_per_day: null, storage_bytes: null };

/** A project with a quota of one publish a day, and posts that are due at noon. */
async function prepare(posts: number) {
  const { id: projectId } = await database.project.create({ data: { id: randomUUID(), name: 'P', eventNumber: 1 } });
  await createQuotaStore(database, () => NOON).setOfProject(projectId, { ...NONE, publishes_per_day: 1 });
  const ids = Array.from({ length: posts }, () => randomUUID());
  const written = { state: 'draft', title: 'T', content: '', categories: [], tags: [], publishAt: NOON };
  await database.blog.createMany({ data: ids.map((id) => ({ id, projectId, slug: id, ...written })) });
  return { projectId, ids };
}
const counters = createPublishCounters(createMetrics('content-service'));
const fireAt = (now: Date, blogId: string) =>
  createPublishStore(database, () => now, { contentWork, imageBaseUrl: IMAGE_BASE_URL, counters }).publishScheduled(
    blogId,
  );
const dueAt = async (now: Date) =>
  [...(await createScheduleStore(database, () => now).due(now, { inAll: 100, ofAccount: 100 })).values()].flat();

describe('a schedule beyond the day’s quota', () => {
  it('waits until 00:00 UTC, then fires within the next day’s quota', async () => {
    const { projectId, ids } = await prepare(3);
    const [first = '', second = '', third = ''] = ids;
    expect(await fireAt(NOON, first)).toMatchObject({ blogId: first });
    expect(await fireAt(NOON, second)).toEqual({ heldUntil: MIDNIGHT });
    expect(await fireAt(LAST_MOMENT, third)).toEqual({ heldUntil: MIDNIGHT });
    expect(await createQuotaStore(database, () => NOON).usesOf(projectId)).toMatchObject({ held: 2 });
    expect(await dueAt(LAST_MOMENT)).toEqual([]);
    expect((await dueAt(MIDNIGHT)).toSorted()).toEqual([second, third].toSorted());
    expect(await fireAt(MIDNIGHT, second)).toMatchObject({ blogId: second });
    expect(await fireAt(MIDNIGHT, third)).toEqual({ heldUntil: new Date('2026-06-03T00:00:00Z') });
  });

  it('is tried right away when the quota is set anew', async () => {
    const { projectId, ids } = await prepare(2);
    const [first = '', second = ''] = ids;
    await fireAt(NOON, first);
    await fireAt(NOON, second);
    await createQuotaStore(database, () => LAST_MOMENT).setOfProject(projectId, { ...NONE, publishes_per_day: 2 });
    expect(await dueAt(LAST_MOMENT)).toEqual([second]);
    expect(await fireAt(LAST_MOMENT, second)).toMatchObject({ blogId: second });
  });
});

describe('counting the publishes of a day', () => {
  it('reads the day by its index, however many publishes there were before', async () => {
    const { projectId, ids } = await prepare(1);
    const others = await prepare(1);
    // The service's connections end a statement after five seconds; on a busy machine this one takes longer.
    const client = new pg.Client(testDatabase.url);
    await client.connect();
    await using _client = { [Symbol.asyncDispose]: () => client.end() };
    // 200 a day of the project and 200 of another, for a year.
    await client.query(
      `INSERT INTO publish (id, project_id, blog_id, revision, trigger, requested_at, event_number)
       SELECT gen_random_uuid(), ($1::uuid[])[1 + number % 2], ($2::uuid[])[1 + number % 2], 1, 'manual',
         $3::timestamptz - (146000 - number) * interval '216 seconds', 1
       FROM generate_series(1, 146000) AS number`,
      [[projectId, others.projectId], [ids[0], others.ids[0]], MIDNIGHT],
    );
    await client.query('VACUUM ANALYZE publish');
    const plan = await database.$queryRaw<{ 'QUERY PLAN': string }[]>`
      EXPLAIN (ANALYZE, BUFFERS OFF, COSTS OFF, TIMING OFF)
      SELECT ${usedBy('publishes_per_day', NOON)} FROM unnest(${[projectId]}::uuid[]) AS subject(id)`;
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('publish_requested_at_idx');
    expect(text).not.toContain('Seq Scan on publish');
  });
});
