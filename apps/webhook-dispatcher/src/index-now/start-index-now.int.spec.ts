import { eventually } from '@blog-content/testing';
import { testBlog } from '../../test/events.ts';
import {
  type IndexNowGround,
  openIndexNowGround,
  type Replica,
  type ReplicaOptions,
} from '../../test/grounds/index-now-ground.ts';
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
  await ground.query('TRUNCATE index_now CASCADE');
});
afterAll(async () => {
  await ground[Symbol.asyncDispose]();
});

const restartWith = async (options: Partial<ReplicaOptions>) => {
  await replica.stop(0);
  replica = ground.start({ endpoint: engine.url, ...options });
};
/** A project whose site has the key file. */
const addProject = async () => {
  const projectId = await ground.addProject(site.url);
  const { key } = await ground.find(projectId);
  site.put(`/${key}.txt`, `${key}\n`);
  return projectId;
};
const at = (slug: string) => `${site.url}/blog/${slug}/`;
const named = (slug: string) => ({ revision: { slug } });
const hasLookedAt = (slug: string, times = 1) =>
  eventually(() => expect(site.looksAt(`/blog/${slug}/`)).toBeGreaterThanOrEqual(times));
const pinged = (count: number) =>
  eventually(() => {
    const urls = engine.accepted.flatMap(({ urlList }) => urlList);
    expect(urls).toHaveLength(count);
    return urls.toSorted();
  });
const nothingWaits = (projectId: string) =>
  eventually(async () => {
    const found = await ground.find(projectId);
    expect(found.waiting).toBe(0);
    return found;
  });

