import { eventually } from '@blog-content/testing';
import { testBlog } from '../../test/events.ts';
import { type IndexNowGround, openIndexNowGround, type Replica } from '../../test/grounds/index-now-ground.ts';
import { type IndexNowStandIn, startIndexNowStandIn } from '../../test/peers/stand-ins/index-now.ts';
import { startTestSite, type TestSite } from '../../test/test-site.ts';

let ground: IndexNowGround;
let site: TestSite;
/** The recorded contract. */
let engine: IndexNowStandIn;
let replica: Replica;
beforeAll(async () => {
  ground = await openIndexNowGround();
});
beforeEach(async () => {
  site = await startTestSite();
  engine = await startIndexNowStandIn();
  replica = ground.start({ endpoint: engine.url });
});
afterEach(async () => {
  await replica.stop(0);
  await site[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
  await ground.query(
    'TRUNCATE index_now, deploy_hook, deploy_hook_change, deploy_hook_attempt, deploy_hook_request CASCADE',
  );
});
afterAll(async () => {
  await ground[Symbol.asyncDispose]();
});

/** A project whose site has the key file. */
const addProject = async (options: { readonly hasHook?: boolean } = {}) => {
  const projectId = await ground.addProject(site.url, options);
  const { key } = await ground.find(projectId);
  site.put(`/${key}.txt`, `${key}\n`);
  return projectId;
};
const at = (slug: string) => `${site.url}/blog/${slug}/`;
const named = (slug: string) => ({ revision: { slug } });
const urlsSoFar = () => engine.accepted.flatMap(({ urlList }) => urlList);
/** The URLs of the latest pings, without those that came before. */
const pinged = async (count: number, before = 0) => {
  await eventually(() => expect(urlsSoFar()).toHaveLength(before + count));
  return urlsSoFar().slice(before).toSorted();
};
const nothingWaits = (projectId: string) =>
  eventually(async () => {
    const found = await ground.find(projectId);
    expect(found.waiting).toBe(0);
    return found;
  });
const publish = async (projectId: string, slug: string) => {
  const blog = testBlog(projectId);
  await ground.take(blog.published(named(slug)));
  await pinged(1);
  await nothingWaits(projectId);
  return blog;
};

describe('a URL that changed', () => {
  it('is pinged as the protocol asks', async () => {
    const projectId = await addProject();
    await ground.take(testBlog(projectId).published(named('tea')));
    expect(await pinged(1)).toEqual([at('tea')]);
    const { key, ...found } = await nothingWaits(projectId);
    expect(engine.accepted).toEqual([
      { host: new URL(site.url).host, key, keyLocation: `${site.url}/${key}.txt`, urlList: [at('tea')] },
    ]);
    expect(found).toMatchObject({ pingStatus: 'accepted', pingAddresses: 1, pingCode: 200, pingDetail: null });
    expect(engine.receiver.requests[0]?.headers['user-agent']).toBe('BlogContentService/9.9.9');
  });

  it('is pinged again after an update', async () => {
    const projectId = await addProject();
    const blog = await publish(projectId, 'tea');
    await ground.take(blog.published(named('tea')));
    expect(await pinged(1, 1)).toEqual([at('tea')]);
  });

  it.each(['unpublished', 'deleted'] as const)('is pinged when its post was %s', async (what) => {
    const projectId = await addProject();
    const blog = await publish(projectId, 'tea');
    await ground.take(blog[what]());
    expect(await pinged(1, 1)).toEqual([at('tea')]);
  });

  it('is the old and the new one where a slug changed, in one ping', async () => {
    const projectId = await addProject();
    const blog = await publish(projectId, 'tea');
    await ground.take(blog.published(named('green-tea')));
    expect(await pinged(2, 1)).toEqual([at('green-tea'), at('tea')]);
    expect(engine.accepted).toHaveLength(2);
  });

  it('is pinged together with the others of its project, each once', async () => {
    const projectId = await addProject();
    const slugs = ['one', 'two', 'three'];
    const blogs = slugs.map((slug) => ({ slug, blog: testBlog(projectId) }));
    await ground.take(...blogs.flatMap(({ slug, blog }) => [blog.published(named(slug)), blog.published(named(slug))]));
    expect(await pinged(3)).toEqual(slugs.map(at).toSorted());
    await nothingWaits(projectId);
    expect(engine.receiver.requests).toHaveLength(1);
  });

  it('is where a receiver says that the post lives, when that is on the site', async () => {
    const projectId = await addProject();
    const blog = testBlog(projectId);
    await ground.addLiveUrl(projectId, blog.id, `${site.url}/journal/tea`);
    const elsewhere = testBlog(projectId);
    await ground.addLiveUrl(projectId, elsewhere.id, 'https://elsewhere.example/coffee');
    await ground.take(blog.published(named('tea')), elsewhere.published(named('coffee')));
    expect(await pinged(2)).toEqual([at('coffee'), `${site.url}/journal/tea`]);
  });

  it('is not where a receiver said so that was deleted since', async () => {
    const projectId = await addProject();
    const blog = testBlog(projectId);
    await ground.addLiveUrl(projectId, blog.id, `${site.url}/journal/tea`);
    await ground.query(
      'UPDATE integration SET deleted_at = now(), active = false, sealed_url = NULL WHERE project_id = $1',
      [projectId],
    );
    await ground.take(blog.published(named('tea')));
    expect(await pinged(1)).toEqual([at('tea')]);
  });

  it('is where its post lived on the site when it went, not where copies are elsewhere', async () => {
    const projectId = await addProject();
    const [blog, copied] = [testBlog(projectId), testBlog(projectId)];
    await ground.addLiveUrl(projectId, blog.id, `${site.url}/journal/tea`);
    await ground.addLiveUrl(projectId, copied.id, 'https://elsewhere.example/coffee');
    await ground.take(blog.published(named('tea')), copied.published(named('coffee')));
    await pinged(2);
    await nothingWaits(projectId);
    await ground.take(blog.unpublished(), copied.unpublished());
    // What a receiver has done with an unpublish is known only later.
    await ground.query('UPDATE receiver_blog SET published = false, live_url = NULL WHERE blog_id = $1', [blog.id]);
    expect(await pinged(2, 2)).toEqual([at('coffee'), `${site.url}/journal/tea`]);
  });

  it('is one URL where a post with another slug lives where it did', async () => {
    const projectId = await addProject();
    const blog = testBlog(projectId);
    await ground.addLiveUrl(projectId, blog.id, `${site.url}/journal/7`);
    await ground.take(blog.published(named('tea')));
    await pinged(1);
    await nothingWaits(projectId);
    await ground.take(blog.published(named('green-tea')));
    expect(await pinged(1, 1)).toEqual([`${site.url}/journal/7`]);
    await nothingWaits(projectId);
  });

  it('is not kept in a project that has IndexNow off', async () => {
    const projectId = await ground.addProject(site.url, { isOn: false });
    await ground.take(testBlog(projectId).published());
    expect(await ground.query('SELECT FROM index_now_address')).toEqual([]);
  });
});

describe('a project with a deploy hook', () => {
  it('has its URLs pinged once a request for them has succeeded, and not before', async () => {
    const projectId = await addProject({ hasHook: true });
    const [first, second] = [testBlog(projectId).published(named('tea')), testBlog(projectId).published(named('late'))];
    await ground.take(first);
    const succeed = await ground.requestHook(first);
    // This one comes during the request, whose build may not have it.
    await ground.take(second);
    await succeed();
    expect(await pinged(1)).toEqual([at('tea')]);
    await eventually(async () => expect((await ground.find(projectId)).waiting).toBe(1));
    await (
      await ground.requestHook(second)
    )();
    expect(await pinged(1, 1)).toEqual([at('late')]);
  });

  it('has those pinged, too, whose request failed before', async () => {
    const projectId = await addProject({ hasHook: true });
    const [first, second] = [testBlog(projectId).published(named('tea')), testBlog(projectId).published(named('late'))];
    await ground.take(first);
    await ground.requestHook(first);
    await ground.query(
      `UPDATE deploy_hook_request SET status = 'failed', lease_token = NULL, lease_until = NULL, finished_at = now()`,
    );
    await ground.take(second);
    await (
      await ground.requestHook(second)
    )();
    expect(await pinged(2)).toEqual([at('late'), at('tea')]);
  });

  it('has waiting URLs pinged with its next change when the hook was deleted', async () => {
    const projectId = await addProject({ hasHook: true });
    await ground.take(testBlog(projectId).published(named('tea')));
    await ground.query('DELETE FROM deploy_hook WHERE project_id = $1', [projectId]);
    await ground.take(testBlog(projectId).published(named('coffee')));
    expect(await pinged(2)).toEqual([at('coffee'), at('tea')]);
  });
});

describe('a site', () => {
  it('is not pinged before a check has found the key file', async () => {
    const projectId = await ground.addProject(site.url, { hasKey: false });
    const { key } = await ground.find(projectId);
    site.put(`/${key}.txt`, key);
    await ground.take(testBlog(projectId).published(named('tea')));
    const other = await addProject();
    await ground.take(testBlog(other).published(named('coffee')));
    expect(await pinged(1)).toEqual([at('coffee')]);
    expect((await ground.find(projectId)).waiting).toBe(1);
    await ground.findKey(projectId, site.url);
    expect(await pinged(1, 1)).toEqual([at('tea')]);
  });

  it('is not pinged at another URL before a check has found the key file there', async () => {
    const projectId = await addProject();
    const { key } = await ground.find(projectId);
    await using other = await startTestSite();
    await ground.query('UPDATE project SET site_url = $2 WHERE id = $1', [projectId, other.url]);
    await ground.take(testBlog(projectId).published(named('tea')));
    await publish(await addProject(), 'coffee');
    expect(await ground.find(projectId)).toMatchObject({ waiting: 1, keySeenAt: null });
    other.put(`/${key}.txt`, key);
    await ground.findKey(projectId, other.url);
    expect(await pinged(1, 1)).toEqual([`${other.url}/blog/tea/`]);
  });

  it('is not pinged while the project has no site URL', async () => {
    const projectId = await ground.addProject(null);
    await ground.take(testBlog(projectId).published(named('tea')));
    await publish(await addProject(), 'coffee');
    expect((await ground.find(projectId)).waiting).toBe(1);
  });
});
