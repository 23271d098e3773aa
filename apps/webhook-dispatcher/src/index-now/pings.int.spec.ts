import { randomUUID } from 'node:crypto';
import { eventually, type ReceiverAnswer } from '@blog-content/testing';
import { testBlog } from '../../test/events.ts';
import {
  type IndexNowGround,
  openIndexNowGround,
  type Replica,
  type ReplicaOptions,
} from '../../test/grounds/index-now-ground.ts';
import { type IndexNowStandIn, startIndexNowStandIn } from '../../test/peers/stand-ins/index-now.ts';
import { startTestSite, type TestSite } from '../../test/test-site.ts';
import { MAX_WAITING_ADDRESSES } from './ping-store.ts';

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
const addProject = async () => {
  const projectId = await ground.addProject(site.url);
  const { key } = await ground.find(projectId);
  site.put(`/${key}.txt`, key);
  return projectId;
};
const publish = async (projectId: string, slug: string = `post-${randomUUID()}`) => {
  await ground.take(testBlog(projectId).published({ revision: { slug } }));
  return `${site.url}/blog/${slug}/`;
};
const becomes = (projectId: string, expected: object) =>
  eventually(async () => expect(await ground.find(projectId)).toMatchObject(expected));
const claimSoon = (leaseMs = 60_000) =>
  eventually(async () => {
    const [claimed] = await ground.pings.claim(leaseMs);
    if (claimed === undefined) throw new Error('Nothing is due.');
    return claimed;
  });

it('what was published waits while the project is suspended, and is told once it is resumed', async () => {
  start();
  const [suspended, other] = [await addProject(), await addProject()];
  await ground.query(`UPDATE project SET suspended = 'writes' WHERE id = $1`, [suspended]);
  const held = await publish(suspended);
  const free = await publish(other);
  await becomes(other, { waiting: 0, pingStatus: 'accepted' });
  await becomes(suspended, { waiting: 1 });
  expect(engine.accepted.map(({ urlList }) => urlList)).toEqual([[free]]);
  await ground.query('UPDATE project SET suspended = NULL WHERE id = $1', [suspended]);
  await becomes(suspended, { waiting: 0, pingStatus: 'accepted' });
  expect(engine.accepted.map(({ urlList }) => urlList)).toEqual([[free], [held]]);
});

describe('what search engines answer', () => {
  it.each<[number, string]>([
    [400, 'it did not understand the request'],
    [403, 'it did not find the key in the key file'],
    [422, 'the URLs do not belong to the host'],
  ])('is final with %d, and says what it means', async (status, meaning) => {
    engine.answerNext({ status });
    start();
    const projectId = await addProject();
    await publish(projectId, 'tea');
    await becomes(projectId, { waiting: 0, pingStatus: 'failed', pingCode: status });
    expect((await ground.find(projectId)).pingDetail).toContain(meaning);
    expect(engine.receiver.requests).toHaveLength(1);
    await publish(projectId, 'coffee');
    await becomes(projectId, { waiting: 0, pingStatus: 'accepted' });
  });

  it('is a success with 202, whose key check comes later', async () => {
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
  ])('is tried again after %s, with the same URLs', async (_name, answer) => {
    engine.answerNext(answer, answer);
    start();
    const projectId = await addProject();
    const url = await publish(projectId);
    await becomes(projectId, { waiting: 0, pingStatus: 'accepted' });
    expect(engine.accepted.map(({ urlList }) => urlList)).toEqual([[url]]);
    expect(engine.receiver.requests).toHaveLength(3);
  });

  it('is tried five times, then the ping fails', async () => {
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

  it('is heeded when it asks for a pause, also by a project that is turned off and on during it', async () => {
    engine.answerNext({ status: 429, headers: { 'retry-after': '900' } });
    start();
    const projectId = await addProject();
    await publish(projectId);
    await becomes(projectId, { pingStatus: 'retry', pingCode: 429 });
    await ground.settings.turnOff(projectId);
    await ground.settings.turnOn(projectId);
    await ground.findKey(projectId, site.url);
    await publish(projectId);
    expect(await ground.query(`SELECT ping_at > now() + interval '10 minutes' AS late FROM index_now`)).toEqual([
      { late: true },
    ]);
    expect(engine.receiver.requests).toHaveLength(1);
  });

  it('is never a followed redirect', async () => {
    engine.answerNext({ status: 307, headers: { location: `${site.url}/inside` } });
    start();
    const projectId = await addProject();
    await publish(projectId);
    await becomes(projectId, { pingStatus: 'failed', pingCode: 307 });
    expect(site.looksAt('/inside')).toBe(0);
  });
});

describe('a project', () => {
  it('keeps at most a thousand waiting URLs', async () => {
    const projectId = await ground.addProject(site.url, { hasHook: true });
    await ground.query(
      `INSERT INTO index_now_address (project_id, slug, blog_id, event_id, is_gone, is_new)
       SELECT $1, 'waits-' || n, gen_random_uuid(), gen_random_uuid(), false, false FROM generate_series(2, $2) AS n`,
      [projectId, MAX_WAITING_ADDRESSES],
    );
    for (const slug of ['one', 'two', 'three']) await publish(projectId, slug);
    expect((await ground.find(projectId)).waiting).toBe(MAX_WAITING_ADDRESSES);
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

describe('a ping', () => {
  it('is run by one process at a time, and by another once the lease has expired', async () => {
    await publish(await addProject());
    const first = await claimSoon(1_000);
    expect(await ground.pings.claim(60_000)).toEqual([]);
    const second = await claimSoon();
    expect(second.leaseToken).not.toBe(first.leaseToken);
    expect(await ground.pings.claim(60_000)).toEqual([]);
  });

  it('records nothing once its lease was lost', async () => {
    const projectId = await addProject();
    await publish(projectId);
    const held = await claimSoon();
    const lost = { ...held, leaseToken: randomUUID() };
    const addresses = await ground.pings.ready(projectId);
    const accepted = { status: 'accepted', addresses, statusCode: 200, detail: null, afterMs: 0 } as const;
    await ground.pings.record(lost, accepted);
    await ground.pings.release(lost);
    expect([...(await ground.pings.renew([lost.leaseToken, held.leaseToken], 60_000))]).toEqual([held.leaseToken]);
    expect(await ground.find(projectId)).toMatchObject({ waiting: 1, pingedAt: null });
    expect(await ground.pings.claim(60_000)).toEqual([]);
    await ground.pings.record(held, accepted);
    expect(await ground.find(projectId)).toMatchObject({ waiting: 0, pingStatus: 'accepted' });
  });

  it('leaves a URL that changed during it for the next', async () => {
    const projectId = await addProject();
    const blog = testBlog(projectId);
    await ground.take(blog.published({ revision: { slug: 'tea' } }));
    const held = await claimSoon();
    const addresses = await ground.pings.ready(projectId);
    await ground.take(blog.unpublished());
    await ground.pings.record(held, { status: 'accepted', addresses, statusCode: 200, detail: null, afterMs: 0 });
    expect((await ground.find(projectId)).waiting).toBe(1);
    expect((await claimSoon()).projectId).toBe(projectId);
  });

  it('that was interrupted is made again by another process', async () => {
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
