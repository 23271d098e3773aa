import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { eventually } from '@blog-content/testing';
import { testBlog } from '../../test/events.ts';
import { type IndexNowGround, openIndexNowGround } from '../../test/grounds/index-now-ground.ts';

const SITE = 'https://site.example';
const POSTS = 100;
const ROUNDS = 15;

let ground: IndexNowGround;
beforeAll(async () => {
  ground = await openIndexNowGround();
});
afterEach(() => ground.query('TRUNCATE index_now CASCADE'));
afterAll(() => ground[Symbol.asyncDispose]());

/** What was refused: `40P01` is a deadlock, `23503` a row whose project is gone. */
const refusalsOf = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work)).flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
const eventsOf = (projectId: string) =>
  Array.from({ length: POSTS }, (_, number) => testBlog(projectId).published({ revision: { slug: `post-${number}` } }));

/** Pings all that is ready, by the store alone. */
async function pingAll(): Promise<void> {
  const [claimed] = await ground.pings.claim(60_000);
  if (claimed === undefined) return;
  await ground.pings.renew([claimed.leaseToken], 60_000);
  // Not in the order in which URLs are stored.
  const addresses = (await ground.pings.ready(claimed.projectId)).toReversed();
  await ground.pings.record(claimed, { status: 'failed', addresses, statusCode: 400, detail: 'No.', afterMs: 0 });
}

describe('storing changed URLs', () => {
  it('makes no deadlock with pings and with owners who turn it off and on, and never fails', async () => {
    const projects = [await ground.addProject(SITE), await ground.addProject(SITE), await ground.addProject(SITE)];
    const keepers = Array.from({ length: 3 }, async (_, keeper) => {
      // Each stores for all projects together, in an order of its own.
      const own = keeper % 2 === 0 ? projects : projects.toReversed();
      for (let round = 0; round < ROUNDS; round += 1) {
        const events = own.flatMap(eventsOf);
        await ground.pings.keep(keeper === 0 ? events : events.toReversed());
      }
    });
    let areKeeping = true;
    const kept = Promise.allSettled(keepers).then(() => {
      areKeeping = false;
    });
    const pings = Array.from({ length: 2 }, async () => {
      while (areKeeping) await pingAll();
    });
    const owner = (async () => {
      while (areKeeping) {
        await ground.settings.turnOff(projects[1]!);
        await ground.settings.turnOn(projects[1]!);
        await ground.findKey(projects[1]!, SITE);
      }
    })();
    const others = (async () => {
      while (areKeeping) {
        await ground.settings.forgetDeleted(projects.toReversed());
        for (const projectId of projects) await ground.pings.siteRebuilds(projectId, randomUUID());
      }
    })();
    expect(await refusalsOf([...keepers, kept, ...pings, owner, others])).toEqual([]);
  });

  it('waits while the owner turns it off, and then stores nothing', async () => {
    const projectId = await ground.addProject(SITE);
    const owner = new Client({ connectionString: ground.databaseUrl });
    await owner.connect();
    try {
      await owner.query('BEGIN');
      await owner.query('SELECT FROM index_now FOR UPDATE');
      const kept = ground.pings.keep(eventsOf(projectId));
      await eventually(async () => {
        const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect(await ground.query(waiting)).not.toEqual([]);
      });
      await owner.query('UPDATE index_now SET enabled = false');
      await owner.query('COMMIT');
      await kept;
    } finally {
      await owner.end();
    }
    expect(await ground.query('SELECT FROM index_now_address')).toEqual([]);
  });
});
