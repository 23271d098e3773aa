import { randomUUID } from 'node:crypto';
import { createLogger, createMetrics } from '@blog-content/service-runtime';
import { createTestDatabase, eventually, type TestDatabase } from '@blog-content/testing';
import { createContentWork, type ContentWork } from '../../content/content-work.ts';
import { IMAGE_BASE_URL } from '../../../test/running-service.ts';
import { openDatabase, type Database } from '../../platform/database/open-database.ts';
import { createDueWatch, type DueWatch } from '../../platform/workload/due-watch-store.ts';
import { createPublishCounters, createPublishStore } from '../publishing/publish-store.ts';
import { startSchedules, type FireSchedulesDependencies } from './fire-schedules.ts';
import { createScheduleStore } from './schedule-store.ts';

let testDatabase: TestDatabase;
let database: Database;
let dueWatch: DueWatch;
beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  database = openDatabase(testDatabase.url, 5, () => undefined);
  dueWatch = createDueWatch(database, () => at(3_600), 10, silent);
});
const contentWork = createContentWork((projectId) => Promise.resolve(projectId));
afterAll(async () => {
  await contentWork.close();
  await dueWatch.stop();
  await database.$disconnect();
  await testDatabase.drop();
});
beforeEach(() => database.blog.updateMany({ data: { publishAt: null } }));

const NOW = Date.parse('2026-06-01T10:00:00Z');
const at = (seconds: number) => new Date(NOW + seconds * 1_000);
const silent = { ...createLogger('content-service', 'error'), error: () => undefined };

async function newProject(): Promise<string> {
  const { id } = await database.project.create({ data: { id: randomUUID(), name: 'P', eventNumber: 1 } });
  return id;
}

/** Blogs that are due at a time, in a project of its own unless one is given. */
async function due(
  count: number,
  publishAt: Date,
  { projectId, content = '' }: { readonly projectId?: string; readonly content?: string } = {},
): Promise<string[]> {
  const inProject = projectId ?? (await newProject());
  const ids = Array.from({ length: count }, () => randomUUID());
  const written = { state: 'draft', title: 'T', content, categories: [], tags: [] };
  await database.blog.createMany({
    data: ids.map((id) => ({ id, projectId: inProject, slug: id, publishAt, ...written })),
  });
  return ids;
}

/** Takes the number of their next revision, so that no publish of them succeeds. */
const spoil = (ids: readonly string[]) =>
  database.blogRevision.createMany({
    data: ids.map((blogId) => ({ blogId, number: 1, title: '', slug: '', content: '', publishedAt: at(0) })),
  });

const counters = createPublishCounters(createMetrics('content-service'));
const publishingAt = (seconds: number, work: Pick<ContentWork, 'publish'> = contentWork) =>
  createPublishStore(database, () => at(seconds), { contentWork: work, imageBaseUrl: IMAGE_BASE_URL, counters });

const schedulesAt = (seconds: number, given: Partial<FireSchedulesDependencies> = {}) => {
  const clock = () => at(seconds);
  return startSchedules({
    schedules: createScheduleStore(database, clock),
    publishing: publishingAt(seconds),
    clock,
    logger: silent,
    dueWatch,
    stopping: new AbortController().signal,
    ...given,
  });
};
/** Tries everything that is due at that time. */
async function fireAt(seconds: number): Promise<void> {
  const runner = schedulesAt(seconds);
  await eventually(async () => expect(await dueAt(seconds)).toEqual([]));
  await runner.stop();
}
/** Those that are due, account by account. */
const dueAt = async (seconds: number): Promise<string[]> => {
  const found = await createScheduleStore(database, () => at(0)).due(at(seconds), { inAll: 1_000, ofAccount: 100 });
  return [...found.values()].flat();
};
const isPublished = async (id: string | undefined) =>
  (await database.blog.findUniqueOrThrow({ where: { id: id ?? '' } })).state === 'published';

