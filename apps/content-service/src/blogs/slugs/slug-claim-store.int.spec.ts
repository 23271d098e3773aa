import { randomUUID } from 'node:crypto';
import { createTestDatabase, eventually, type TestDatabase } from '@blog-content/testing';
import { openDatabase, type Database } from '../../platform/database/open-database.ts';
import { claimFreeSlug, claimSlug, releaseSlugs } from './slug-claim-store.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase('content-service');
  database = openDatabase(testDatabase.url, 5, () => undefined);
});
afterAll(async () => {
  await database.$disconnect();
  await testDatabase.drop();
});

/** Settles once another transaction waits for a lock. */
const someoneWaits = () =>
  eventually(async () => {
    const waiting = await database.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return waiting.length > 0;
  });

const isMine = async (...claim: Parameters<typeof claimSlug>) => (await claimSlug(...claim)).isMine;

describe('claims of slugs', () => {
  it('belong to the blog that came first, which may claim them again', async () => {
    const [project, first, second] = [randomUUID(), randomUUID(), randomUUID()];
    expect(await isMine(database, project, first, 'tea')).toBe(true);
    expect(await isMine(database, project, second, 'tea')).toBe(false);
    expect(await isMine(database, project, first, 'tea')).toBe(true);
    expect(await isMine(database, randomUUID(), second, 'tea')).toBe(true);
  });

  it('are numbered on from the last one, and thousands of the same title cost no more than a few looks', async () => {
    const [project, blog] = [randomUUID(), randomUUID()];
    await database.$executeRaw`
      INSERT INTO slug_claim (project_id, slug, blog_id)
      SELECT ${project}::uuid, 'tea' || CASE WHEN n > 1 THEN '-' || n ELSE '' END, gen_random_uuid()
      FROM generate_series(1, 12345) n`;
    let looks = 0;
    const counting = database.$extends({
      query: {
        slugClaim: {
          findMany({ args, query }) {
            looks += 1;
            return query(args);
          },
        },
      },
    }) as unknown as Database;
    expect(await claimFreeSlug(counting, project, blog, 'tea')).toBe('tea-12346');
    expect(looks).toBeLessThanOrEqual(6);
    await database.slugClaim.deleteMany({ where: { projectId: project, slug: { in: ['tea-7', 'tea-99'] } } });
    expect(await claimFreeSlug(database, project, blog, 'tea')).toBe('tea-7');
    expect(await claimFreeSlug(database, project, blog, 'tea')).toBe('tea-99');
    expect(await claimFreeSlug(database, project, blog, 'tea')).toBe('tea-12347');
  });

  it('do not deadlock when a blog moves from the slug that another has just found taken to the next one', async () => {
    const [project, mover, newcomer] = [randomUUID(), randomUUID(), randomUUID()];
    await claimSlug(database, project, mover, 'tea');
    const newcomerFoundTaken = Promise.withResolvers<void>();
    const moverHasNext = Promise.withResolvers<void>();
    const moved = database.$transaction(async (tx) => {
      await claimSlug(tx, project, mover, 'tea-2');
      moverHasNext.resolve();
      await newcomerFoundTaken.promise;
      await someoneWaits();
      await releaseSlugs(tx, mover, ['tea-2']);
    });
    const claimed = database.$transaction(async (tx) => {
      await moverHasNext.promise;
      const answers = [await isMine(tx, project, newcomer, 'tea')];
      newcomerFoundTaken.resolve();
      return [...answers, await isMine(tx, project, newcomer, 'tea-2')];
    });
    expect(await Promise.allSettled([moved, claimed])).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'fulfilled', value: [false, false] },
    ]);
  });
});