describe('an address that changed', () => {
  it('is pinged once the site has the page of a post that was published, and not before', async () => {
    const projectId = await addProject();
    await ground.take(testBlog(projectId).published(named('tea')));
    await hasLookedAt('tea', 2);
    expect(engine.receiver.requests).toEqual([]);
    site.put('/blog/tea/', 'Tea');
    expect(await pinged(1)).toEqual([at('tea')]);
    const { key, ...found } = await nothingWaits(projectId);
    expect(engine.accepted).toEqual([
      { host: new URL(site.url).host, key, keyLocation: `${site.url}/${key}.txt`, urlList: [at('tea')] },
    ]);
    expect(found).toMatchObject({ pingStatus: 'accepted', pingAddresses: 1, pingCode: 200, pingDetail: null });
    expect(engine.receiver.requests[0]?.headers['user-agent']).toBe('BlogContentService/9.9.9');
  });

  it('is pinged after an update once the page is another than it was', async () => {
    const projectId = await addProject();
    const blog = testBlog(projectId);
    site.put('/blog/tea/', 'Tea');
    await ground.take(blog.published(named('tea')));
    await pinged(1);
    const before = site.looksAt('/blog/tea/');
    await ground.take(blog.published(named('tea')));
    await hasLookedAt('tea', before + 2);
    expect(engine.accepted).toHaveLength(1);
    site.put('/blog/tea/', 'Better tea');
    expect(await pinged(2)).toEqual([at('tea'), at('tea')]);
  });

  it('is pinged after the last look where an update left the page as it is', async () => {
    const projectId = await addProject();
    const blog = testBlog(projectId);
    await ground.take(blog.published(named('tea')));
    site.put('/blog/tea/', 'Tea');
    await pinged(1);
    await restartWith({ lookDelaysMs: [20, 20] });
    await ground.take(blog.published(named('tea')));
    await pinged(2);
    await nothingWaits(projectId);
    expect(await ground.givenUp(projectId)).toEqual({});
  });

  it.each(['unpublished', 'deleted'] as const)(
    'is pinged once the page of a post that was %s is away',
    async (what) => {
      const projectId = await addProject();
      const blog = testBlog(projectId);
      site.put('/blog/tea/', 'Tea');
      await ground.take(blog.published(named('tea')));
      await pinged(1);
      const before = site.looksAt('/blog/tea/');
      await ground.take(blog[what]());
      await hasLookedAt('tea', before + 2);
      expect(engine.accepted).toHaveLength(1);
      site.remove('/blog/tea/');
      expect(await pinged(2)).toEqual([at('tea'), at('tea')]);
    },
  );

  it('is the old and the new one where a slug changed, in one ping when the site changes at once', async () => {
    const projectId = await addProject();
    const blog = testBlog(projectId);
    site.put('/blog/tea/', 'Tea');
    await ground.take(blog.published(named('tea')));
    await pinged(1);
    await ground.take(blog.published(named('green-tea')));
    await hasLookedAt('green-tea');
    site.put('/blog/tea/', { status: 301, headers: { location: '/blog/green-tea/' } });
    site.put('/blog/green-tea/', 'Green tea');
    await pinged(3);
    expect(
      engine.accepted
        .slice(1)
        .flatMap(({ urlList }) => urlList)
        .toSorted(),
    ).toEqual([at('green-tea'), at('tea')]);
  });

  it('is pinged together with the others of its project, each once', async () => {
    const projectId = await addProject();
    const slugs = ['one', 'two', 'three'];
    const blogs = slugs.map((slug) => ({ slug, blog: testBlog(projectId) }));
    await ground.take(...blogs.flatMap(({ slug, blog }) => [blog.published(named(slug)), blog.published(named(slug))]));
    for (const slug of slugs) site.put(`/blog/${slug}/`, slug);
    expect(await pinged(3)).toEqual(slugs.map(at).toSorted());
    await nothingWaits(projectId);
    expect(engine.receiver.requests.length).toBeLessThanOrEqual(2);
  });

  it('is where a receiver says that the post lives, when that is on the site', async () => {
    const projectId = await addProject();
    const blog = testBlog(projectId);
    await ground.addLiveUrl(projectId, blog.id, `${site.url}/journal/tea`);
    const elsewhere = testBlog(projectId);
    await ground.addLiveUrl(projectId, elsewhere.id, 'https://elsewhere.example/coffee');
    site.put('/journal/tea', 'Tea');
    site.put('/blog/coffee/', 'Coffee');
    await ground.take(blog.published(named('tea')), elsewhere.published(named('coffee')));
    expect(await pinged(2)).toEqual([at('coffee'), `${site.url}/journal/tea`]);
  });

  it('is not where a receiver said so that was taken away since', async () => {
    const projectId = await addProject();
    const blog = testBlog(projectId);
    await ground.addLiveUrl(projectId, blog.id, `${site.url}/journal/tea`);
    await ground.query(
      'UPDATE integration SET deleted_at = now(), active = false, sealed_url = NULL WHERE project_id = $1',
      [projectId],
    );
    site.put('/journal/tea', 'Old tea');
    site.put('/blog/tea/', 'Tea');
    await ground.take(blog.published(named('tea')));
    expect(await pinged(1)).toEqual([at('tea')]);
  });

  it('is looked at where its post lived on the site when it went, whatever copies are elsewhere', async () => {
    const projectId = await addProject();
    const [blog, copied] = [testBlog(projectId), testBlog(projectId)];
    await ground.addLiveUrl(projectId, blog.id, `${site.url}/journal/tea`);
    await ground.addLiveUrl(projectId, copied.id, 'https://elsewhere.example/coffee');
    site.put('/journal/tea', 'Tea');
    site.put('/blog/coffee/', 'Coffee');
    await ground.take(blog.published(named('tea')), copied.published(named('coffee')));
    await pinged(2);
    await ground.take(blog.unpublished(), copied.unpublished());
    // What a receiver has done with an unpublish is known only later.
    await ground.query('UPDATE receiver_blog SET published = false, live_url = NULL WHERE blog_id = $1', [blog.id]);
    site.remove('/journal/tea');
    site.remove('/blog/coffee/');
    await pinged(4);
    expect(
      engine.accepted
        .flatMap(({ urlList }) => urlList)
        .slice(2)
        .toSorted(),
    ).toEqual([at('coffee'), `${site.url}/journal/tea`]);
  });

  it('is pinged as changed where a post with another slug lives where it did', async () => {
    const projectId = await addProject();
    const blog = testBlog(projectId);
    await ground.addLiveUrl(projectId, blog.id, `${site.url}/journal/7`);
    site.put('/journal/7', 'Tea');
    await ground.take(blog.published(named('tea')));
    await pinged(1);
    await ground.take(blog.published(named('green-tea')));
    expect((await pinged(2))[1]).toBe(`${site.url}/journal/7`);
    site.put('/journal/7', 'Green tea');
    await nothingWaits(projectId);
  });

  it('may be served without the slash at its end', async () => {
    const projectId = await addProject();
    site.put('/blog/tea/', { status: 308, headers: { location: '/blog/tea' } });
    await ground.take(testBlog(projectId).published(named('tea')));
    await eventually(() => expect(site.looksAt('/blog/tea')).toBeGreaterThan(0));
    expect(engine.accepted).toEqual([]);
    site.put('/blog/tea', 'Tea');
    await pinged(1);
  });

  it('is given up, and not pinged, where the site does not show the change; its owner reads why', async () => {
    await restartWith({ lookDelaysMs: [20, 20] });
    const projectId = await addProject();
    await ground.take(testBlog(projectId).published(named('tea')), testBlog(projectId).published(named('coffee')));
    await nothingWaits(projectId);
    const why = 'At the last check, it returned 404.';
    expect(await ground.givenUp(projectId)).toEqual({ tea: why, coffee: why });
    const urls = (await ground.settings.findGivenUp(projectId)).map(({ url }) => url);
    expect(urls.toSorted()).toEqual([at('coffee'), at('tea')]);
    expect(site.looksAt('/blog/tea/')).toBe(3);
    expect(engine.receiver.requests).toEqual([]);
  });

  it('is given up where the project has no website', async () => {
    const projectId = await ground.addProject(null);
    await ground.take(testBlog(projectId).published(named('tea')));
    await nothingWaits(projectId);
    expect(await ground.givenUp(projectId)).toEqual({ tea: 'The project has no site URL.' });
  });

  it('has its change of then forgotten when it changes again', async () => {
    const projectId = await addProject();
    const blog = testBlog(projectId);
    await ground.take(blog.published(named('tea')));
    await hasLookedAt('tea');
    await ground.take(blog.unpublished());
    await pinged(1);
    expect(await nothingWaits(projectId)).toMatchObject({ pingAddresses: 1 });
  });

  it('is not taken for new where a post went from it, and the site may still have that page', async () => {
    const projectId = await addProject();
    const [blog, other] = [testBlog(projectId), testBlog(projectId)];
    site.put('/blog/tea/', 'Tea');
    await ground.take(blog.published(named('tea')));
    await pinged(1);
    await nothingWaits(projectId);
    const before = site.looksAt('/blog/tea/');
    await ground.take(blog.unpublished());
    await ground.take(other.published(named('tea')));
    await hasLookedAt('tea', before + 3);
    expect(engine.accepted).toHaveLength(1);
    site.put('/blog/tea/', 'Other tea');
    await pinged(2);
  });

  it('is begun anew where the project has another website than the one that was looked at', async () => {
    const projectId = await addProject();
    const { key } = await ground.find(projectId);
    await ground.take(testBlog(projectId).published(named('tea')));
    await hasLookedAt('tea', 2);
    await using other = await startTestSite();
    await ground.query('UPDATE project SET site_url = $2 WHERE id = $1', [projectId, other.url]);
    await eventually(() => expect(other.looksAt(`/${key}.txt`)).toBeGreaterThan(0));
    expect(other.looksAt('/blog/tea/')).toBe(0);
    other.put('/blog/tea/', 'Tea');
    other.put(`/${key}.txt`, key);
    expect(await pinged(1)).toEqual([`${other.url}/blog/tea/`]);
  });

  it('is not kept in a project that has IndexNow off', async () => {
    const projectId = await ground.addProject(site.url, { isOn: false });
    await ground.take(testBlog(projectId).published());
    expect(await ground.query('SELECT FROM index_now_address')).toEqual([]);
  });
});
