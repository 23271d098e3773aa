import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@blog-content/testing';
import { openDatabase, type Database } from '../../platform/database/open-database.ts';
import { createScheduleStore } from './schedule-store.ts';

const NOW = new Date('2026-06-01T10:00:00Z');
const PROJECTS = 5;
const MANY = 2_000;

let testDatabase: TestDatabase;
let database: Database;
const projectIds: string[] = [];
beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  // One connection, whose counts of what it has read are all that there are.
  database = openDatabase(testDatabase.url, 1, () => undefined);
  for (let number = 0; number < PROJECTS; number += 1) {
    const { id } = await database.project.create({ data: { id: randomUUID(), name: 'P', eventNumber: 1 } });
    projectIds.push(id);
  }
});
afterAll(async () => {
  await database.$disconnect();
  await testDatabase.drop();
});
beforeEach(async () => {
  await database.$executeRaw`TRUNCATE blog CASCADE`;
  for (const projectId of projectIds) await schedule(projectId, 3, -60);
});

/** Schedules blogs of a project, whose time is so many seconds from now, and that of the next try so many. */
const schedule = (projectId: string, count: number, publishAtS: number, retryAtS: number | null = null) =>
  database.$executeRaw`
    INSERT INTO blog (id, project_id, state, title, slug, content, categories, tags, publish_at, publish_retry_at)
    SELECT gen_random_uuid(), ${projectId}::uuid, 'draft', 'T', gen_random_uuid(), '', '{}', '{}',
      ${NOW}::timestamptz + make_interval(secs => ${publishAtS}),
      ${NOW}::timestamptz + make_interval(secs => ${retryAtS})
    FROM generate_series(1, ${count}::integer)`;

/** Rows and entries of indexes that a look for what is due reads. */
async function readByLook(): Promise<number> {
  await database.$executeRaw`VACUUM ANALYZE blog`;
  const before = await read();
  const due = await createScheduleStore(database, () => NOW).due(NOW, { inAll: 1_000, ofAccount: 50 });
  expect([...due.values()].flat()).toHaveLength(3 * PROJECTS);
  return (await read()) - before;
}

async function read(): Promise<number> {
  await database.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const [row] = await database.$queryRaw<{ read: number }[]>`
    SELECT (seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'blog'))::integer AS read
    FROM pg_stat_user_tables WHERE relname = 'blog'`;
  return row?.read ?? Number.NaN;
}

describe('a look for schedules that are due', () => {
  it.each([
    ['are to be tried again later', -60, 300],
    ['are set for later', 3_600, null],
  ])('reads none of the thousands that %s', async (_which, publishAtS, retryAtS) => {
    const alone = await readByLook();
    for (const projectId of projectIds) await schedule(projectId, MANY, publishAtS, retryAtS);
    // One for each project, where its due ones end.
    expect(await readByLook()).toBeLessThanOrEqual(alone + 2 * PROJECTS);
  });

  it('reads of a project with thousands that are due no more than its account may have', async () => {
    const alone = await readByLook();
    for (const projectId of projectIds) await schedule(projectId, MANY, -30);
    const before = await read();
    await createScheduleStore(database, () => NOW).due(NOW, { inAll: 1_000, ofAccount: 50 });
    expect((await read()) - before).toBeLessThanOrEqual(alone + 2 * 50 * PROJECTS);
  });
});
