import { Client } from 'pg';
import { eventually } from '@blog-content/testing';
import { testBlog } from '../../test/events.ts';
import { type IndexNowGround, openIndexNowGround } from '../../test/grounds/index-now-ground.ts';
import type { ClaimedTurn } from './turn-store.ts';

const SITE = 'https://site.example';
const POSTS = 100;
const ROUNDS = 15;

let ground: IndexNowGround;
beforeAll(async () => {
  ground = await openIndexNowGround();
});
afterEach(() => ground.query('TRUNCATE index_now CASCADE'));
afterAll(() => ground[Symbol.asyncDispose]());

/** What was refused meanwhile: `40P01` is a deadlock, `23503` a row whose project is gone. */
const refusalsOf = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work)).flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
const claimAll = (): Promise<ClaimedTurn[]> =>
  ground.turns.claim({ inAll: 100, perTenant: 100, tenants: new Map() }, 60_000);
const blogsOf = (projectId: string) => Array.from({ length: POSTS }, () => testBlog(projectId));
const eventsOf = (blogs: ReturnType<typeof blogsOf>) =>
  blogs.map((blog, number) => blog.published({ revision: { slug: `post-${number}` } }));

/** A turn that shows and pings all there is, by the stores alone. */
async function haveTurn(claimed: ClaimedTurn): Promise<void> {
  const turn = { ...claimed, siteUrl: SITE };
  await ground.turns.beginAt(turn);
  await ground.turns.recordKey(turn, null, 0);
  // Not in the order in which addresses are kept.
  const due = (await ground.turns.toLookAt(turn.projectId, POSTS)).toReversed();
  const looked = due.map((address, number) => ({
    ...address,
    url: SITE,
    verdict: number % 3 === 0 ? ({ kind: 'given_up', detail: 'No.' } as const) : ({ kind: 'shown' } as const),
  }));
  await ground.turns.recordLooks(turn, looked, 0);
  const addresses = (await ground.turns.beginPing(turn, 1_000)).map((address) => ({ ...address, url: SITE }));
  await ground.turns.recordPing(turn, {
    outcome: 'failed',
    addresses: addresses.toReversed(),
    statusCode: 400,
    detail: 'No.',
    afterMs: 0,
  });
  await ground.turns.release(turn);
}

async function openClient(): Promise<Client> {
  const client = new Client({ connectionString: ground.databaseUrl });
  await client.connect();
  return client;
}
const untilSomeoneWaits = () =>
  eventually(async () => {
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    expect(await ground.query(waiting)).not.toEqual([]);
  });

