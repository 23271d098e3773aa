import { randomUUID } from 'node:crypto';
import { createLogger } from '@blog-content/service-runtime';
import { createTestDatabase, type TestDatabase } from '@blog-content/testing';
import { createContentWork } from '../../content/content-work.ts';
import { IMAGE_BASE_URL } from '../../../test/running-service.ts';
import { openDatabase, type Database } from '../../platform/database/open-database.ts';
import { createPublishStore } from '../publishing/publish-store.ts';
import { fireSchedules } from './fire-schedules.ts';
import { createScheduleStore } from './schedule-store.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  database = openDatabase(testDatabase.url, 5, () => undefined);
});
const contentWork = createContentWork((projectId) => Promise.resolve(projectId));
afterAll(async () => {
  await contentWork.close();
  await database.$disconnect();
  await testDatabase.drop();
});
beforeEach(() => database.blog.updateMany({ data: { publishAt: null } }));

const NOW = Date.parse('2026-06-01T10:00:00Z');
const at = (seconds: number) => new Date(NOW + seconds * 1_000);
const silent = { ...createLogger('content-service', 'error'), error: () => undefined };

/** Blogs that are due at a time. */
async function due(count: number, publishAt: Date): Promise<string[]> {
  const project = await database.project.create({ data: { id: randomUUID(), name: 'P', eventNumber: 1 } });
  const ids = Array.from({ length: count }, () => randomUUID());
  const written = { state: 'draft', title: 'T', content: '', categories: [], tags: [] };
  await database.blog.createMany({
    data: ids.map((id) => ({ id, projectId: project.id, slug: id, publishAt, ...written })),
  });
  return ids;
}

/** Takes the number of their next revision, so that no publish of them succeeds. */
const spoil = (ids: readonly string[]) =>
  database.blogRevision.createMany({
    data: ids.map((blogId) => ({ blogId, number: 1, title: '', slug: '', content: '', publishedAt: at(0) })),
  });

async function round(seconds: number): Promise<void> {
  const clock = () => at(seconds);
  const schedules = createScheduleStore(database);
  const publishing = createPublishStore(database, clock, contentWork, IMAGE_BASE_URL);
  await fireSchedules({ schedules, publishing, contentWork, clock, logger: silent, isStopping: () => false });
}
const isPublished = async (id: string | undefined) =>
  (await database.blog.findUniqueOrThrow({ where: { id: id ?? '' } })).state === 'published';

describe('blogs that cannot be published', () => {
  it('hold up no other, not even a whole round of them', async () => {
    await spoil(await due(100, at(-60)));
    const [fine] = await due(1, at(-1));
    await round(0);
    expect(await isPublished(fine)).toBe(false);
    await round(1);
    expect(await isPublished(fine)).toBe(true);
  });

  it('are tried again after as long as they are late, 1 s to 5 min', async () => {
    const [blog = ''] = await due(1, at(0));
    await spoil([blog]);
    const tries: number[] = [];
    const schedules = createScheduleStore(database);
    for (let second = 0; second <= 1_300; second += 1) {
      if (!(await schedules.due(at(second), 100)).includes(blog)) continue;
      tries.push(second);
      await round(second);
    }
    expect(tries).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 812, 1_112]);
    await database.blogRevision.deleteMany({ where: { blogId: blog } });
    await round(1_412);
    expect(await isPublished(blog)).toBe(true);
    expect((await database.blog.findUniqueOrThrow({ where: { id: blog } })).publishRetryAt).toBeNull();
  });

  it('are tried at their new time when they are scheduled anew', async () => {
    const [blogId = ''] = await due(1, at(-3_600));
    await spoil([blogId]);
    await round(0);
    const { projectId } = await database.blog.findUniqueOrThrow({ where: { id: blogId } });
    const schedules = createScheduleStore(database);
    await schedules.set({ projectId, blogId, publishAt: at(10), setBy: randomUUID() }, () => true);
    expect(await schedules.due(at(10), 100)).toEqual([blogId]);
  });
});
