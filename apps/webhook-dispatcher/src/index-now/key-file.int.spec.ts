import { pause } from '@blog-content/concurrency';
import { eventually } from '@blog-content/testing';
import { testBlog } from '../../test/events.ts';
import { type IndexNowGround, openIndexNowGround } from '../../test/grounds/index-now-ground.ts';
import { type IndexNowStandIn, startIndexNowStandIn } from '../../test/peers/stand-ins/index-now.ts';
import { startTestSite, type TestSite } from '../../test/test-site.ts';

let ground: IndexNowGround;
let site: TestSite;
/** The recorded contract. */
let engine: IndexNowStandIn;
beforeEach(async () => {
  ground = await openIndexNowGround();
  site = await startTestSite();
  engine = await startIndexNowStandIn();
});
afterEach(async () => {
  await ground[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});
const publish = (projectId: string, slug = 'tea') => ground.take(testBlog(projectId).published({ revision: { slug } }));

describe('a site without the key file', () => {
  it('is neither looked at nor pinged until it has it; addresses wait meanwhile', async () => {
    ground.start({ endpoint: engine.url });
    const projectId = await ground.addProject(site.url);
    const { key } = await ground.find(projectId);
    site.put('/blog/tea/', 'Tea');
    await publish(projectId);
    await eventually(() => expect(site.looksAt(`/${key}.txt`)).toBeGreaterThanOrEqual(2));
    expect(await ground.find(projectId)).toMatchObject({
      waiting: 1,
      keySeenAt: null,
      keyTriedAt: expect.any(Date) as Date,
      keyDetail: expect.stringContaining('No file at') as string,
    });
    expect(site.looksAt('/blog/tea/')).toBe(0);
    expect(engine.receiver.requests).toEqual([]);
    site.put(`/${key}.txt`, key);
    await eventually(() => expect(engine.accepted).toHaveLength(1));
    expect(await ground.find(projectId)).toMatchObject({ keyDetail: null, keySeenAt: expect.any(Date) as Date });
  });

  it('is asked less and less often, however much is published', async () => {
    ground.start({ endpoint: engine.url, keyBackoff: { firstMs: 600_000, maxMs: 600_000 } });
    const projectId = await ground.addProject(site.url);
    await publish(projectId);
    await eventually(async () => expect((await ground.find(projectId)).keyTriedAt).not.toBeNull());
    await eventually(async () => {
      const [row] = await ground.query<{ late: boolean | null }>(
        `SELECT next_due_at > now() + interval '5 minutes' AS late FROM index_now`,
      );
      expect(row?.late).toBe(true);
    });
    await publish(projectId, 'coffee');
    expect(await ground.query(`SELECT next_due_at > now() + interval '5 minutes' AS late FROM index_now`)).toEqual([
      { late: true },
    ]);
    expect(site.receiver.requests).toHaveLength(1);
  });

  it('that had it is asked for it again after an hour', async () => {
    const projectId = await ground.addProject(site.url);
    const { key } = await ground.find(projectId);
    await ground.settings.recordCheck(projectId, { key, siteUrl: site.url, detail: null });
    await publish(projectId);
    await ground.query(`UPDATE index_now SET key_seen_at = now() - interval '61 minutes'`);
    ground.start({ endpoint: engine.url });
    await eventually(() => expect(site.looksAt(`/${key}.txt`)).toBeGreaterThan(0));
    expect(site.looksAt('/blog/tea/')).toBe(0);
  });
});

it('many projects with one host make two requests to it at a time', async () => {
  for (let number = 0; number < 4; number += 1) await publish(await ground.addProject(site.url));
  let [underWay, most, made] = [0, 0, 0];
  ground.start({
    endpoint: engine.url,
    send: async (_request, interrupted) => {
      underWay += 1;
      most = Math.max(most, underWay);
      // Whoever else may go has gone when this has made its way through the event loop and some timers.
      await pause(200, interrupted);
      underWay -= 1;
      made += 1;
      return { kind: 'interrupted' };
    },
  });
  await eventually(() => expect(made).toBeGreaterThanOrEqual(4));
  expect(most).toBe(2);
});