describe('keeping addresses', () => {
  it('beside turns, and beside owners who turn it off and on, makes no deadlock and is never refused', async () => {
    const projects = [await ground.addProject(SITE), await ground.addProject(SITE), await ground.addProject(SITE)];
    const keepers = Array.from({ length: 3 }, async (_, keeper) => {
      // Each keeps for all projects at once, in an order of its own.
      const own = keeper % 2 === 0 ? projects : projects.toReversed();
      for (let round = 0; round < ROUNDS; round += 1) {
        const events = own.flatMap((projectId) => eventsOf(blogsOf(projectId)));
        await ground.addresses.keep(keeper === 0 ? events : events.toReversed());
      }
    });
    let areKeeping = true;
    const kept = Promise.allSettled(keepers).then(() => {
      areKeeping = false;
    });
    const turns = Array.from({ length: 2 }, async () => {
      while (areKeeping) await Promise.all((await claimAll()).map(haveTurn));
    });
    const owner = (async () => {
      while (areKeeping) {
        await ground.settings.turnOff(projects[1]!);
        await ground.settings.turnOn(projects[1]!);
      }
    })();
    const sweeper = (async () => {
      while (areKeeping) {
        await ground.settings.forgetDeleted(projects.toReversed());
        await ground.settings.sweep();
      }
    })();
    expect(await refusalsOf([...keepers, kept, ...turns, owner, sweeper])).toEqual([]);
  });

  it('goes on beside a turn that stands still in the middle of what it records', async () => {
    const projectId = await ground.addProject(SITE);
    await ground.addresses.keep(eventsOf(blogsOf(projectId)));
    const paused = await openClient();
    try {
      await paused.query('BEGIN');
      await paused.query(`UPDATE index_now SET lease_token = gen_random_uuid(), lease_until = now()`);
      await ground.addresses.keep([testBlog(projectId).published({ revision: { slug: 'tea' } })]);
      expect((await ground.find(projectId)).waiting).toBe(POSTS + 1);
    } finally {
      await paused.query('ROLLBACK');
      await paused.end();
    }
  });

  it('locks no project while it waits for an address of another one', async () => {
    const [busy = '', free = ''] = [await ground.addProject(SITE), await ground.addProject(SITE)].sort();
    await ground.addresses.keep([busy, free].flatMap((projectId) => eventsOf(blogsOf(projectId))));
    const turn = await openClient();
    try {
      await turn.query('BEGIN');
      await turn.query(`SELECT FROM index_now_address WHERE project_id = $1 AND slug = 'post-0' FOR UPDATE`, [busy]);
      const kept = ground.addresses.keep([busy, free].flatMap((projectId) => eventsOf(blogsOf(projectId))));
      await untilSomeoneWaits();
      expect((await claimAll()).map(({ projectId }) => projectId).sort()).toEqual([busy, free]);
      await turn.query('ROLLBACK');
      await kept;
    } finally {
      await turn.end();
    }
  });

  it('writes what it gives up when it has its addresses, as a turn does: neither waits for the other in a circle', async () => {
    const projectId = await ground.addProject(SITE);
    await ground.query(
      `INSERT INTO index_now_address (project_id, slug, blog_id, event_id, is_gone, is_new)
       SELECT $1, 'old-' || n, gen_random_uuid(), gen_random_uuid(), false, true FROM generate_series(1, 999) AS n`,
      [projectId],
    );
    await ground.addresses.keep([testBlog(projectId).published({ revision: { slug: 'a' } })]);
    const turn = await openClient();
    try {
      await turn.query('BEGIN');
      await turn.query('SELECT FROM index_now WHERE project_id = $1 FOR NO KEY UPDATE', [projectId]);
      await turn.query(`SELECT FROM index_now_address WHERE project_id = $1 AND slug = 'a' FOR UPDATE`, [projectId]);
      // The first waits for the turn, the second is one too many.
      const kept = ground.addresses.keep(
        ['a', 'z'].map((slug) => testBlog(projectId).published({ revision: { slug } })),
      );
      await untilSomeoneWaits();
      await turn.query(`INSERT INTO index_now_given_up (project_id, slug, detail) VALUES ($1, 'z', 'No.')`, [
        projectId,
      ]);
      await turn.query('COMMIT');
      await kept;
    } finally {
      await turn.end();
    }
    expect((await ground.settings.findGivenUp(projectId)).map(({ slug, detail }) => [slug, detail])).toEqual([
      ['z', 'More than 1000 URLs were waiting.'],
    ]);
  });

  it('for a project that nobody was told of is seen by the next sweep', async () => {
    const projectId = await ground.addProject(SITE);
    await ground.addresses.keep(eventsOf(blogsOf(projectId)));
    await ground.query('UPDATE index_now SET next_due_at = NULL');
    expect(await claimAll()).toEqual([]);
    await ground.settings.sweep();
    expect(await claimAll()).toHaveLength(1);
  });

  it('while its owner turns it off waits for that, and keeps nothing', async () => {
    const projectId = await ground.addProject(SITE);
    const owner = await openClient();
    try {
      await owner.query('BEGIN');
      await owner.query('SELECT FROM index_now FOR UPDATE');
      const kept = ground.addresses.keep(eventsOf(blogsOf(projectId)));
      await untilSomeoneWaits();
      await owner.query('UPDATE index_now SET enabled = false');
      await owner.query('COMMIT');
      await kept;
    } finally {
      await owner.end();
    }
    expect(await ground.query('SELECT FROM index_now_address')).toEqual([]);
  });
});

it('a sweep takes away what deleted projects have left', async () => {
  const projectId = await ground.addProject(SITE);
  await ground.addresses.keep(eventsOf(blogsOf(projectId)));
  await ground.settings.sweep();
  expect((await ground.find(projectId)).waiting).toBe(POSTS);
  await ground.query('UPDATE project SET deleted = true WHERE id = $1', [projectId]);
  await ground.settings.sweep();
  expect(await ground.query('SELECT FROM index_now_address')).toEqual([]);
  expect(await ground.query('SELECT FROM index_now')).toEqual([]);
});

it('a claim goes by projects alone, and a count ends at 10,000, however many addresses wait', async () => {
  const projectId = await ground.addProject(SITE);
  await ground.query(
    `INSERT INTO index_now_address (project_id, slug, blog_id, event_id, is_gone, is_new)
     SELECT $1, n::text, gen_random_uuid(), gen_random_uuid(), false, true FROM generate_series(1, 10005) AS n`,
    [projectId],
  );
  expect(await ground.turns.countWaiting()).toBe(10_000);
  expect(await claimAll()).toEqual([]);
});
