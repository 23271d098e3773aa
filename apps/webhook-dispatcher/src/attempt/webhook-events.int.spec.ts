import { extras } from '@blog-content/payload-schemas';
import { eventually, type ReceivedRequest, startReceiver } from '@blog-content/testing';
import { servedEvent, testBlog } from '../../test/events.ts';
import { prepareSecureGround, type SecureGround } from '../../test/grounds/secure-ground.ts';

let on: SecureGround;
beforeAll(async () => {
  on = await prepareSecureGround({ RETRY_DELAYS_MS: '100,100,100,100' });
});
beforeEach(() => {
  on.receiver.clear();
  on.receiver.respondWith(() => ({}));
});
afterAll(() => on[Symbol.asyncDispose]());

const eventsOf = (requests: readonly ReceivedRequest[]) => requests.map((request) => request.json()['event']);
/** The deliveries that were planned for a lifecycle event. */
const plannedFor = (lifecycleEventId: string) =>
  eventually(() => {
    const planned = on.ground.outcomes.find(
      (event) => event.event === 'deliveries.planned' && event.lifecycle_event_id === lifecycleEventId,
    );
    if (planned?.event !== 'deliveries.planned') throw new Error('it is not planned yet');
    return planned.deliveries;
  });
const FULL = [
  'event',
  'blog_id',
  'title',
  'slug',
  'content',
  'excerpt',
  'excerpt_short',
  'meta_title',
  'meta_description',
].concat([
  'featured_image_url',
  'categories',
  'tags',
  'keyword',
  ...Object.keys(extras.shapeFor('webhooks')),
  'published_at',
  'images',
]);