describe('blogs that cannot be published', () => {
  it('hold up no other, not even a whole round of them', async () => {
    const projectId = await newProject();
    await spoil(await due(50, at(-60), { projectId }));
    const [fine] = await due(1, at(-1), { projectId });
    await fireAt(0);
    expect(await isPublished(fine)).toBe(true);
  });

  it('are tried again after as long as they are late, 1 s to 5 min', async () => {
    const [blog = ''] = await due(1, at(0));
    await spoil([blog]);
    const tries: number[] = [];
    for (let second = 0; second <= 1_300; second += 1) {
      if (!(await dueAt(second)).includes(blog)) continue;
      tries.push(second);
      await fireAt(second);
    }
    expect(tries).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 812, 1_112]);
    await database.blogRevision.deleteMany({ where: { blogId: blog } });
    await fireAt(1_412);
    expect(await isPublished(blog)).toBe(true);
    expect((await database.blog.findUniqueOrThrow({ where: { id: blog } })).publishRetryAt).toBeNull();
  });

  it('are tried at their new time when they are scheduled anew', async () => {
    const [blogId = ''] = await due(1, at(-3_600));
    await spoil([blogId]);
    await fireAt(0);
    const { projectId } = await database.blog.findUniqueOrThrow({ where: { id: blogId } });
    const schedules = createScheduleStore(database, () => at(0));
    await schedules.set({ projectId, blogId, publishAt: at(10), setBy: randomUUID() }, () => true);
    expect(await dueAt(10)).toEqual([blogId]);
  });
});

describe('what is due', () => {
  it('is published in turns of projects: one with many due does not delay what is due later in another', async () => {
    const many = await due(1_100, at(-60));
    const [later] = await due(1, at(-1));
    const runner = schedulesAt(0);
    await eventually(async () => expect(await isPublished(later)).toBe(true));
    await runner.stop();
    const left = await database.blog.count({ where: { id: { in: many }, state: 'draft' } });
    expect(left).toBeGreaterThan(1_000);
  });

  it('is taken in turns of accounts, however many projects one of them has, and of the projects of one account', async () => {
    const owners = [randomUUID(), randomUUID()] as const;
    await database.account.createMany({
      data: owners.map((id) => ({ id, email: `${id}@example.com`, passwordHash: '' })),
    });
    const projectOf = async (accountId: string) => {
      const projectId = await newProject();
      await database.projectMember.create({ data: { projectId, accountId, role: 'owner' } });
      return projectId;
    };
    const first = await due(5, at(-50), { projectId: await projectOf(owners[0]) });
    const second = await due(5, at(-40), { projectId: await projectOf(owners[0]) });
    const other = await due(5, at(-30), { projectId: await projectOf(owners[1]) });
    const found = await createScheduleStore(database, () => at(0)).due(at(0), { inAll: 5, ofAccount: 3 });
    expect([...found]).toEqual([
      [owners[0], [first[0], second[0], first[1]]],
      [owners[1], [other[0], other[1]]],
    ]);
  });

  it('does not wait for another account, whose post waits for its turn, neither what is due already nor what comes to be', async () => {
    const large = '<p>x</p>'.repeat(2_000);
    const [waits, next] = await due(2, at(-60), { content: large });
    const [other] = await due(1, at(-1));
    const turn = Promise.withResolvers<void>();
    const publish: ContentWork['publish'] = async (...content) => {
      await turn.promise;
      return contentWork.publish(...content);
    };
    const runner = schedulesAt(0, { publishing: publishingAt(0, { publish }) });
    await eventually(async () => expect(await isPublished(other)).toBe(true));
    const [soon] = await due(1, at(0));
    await eventually(async () => expect(await isPublished(soon)).toBe(true));
    expect(await isPublished(waits)).toBe(false);
    turn.resolve();
    await eventually(async () => expect(await isPublished(next)).toBe(true));
    await runner.stop();
    expect([await isPublished(waits), await isPublished(next)]).toEqual([true, true]);
  });

  it('is not begun any more once the service stops', async () => {
    const ids = await due(3, at(-1));
    const stopping = new AbortController();
    const publishing = publishingAt(0);
    const runner = schedulesAt(0, {
      stopping: stopping.signal,
      publishing: {
        ...publishing,
        publishScheduled(...given) {
          stopping.abort();
          return publishing.publishScheduled(...given);
        },
      },
    });
    await eventually(async () => expect(await isPublished(ids[0])).toBe(true));
    await runner.stop();
    expect(await Promise.all(ids.map(isPublished))).toEqual([true, false, false]);
  });

  it('and is given up because the service stops is due at once for the others', async () => {
    const [given = ''] = await due(1, at(-60), { content: '<p>x</p>'.repeat(2_000) });
    const stopping = new AbortController();
    const publish: ContentWork['publish'] = () => {
      stopping.abort();
      return Promise.reject(new Error('Given up.'));
    };
    const runner = schedulesAt(0, { publishing: publishingAt(0, { publish }), stopping: stopping.signal });
    await eventually(() => expect(stopping.signal.aborted).toBe(true));
    await runner.stop();
    expect(await dueAt(0)).toEqual([given]);
  });
});
