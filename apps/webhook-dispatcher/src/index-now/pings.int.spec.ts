import { randomUUID } from 'node:crypto';
import { eventually, type ReceiverAnswer } from '@blog-content/testing';
import { createUrlGuard } from '@blog-content/url-guard';
import { testBlog } from '../../test/events.ts';
import {
  type IndexNowGround,
  openIndexNowGround,
  type Replica,
  type ReplicaOptions,
} from '../../test/grounds/index-now-ground.ts';
import { type IndexNowStandIn, startIndexNowStandIn } from '../../test/peers/stand-ins/index-now.ts';
import { startTestSite, type TestSite } from '../../test/test-site.ts';
import { MAX_WAITING_ADDRESSES } from './address-store.ts';
import type { ClaimedTurn } from './turn-store.ts';

let ground: IndexNowGround;
let site: TestSite;
/** The recorded contract. */
let engine: IndexNowStandIn;
const replicas: Replica[] = [];
beforeAll(async () => {
  ground = await openIndexNowGround();
});
beforeEach(async () => {
  site = await startTestSite();
  engine = await startIndexNowStandIn();
});
afterEach(async () => {
  await Promise.all(replicas.splice(0).map((replica) => replica.stop(0)));
  await site[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
  await ground.query('TRUNCATE index_now CASCADE');
});
afterAll(async () => {
  await ground[Symbol.asyncDispose]();
});

const start = (options: Partial<ReplicaOptions> = {}) => {
  const replica = ground.start({ endpoint: engine.url, ...options });
  replicas.push(replica);
  return replica;
};
const addProject = async (accountId?: string) => {
  const projectId = await ground.addProject(site.url, { ...(accountId !== undefined && { accountId }) });
  const { key } = await ground.find(projectId);
  site.put(`/${key}.txt`, key);
  return projectId;
};
/** A post that the site shows already. */
const publish = async (projectId: string, slug: string = `post-${randomUUID()}`) => {
  site.put(`/blog/${slug}/`, slug);
  await ground.take(testBlog(projectId).published({ revision: { slug } }));
  return `${site.url}/blog/${slug}/`;
};
const becomes = (projectId: string, expected: object) =>
  eventually(async () => expect(await ground.find(projectId)).toMatchObject(expected));
const claimAll = (leaseMs = 60_000, perAccount = 100): Promise<ClaimedTurn[]> =>
  ground.turns.claim({ inAll: 100, perTenant: perAccount, tenants: new Map() }, leaseMs);
const claimOne = async () => {
  const [held] = await claimAll();
  return { ...held!, siteUrl: site.url };
};
const at = (slug: string) => `${site.url}/blog/${slug}/`;

describe('what search engines answer', () => {
  it.each<[number, string]>([
    [400, 'it did not understand the request'],
    [403, 'it did not find the key in the key file'],
    [422, 'the URLs do not belong to the host'],
  ])('is final with %d, and says what it means, also after the next ping', async (status, meaning) => {
    engine.answerNext({ status });
    start();
    const projectId = await addProject();
    await publish(projectId, 'tea');
    await becomes(projectId, { waiting: 0, pingStatus: 'failed', pingCode: status });
    expect((await ground.find(projectId)).pingDetail).toContain(meaning);
    expect(engine.receiver.requests).toHaveLength(1);
    await publish(projectId, 'coffee');
    await becomes(projectId, { waiting: 0, pingStatus: 'accepted' });
    expect(await ground.givenUp(projectId)).toEqual({ tea: expect.stringContaining(meaning) as string });
  });

  it('is a success with 202: the key is checked later', async () => {
    engine.answerNext({ status: 202 });
    start();
    const projectId = await addProject();
    await publish(projectId);
    await becomes(projectId, { waiting: 0, pingStatus: 'accepted', pingCode: 202, pingDetail: null });
  });

  it.each<[string, ReceiverAnswer]>([
    ['too many requests', { status: 429 }],
    ['5xx', { status: 503 }],
    ['a broken connection', { disconnect: true }],
  ])('is tried again after %s, with the same addresses', async (_name, answer) => {
    engine.answerNext(answer, answer);
    start();
    const projectId = await addProject();
    const url = await publish(projectId);
    await becomes(projectId, { waiting: 0, pingStatus: 'accepted' });
    expect(engine.accepted.map(({ urlList }) => urlList)).toEqual([[url]]);
    expect(engine.receiver.requests).toHaveLength(3);
  });

  it('is tried five times, then the addresses are given up', async () => {
    engine.answerNext(...Array<ReceiverAnswer>(9).fill({ status: 500 }));
    start();
    const projectId = await addProject();
    await publish(projectId);
    await becomes(projectId, {
      waiting: 0,
      pingStatus: 'failed',
      pingDetail: 'IndexNow returned 500. All 5 attempts are used.',
    });
    expect(engine.receiver.requests).toHaveLength(5);
  });

  it('gives up after five tries only what was shown before the first of them', async () => {
    engine.answerNext(...Array<ReceiverAnswer>(5).fill({ status: 500 }));
    start({ policy: { delaysMs: [400] } });
    const projectId = await addProject();
    await publish(projectId, 'tea');
    await becomes(projectId, { pingStatus: 'retry' });
    const url = await publish(projectId, 'coffee');
    await becomes(projectId, { waiting: 0, pingStatus: 'accepted' });
    expect(engine.accepted.map(({ urlList }) => urlList)).toEqual([[url]]);
    expect(Object.keys(await ground.givenUp(projectId))).toEqual(['tea']);
  });

  it('is heeded when it asks for a time without pings: by all projects of the process, and by new addresses', async () => {
    engine.answerNext({ status: 429, headers: { 'retry-after': '900' } });
    start();
    const projects = [await addProject(), await addProject()] as const;
    await publish(projects[0]);
    await becomes(projects[0], { pingStatus: 'retry', pingCode: 429 });
    for (const projectId of projects) await publish(projectId);
    await eventually(async () => {
      const rows = await ground.query<{ late: boolean; shown: number }>(
        `SELECT ping_at > now() + interval '10 minutes' AS late, (SELECT count(*)::integer FROM index_now_address a
           WHERE a.project_id = i.project_id AND a.shown_at IS NOT NULL) AS shown FROM index_now i ORDER BY shown DESC`,
      );
      expect(rows).toEqual([
        { late: true, shown: 2 },
        { late: true, shown: 1 },
      ]);
    });
    expect(engine.receiver.requests).toHaveLength(1);
  });

  it('is heeded when it asks for a time without pings, also by a project that is turned off and on meanwhile', async () => {
    engine.answerNext({ status: 503, headers: { 'retry-after': '900' } });
    start();
    const projectId = await addProject();
    await publish(projectId);
    await becomes(projectId, { pingStatus: 'retry', pingCode: 503 });
    await ground.settings.turnOff(projectId);
    await ground.settings.turnOn(projectId);
    const { key } = await ground.find(projectId);
    site.put(`/${key}.txt`, key);
    await publish(projectId);
    await eventually(async () => {
      expect(
        await ground.query(
          `SELECT ping_at > now() + interval '10 minutes' AS late, hour_pings FROM index_now i
           JOIN index_now_address a USING (project_id) WHERE a.shown_at IS NOT NULL`,
        ),
      ).toEqual([{ late: true, hour_pings: 1 }]);
    });
    expect(engine.receiver.requests).toHaveLength(1);
  });

  it('is no redirect that anybody follows', async () => {
    engine.answerNext({ status: 307, headers: { location: `${site.url}/inside` } });
    start();
    const projectId = await addProject();
    await publish(projectId);
    await becomes(projectId, { pingStatus: 'failed', pingCode: 307 });
    expect(site.looksAt('/inside')).toBe(0);
  });
});

describe('a website at a private address', () => {
  it('is never connected to, and its owner reads so', async () => {
    start({ urlGuard: createUrlGuard({ allowHttp: true, allowedRanges: [] }), lookDelaysMs: [10] });
    const projectId = await addProject();
    await publish(projectId);
    await becomes(projectId, { waiting: 1, keySeenAt: null, keyDetail: expect.stringContaining('is not allowed') });
    expect(site.receiver.requests).toEqual([]);
  });
});

describe('a project', () => {
  it('has so many pings an hour, and what comes then waits for the next', async () => {
    start({ pingsPerHour: 2, quietMs: 0 });
    const projectId = await addProject();
    for (const pings of [1, 2]) {
      await publish(projectId);
      await eventually(() => expect(engine.accepted).toHaveLength(pings));
      await becomes(projectId, { waiting: 0 });
    }
    const url = await publish(projectId);
    await eventually(async () => {
      const rows = await ground.query<{ late: boolean }>(
        `SELECT next_due_at > now() + interval '50 minutes' AS late FROM index_now`,
      );
      expect(rows).toEqual([{ late: true }]);
    });
    expect(engine.accepted).toHaveLength(2);
    await ground.query(
      `UPDATE index_now SET hour_began_at = now() - interval '1 hour', ping_at = now(), next_due_at = now()`,
    );
    await eventually(() => expect(engine.accepted[2]?.urlList).toEqual([url]));
  });

  it('keeps so many addresses; what comes beyond is given up, and its owner reads why', async () => {
    const projectId = await addProject();
    await ground.query(
      `INSERT INTO index_now_address (project_id, slug, blog_id, event_id, is_gone, is_new)
       SELECT $1, 'waits-' || n, gen_random_uuid(), gen_random_uuid(), false, true FROM generate_series(2, $2) AS n`,
      [projectId, MAX_WAITING_ADDRESSES],
    );
    const blogs = ['one', 'two', 'three'].map((slug) => testBlog(projectId).published({ revision: { slug } }));
    await ground.take(...blogs, testBlog(projectId).published({ revision: { slug: 'waits-7' } }));
    expect((await ground.find(projectId)).waiting).toBe(MAX_WAITING_ADDRESSES);
    const why = 'More than 1000 URLs were waiting.';
    expect(await ground.givenUp(projectId)).toEqual({ two: why, three: why });
  });

  it('shows the newest hundred addresses that were given up', async () => {
    const projectId = await addProject();
    await ground.query(
      `INSERT INTO index_now_given_up (project_id, slug, detail, given_up_at)
       SELECT $1, 'old-' || n, 'Long ago.', now() - n * interval '1 minute' FROM generate_series(1, 150) AS n`,
      [projectId],
    );
    await publish(projectId, 'tea');
    await ground.turns.giveUp(await claimOne(), 'Just now.');
    const [newest, ...others] = await ground.settings.findGivenUp(projectId);
    expect(newest).toMatchObject({ slug: 'tea', detail: 'Just now.' });
    expect(others.map(({ slug }) => slug)).toEqual(Array.from({ length: 99 }, (_, place) => `old-${place + 1}`));
    expect(await ground.query('SELECT FROM index_now_given_up')).toHaveLength(100);
  });

  it('has its turn whatever other projects of another account wait for', async () => {
    const [many, few] = [randomUUID(), randomUUID()];
    for (const accountId of [many, many, many, few]) await publish(await addProject(accountId));
    const claimed = await claimAll(60_000, 2);
    expect(claimed.map(({ accountId }) => accountId).toSorted()).toEqual([many, many, few].toSorted());
    expect(await claimAll(60_000, 2)).toHaveLength(1);
  });

  it('that is deleted leaves nothing behind', async () => {
    const projectId = await addProject();
    await publish(projectId);
    await ground.settings.forgetDeleted([projectId]);
    expect((await ground.find(projectId)).waiting).toBe(1);
    await ground.query('UPDATE project SET deleted = true WHERE id = $1', [projectId]);
    await ground.settings.forgetDeleted([projectId]);
    expect(await ground.query('SELECT FROM index_now_address')).toEqual([]);
    expect(await ground.settings.turnOn(projectId)).toBeNull();
  });
});

describe('a turn', () => {
  it('is one process’s at a time, and another’s once its lease has run out', async () => {
    await publish(await addProject());
    const [first] = await claimAll(1);
    expect(first).toBeDefined();
    const second = await eventually(async () => {
      const [claimed] = await claimAll();
      if (claimed === undefined) throw new Error('The lease has not run out.');
      return claimed;
    });
    expect(second.leaseToken).not.toBe(first?.leaseToken);
    expect(await claimAll()).toEqual([]);
  });

  it('records nothing once its lease was lost', async () => {
    const projectId = await addProject();
    await publish(projectId);
    const held = await claimOne();
    const lost = { ...held, leaseToken: randomUUID() };
    const [address] = await ground.turns.toLookAt(projectId, 10);
    const shown = [{ ...address!, url: at('tea'), verdict: { kind: 'shown' } as const }];
    await ground.turns.recordLooks(lost, shown, 0);
    expect(await ground.turns.beginPing(held, 20)).toEqual([]);
    await ground.turns.recordLooks(held, shown, 0);
    expect(await ground.turns.beginPing(lost, 20)).toEqual([]);
    const ping = {
      addresses: [{ ...address!, url: at('tea') }],
      statusCode: 200,
      detail: null,
      afterMs: 0,
      outcome: 'accepted',
    } as const;
    await ground.turns.recordPing(lost, ping);
    await ground.turns.giveUp(lost, 'Lost.');
    await ground.turns.release(lost);
    expect(await ground.find(projectId)).toMatchObject({ waiting: 1, pingedAt: null });
    expect(await claimAll()).toEqual([]);
    await ground.turns.recordPing(held, ping);
    expect(await ground.find(projectId)).toMatchObject({ waiting: 0, pingStatus: 'accepted' });
  });

  it('leaves an address that changed during its ping for the next', async () => {
    const projectId = await addProject();
    const blog = testBlog(projectId);
    site.put('/blog/tea/', 'Tea');
    await ground.take(blog.published({ revision: { slug: 'tea' } }));
    const held = await claimOne();
    const [address] = await ground.turns.toLookAt(projectId, 10);
    await ground.turns.recordLooks(held, [{ ...address!, url: at('tea'), verdict: { kind: 'shown' } }], 0);
    await ground.take(blog.unpublished());
    await ground.turns.recordPing(held, {
      addresses: [{ ...address!, url: at('tea') }],
      statusCode: 200,
      detail: null,
      afterMs: 0,
      outcome: 'accepted',
    });
    expect((await ground.find(projectId)).waiting).toBe(1);
  });

  it('that was interrupted in a ping is made again by another process', async () => {
    engine.answerNext({ hang: true });
    const first = start();
    const projectId = await addProject();
    const url = await publish(projectId);
    await engine.receiver.waitFor(() => true);
    await first.stop(0);
    expect((await ground.find(projectId)).waiting).toBe(1);
    start();
    await becomes(projectId, { waiting: 0, pingStatus: 'accepted' });
    expect(engine.accepted.map(({ urlList }) => urlList)).toEqual([[url]]);
  });
});
