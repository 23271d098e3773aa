import { randomUUID } from 'node:crypto';
import { createFairQueue } from '@blog-content/concurrency';
import { createLogger, createMetrics } from '@blog-content/service-runtime';
import { createTestDatabase, eventually, type TestDatabase } from '@blog-content/testing';
import { createContentWork, type ContentWork } from '../../content/content-work.ts';
import { IMAGE_BASE_URL } from '../../../test/running-service.ts';
import { openDatabase, type Database } from '../../platform/database/open-database.ts';
import { createPublishCounters, createPublishStore } from '../publishing/publish-store.ts';
import { createScheduleRounds, type FireSchedulesDependencies } from './fire-schedules.ts';
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

const roundsAt = (seconds: number, given: Partial<FireSchedulesDependencies> = {}) => {
  const clock = () => at(seconds);
  return createScheduleRounds({
    schedules: createScheduleStore(database, clock),
    publishing: publishingAt(seconds),
    transactions: createFairQueue({ slots: 3, slotsEach: 1 }),
    clock,
    logger: silent,
    ...given,
  });
};
async function round(seconds: number): Promise<void> {
  const rounds = roundsAt(seconds);
  await rounds.fire(() => false);
  await rounds.idle();
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
    await round(0);
    expect(await isPublished(fine)).toBe(false);
    await round(1);
    expect(await isPublished(fine)).toBe(true);
  });

  it('are tried again after as long as they are late, 1 s to 5 min', async () => {
    const [blog = ''] = await due(1, at(0));
    await spoil([blog]);
    const tries: number[] = [];
    for (let second = 0; second <= 1_300; second += 1) {
      if (!(await dueAt(second)).includes(blog)) continue;
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
    const schedules = createScheduleStore(database, () => at(0));
    await schedules.set({ projectId, blogId, publishAt: at(10), setBy: randomUUID() }, () => true);
    expect(await dueAt(10)).toEqual([blogId]);
  });
});

describe('what is due', () => {
  it('is published in turns of projects: one with many due does not delay what is due later in another', async () => {
    await due(1_100, at(-60));
    const [later] = await due(1, at(-1));
    await round(0);
    expect(await isPublished(later)).toBe(true);
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

  it('does not wait for another account, whose post waits for its turn, neither in this round nor in the next', async () => {
    const large = '<p>x</p>'.repeat(2_000);
    const [waits, next] = await due(2, at(-60), { content: large });
    const [other] = await due(1, at(-1));
    const turn = Promise.withResolvers<void>();
    const publish: ContentWork['publish'] = async (...content) => {
      await turn.promise;
      return contentWork.publish(...content);
    };
    const rounds = roundsAt(0, { publishing: publishingAt(0, { publish }) });
    const first = rounds.fire(() => false);
    await eventually(async () => expect(await isPublished(other)).toBe(true));
    await first;
    const [soon] = await due(1, at(0));
    await rounds.fire(() => false);
    await eventually(async () => expect(await isPublished(soon)).toBe(true));
    expect(await isPublished(waits)).toBe(false);
    turn.resolve();
    await rounds.idle();
    expect([await isPublished(waits), await isPublished(next)]).toEqual([true, true]);
  });

  it('is not begun any more once the service stops', async () => {
    const ids = await due(3, at(-1));
    let published = 0;
    const publishing = publishingAt(0);
    const rounds = roundsAt(0, {
      publishing: {
        ...publishing,
        publishScheduled: (...given) => {
          published += 1;
          return publishing.publishScheduled(...given);
        },
      },
    });
    await rounds.fire(() => published > 0);
    await rounds.idle();
    expect(await Promise.all(ids.map(isPublished))).toEqual([true, false, false]);
  });

  it('and is given up because the service stops is due at once for the others', async () => {
    const [given = ''] = await due(1, at(-60), { content: '<p>x</p>'.repeat(2_000) });
    let isStopping = false;
    const publish: ContentWork['publish'] = () => {
      isStopping = true;
      return Promise.reject(new Error('Given up.'));
    };
    const rounds = roundsAt(0, { publishing: publishingAt(0, { publish }) });
    await rounds.fire(() => isStopping);
    await rounds.idle();
    expect([isStopping, await dueAt(0)]).toEqual([true, [given]]);
  });
});