describe('§2.5, §6: the bodies', () => {
  it('of blog.published and blog.updated have every field of the table, and the same shape', async () => {
    const { blog } = await on.newProject();
    await on.deliver(blog.published());
    await on.deliver(blog.published());
    for (const request of on.requestsOf(blog.id)) expect(Object.keys(request.json())).toEqual(FULL);
    expect(eventsOf(on.requestsOf(blog.id))).toEqual(['blog.published', 'blog.updated']);
  });

  it('have more fields only for the webhook that asks for them', async () => {
    const project = await on.newProject({ settings: { fields: ['og_title', 'canonical_url'] } });
    await on.addIntegration(project.projectId);
    const { canonical_url, og_title } = extras.examples;
    await on.deliver(project.blog.published({ revision: extras.examples }), 2);
    const bodies = on.requestsOf(project.blog.id).map((request) => request.json());
    const asked = bodies.find((body) => 'og_title' in body);
    expect(asked).toMatchObject({ canonical_url, og_title });
    expect(bodies.map((body) => Object.keys(body).length).sort()).toEqual([FULL.length, FULL.length + 2]);
    await on.changeIntegration(project, { settings: {} });
    on.receiver.clear();
    await on.deliver(project.blog.published({ revision: extras.examples }), 2);
    for (const request of on.requestsOf(project.blog.id)) expect(Object.keys(request.json())).toEqual(FULL);
  });

  it.each(['manual', 'autopilot'] as const)(
    'of blog.unpublished and blog.deleted are compact, by %s too',
    async (trigger) => {
      const { blog } = await on.newProject();
      await on.deliver(blog.published());
      await on.deliver(blog.unpublished(trigger));
      await on.deliver(blog.deleted(trigger));
      const title = 'Tea & <coffee>';
      expect(
        on
          .requestsOf(blog.id)
          .slice(1)
          .map((request) => request.json()),
      ).toEqual([
        { event: 'blog.unpublished', blog_id: blog.id, title },
        { event: 'blog.deleted', blog_id: blog.id, title },
      ]);
    },
  );

  it('hold nulls, empty texts and empty arrays where the table has them', async () => {
    const { blog } = await on.newProject();
    const revision = { excerpt: '', categories: [], tags: [], keyword: null, meta_title: null, meta_description: null };
    await on.deliver(blog.published({ revision: { ...revision, featured_image_url: null, content: '' } }));
    expect(on.requestsOf(blog.id)[0]?.json()).toMatchObject({
      ...revision,
      excerpt_short: '',
      images: [],
      featured_image_url: null,
    });
  });

  it('never hold a placeholder', async () => {
    const { blog } = await on.newProject();
    const content =
      '<p><a href="[INTERNAL:mint]">Mint</a>, <a href="%5BINTERNAL:sage%5D">sage</a> [internal: mint ]</p>';
    const published_link_targets = [{ slug: 'mint', title: 'Mint' }];
    await on.deliver(blog.published({ revision: { content }, published_link_targets }));
    expect(on.requestsOf(blog.id)[0]?.json()['content']).toBe(
      '<p><a href="https://site.example/blog/mint/">Mint</a>, sage <a href="https://site.example/blog/mint/">Mint</a></p>',
    );
  });

  it('§6.6 list images without the hero, each url such that replacing src="<url>" re-hosts every one', async () => {
    const hero = 'https://cdn.example/hero.jpg?w=1&h=2';
    const inBody = [
      'https://cdn.example/b.png',
      'https://cdn.example/a.png?x=1&amp;y=2',
      'https://cdn.example/ä %20.png',
    ];
    const [b = '', a = '', odd = ''] = inBody;
    const content = `<p><img src="${b}" alt="B"></p><img src="${a}"><img alt="again" src="${b}"><figure><img src="${odd}" alt="Ä &amp; O"></figure>`;
    const { blog } = await on.newProject();
    await on.deliver(blog.published({ revision: { content, featured_image_url: hero } }));
    const body = on.requestsOf(blog.id)[0]?.json<{ content: string; images: { url: string; alt: string }[] }>();
    expect(body?.images).toEqual([
      { url: b, alt: 'B' },
      { url: a, alt: '' },
      { url: odd, alt: 'Ä & O' },
    ]);
    let rehosted = body?.content ?? '';
    for (const [index, { url }] of (body?.images ?? []).entries())
      rehosted = rehosted.replaceAll(`src="${url}"`, `src="/${index}"`);
    expect(rehosted.match(/src="[^"]*"/g)).toEqual(['src="/0"', 'src="/1"', 'src="/0"', 'src="/2"']);
  });
});

describe('§6.4: idempotency', () => {
  it('the key is stable across all retries of one publish, and another for a later publish; attempts count from 1', async () => {
    const { blog } = await on.newProject();
    let left = 3;
    on.receiver.respondWith(() => ({ status: (left -= 1) >= 0 ? 500 : 200 }));
    await on.deliver(blog.published({ trigger: 'autopilot' }));
    await on.deliver(blog.published({ trigger: 'autopilot' }));
    const bodies = on.requestsOf(blog.id).map((request) => request.json());
    expect(bodies.map((body) => body['publish_attempt'])).toEqual([1, 2, 3, 4, 1]);
    const keys = bodies.map((body) => String(body['idempotency_key']));
    expect(new Set(keys.slice(0, 4)).size).toBe(1);
    expect(keys[4]).not.toBe(keys[0]);
    for (const key of keys) expect(key).toMatch(new RegExp(`^${blog.id}:[0-9a-f-]{36}$`));
  });

  it('is the same at every receiver of a publish, and absent from manual ones', async () => {
    const { blog, projectId } = await on.newProject();
    const other = await startReceiver({ certificate: on.certificate });
    await on.addIntegration(projectId, { url: on.urlOf(other.port) });
    const event = blog.published({ trigger: 'autopilot' });
    await on.deliver(event, 2);
    const key = `${blog.id}:${event.data.publish_id}`;
    expect(on.requestsOf(blog.id)[0]?.json()).toMatchObject({ idempotency_key: key });
    expect(other.requests[0]?.json()).toMatchObject({ idempotency_key: key });
    await on.deliver(blog.published(), 2);
    for (const request of [on.requestsOf(blog.id)[1], other.requests[1]]) {
      expect(Object.keys(request?.json() ?? {})).toEqual(FULL);
    }
    await other.close();
  });

  it('one delivery has one id in X-Webhook-Delivery over all attempts', async () => {
    const { blog } = await on.newProject();
    const answers = [500, 200, 200];
    on.receiver.respondWith(() => ({ status: answers.shift() ?? 200 }));
    const [first] = await on.deliver(blog.published({ trigger: 'autopilot' }));
    const [second] = await on.deliver(blog.published());
    const ids = on.requestsOf(blog.id).map(({ headers }) => headers['x-webhook-delivery']);
    expect(ids).toEqual([first?.delivery_id, first?.delivery_id, second?.delivery_id]);
  });
});

describe('§3, §6: blog.published or blog.updated, for each receiver by itself', () => {
  it('a receiver that failed gets blog.published again, the others blog.updated', async () => {
    const { blog, projectId } = await on.newProject();
    const other = await startReceiver({ certificate: on.certificate, respond: () => ({ status: 500 }) });
    await on.addIntegration(projectId, { url: on.urlOf(other.port) });
    await on.deliver(blog.published(), 2);
    other.respondWith(() => ({}));
    await on.deliver(blog.published(), 2);
    await on.deliver(blog.published(), 2);
    expect(eventsOf(on.requestsOf(blog.id))).toEqual(['blog.published', 'blog.updated', 'blog.updated']);
    expect(eventsOf(other.requests)).toEqual(['blog.published', 'blog.published', 'blog.updated']);
    await other.close();
  });

  it('blog.published again once an unpublish has been delivered, but not once it has failed', async () => {
    const { blog } = await on.newProject();
    await on.deliver(blog.published());
    on.receiver.respondWith(() => ({ status: 400 }));
    await on.deliver(blog.unpublished());
    on.receiver.respondWith(() => ({}));
    await on.deliver(blog.published());
    await on.deliver(blog.unpublished());
    await on.deliver(blog.published());
    expect(eventsOf(on.requestsOf(blog.id))).toEqual(
      ['published', 'unpublished', 'updated', 'unpublished', 'published'].map((name) => `blog.${name}`),
    );
  });

  it('a retry says blog.published for as long as none has succeeded', async () => {
    const { blog } = await on.newProject();
    const answers = [500, 500, 200, 500, 200];
    on.receiver.respondWith(() => ({ status: answers.shift() ?? 200 }));
    await on.deliver(blog.published({ trigger: 'autopilot' }));
    await on.deliver(blog.published({ trigger: 'autopilot' }));
    expect(eventsOf(on.requestsOf(blog.id))).toEqual(
      ['published', 'published', 'published', 'updated', 'updated'].map((name) => `blog.${name}`),
    );
  });

  it('§1.4 a receiver that is not active gets nothing, and one that is added later nothing of the past (§1.5)', async () => {
    const without = await on.newProject(null);
    const past = without.blog.published();
    await on.ground.append(past);
    expect(await plannedFor(past.id)).toEqual([]);
    const project = { ...without, integrationId: await on.addIntegration(without.projectId) };
    await on.changeIntegration(project, { active: false });
    const unseen = project.blog.published();
    await on.ground.append(unseen);
    expect(await plannedFor(unseen.id)).toEqual([]);
    await on.changeIntegration(project, { active: true });
    await on.deliver(project.blog.published());
    expect(on.requestsOf(project.blog.id)).toHaveLength(1);
  });
});

describe('order of a blog’s events (contract §3.1)', () => {
  it('a newer event of the blog supersedes a waiting retry, which is no failure; the receiver gets the newest', async () => {
    const { blog } = await on.newProject();
    on.receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': '600' } }));
    const first = blog.published({ trigger: 'autopilot' });
    await on.ground.append(first, servedEvent(first));
    await eventually(() => on.ground.retriesPlanned(first.id).length > 0);
    on.receiver.respondWith(() => ({}));
    const second = blog.published({ trigger: 'autopilot', revision: { title: 'Newer' } });
    expect(await on.deliver(second)).toMatchObject([{ outcome: 'succeeded', attempts: 1 }]);
    expect(await on.ground.finished(first.id)).toMatchObject([{ outcome: 'superseded', reason: null, attempts: 1 }]);
    expect(on.requestsOf(blog.id).map((request) => request.json()['title'])).toEqual(['Tea & <coffee>', 'Newer']);
    expect(eventsOf(on.requestsOf(blog.id))).toEqual(['blog.published', 'blog.published']);
  });

  it.each(['unpublished', 'deleted'] as const)('blog.%s supersedes the retry of a publish as well', async (name) => {
    const { blog } = await on.newProject();
    on.receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': '600' } }));
    const publish = blog.published({ trigger: 'autopilot' });
    await on.ground.append(publish, servedEvent(publish));
    await eventually(() => on.ground.retriesPlanned(publish.id).length > 0);
    on.receiver.respondWith(() => ({}));
    expect(await on.deliver(blog[name]())).toMatchObject([{ outcome: 'succeeded' }]);
    expect(await on.ground.finished(publish.id)).toMatchObject([{ outcome: 'superseded' }]);
    expect(eventsOf(on.requestsOf(blog.id))).toEqual(['blog.published', `blog.${name}`]);
  });

  it('the next event of a blog waits for the attempt under way, and other blogs do not', async () => {
    const { blog } = await on.newProject();
    const held = Promise.withResolvers<void>();
    let first: ReceivedRequest | undefined;
    on.receiver.respondWith(async (request) => {
      if (request.json()['blog_id'] !== blog.id || first !== undefined) return {};
      first = request;
      await held.promise;
      return {};
    });
    const events = [blog.published(), blog.published(), blog.unpublished()];
    await on.ground.append(...events, ...events.map(servedEvent));
    await eventually(() => first !== undefined);
    const { blog: other } = await on.newProject();
    await on.deliver(other.published());
    expect(on.requestsOf(blog.id)).toHaveLength(1);
    held.resolve();
    await Promise.all(events.map((event) => on.ground.finished(event.id)));
    expect(eventsOf(on.requestsOf(blog.id))).toEqual(['blog.published', 'blog.updated', 'blog.unpublished']);
  });

  it('§6.5 deliveries of different blogs to one receiver are concurrent', async () => {
    const { projectId } = await on.newProject(null);
    const all = Promise.withResolvers<void>();
    let under = 0;
    const receiver = await startReceiver({
      certificate: on.certificate,
      async respond() {
        under += 1;
        if (under === 4) all.resolve();
        await all.promise;
        return {};
      },
    });
    await on.addIntegration(projectId, { url: on.urlOf(receiver.port) });
    const events = Array.from({ length: 4 }, () => testBlog(projectId).published());
    await on.ground.append(...events, ...events.map(servedEvent));
    for (const event of events) expect(await on.ground.finished(event.id)).toMatchObject([{ outcome: 'succeeded' }]);
    await receiver.close();
  });
});
