import { eventually, type ReceivedRequest, startReceiver } from '@blog-content/testing';
import { servedEvent, testBlog, type TestBlog } from '../../test/events.ts';
import { prepareSecureGround, type SecureGround } from '../../test/grounds/secure-ground.ts';
import { webhookCalls } from '../../test/webhook-calls.ts';

let on: SecureGround;
beforeAll(async () => {
  on = await prepareSecureGround({ RETRY_DELAYS_MS: '100,100,100,100', LINK_HEALING_QUIET_MS: '0' });
});
beforeEach(() => {
  on.receiver.clear();
  works();
});
afterAll(() => on[Symbol.asyncDispose]());

const works = () => on.receiver.respondWith(() => ({}));
const fails = (status = 500) => on.receiver.respondWith(() => ({ status }));
const named = (slug: string) => ({ revision: { slug } });
const byAgent = (slug: string) => ({ ...named(slug), trigger: 'autopilot' as const });
/** The slugs of a blog that the receiver got, in order. */
const told = (blog: TestBlog, requests: readonly ReceivedRequest[] = on.requestsOf(blog.id)) =>
  requests.map((request) => {
    const { event, slug, previous_slug: previous = null } = request.json();
    return [event, slug, previous];
  });

describe('previous_slug', () => {
  it('is sent with the first publish after a rename by a person or an agent, and never again', async () => {
    const { blog } = await on.newProject();
    for (const event of [named('a'), named('b'), named('b'), byAgent('c'), byAgent('c'), named('a')]) {
      await on.deliver(blog.published(event));
    }
    expect(told(blog)).toEqual([
      ['blog.published', 'a', null],
      ['blog.updated', 'b', 'a'],
      ['blog.updated', 'b', null],
      ['blog.updated', 'c', 'b'],
      ['blog.updated', 'c', null],
      ['blog.updated', 'a', 'c'],
    ]);
  });

  it('is the same in all attempts of one delivery, whose signed bytes differ in publish_attempt alone', async () => {
    const { blog } = await on.newProject();
    await on.deliver(blog.published(named('a')));
    on.receiver.clear();
    const answers = [500, 500, 200];
    on.receiver.respondWith(() => ({ status: answers.shift() ?? 200 }));
    await on.deliver(blog.published(byAgent('b')));
    const requests = on.requestsOf(blog.id);
    expect(told(blog)).toEqual(Array.from({ length: 3 }, () => ['blog.updated', 'b', 'a']));
    expect(requests.map(({ signature }) => signature)).toEqual(['valid', 'valid', 'valid']);
    const bodies = requests.map(({ body }) => body.toString().replace(/"publish_attempt":\d/, ''));
    expect(new Set(bodies).size).toBe(1);
  });

  it('names the slug that the receiver has, not one whose delivery failed', async () => {
    const { blog } = await on.newProject();
    await on.deliver(blog.published(named('a')));
    fails();
    await on.deliver(blog.published(named('b')));
    works();
    await on.deliver(blog.published(named('c')));
    await on.deliver(blog.published(named('c')));
    expect(told(blog)).toEqual([
      ['blog.published', 'a', null],
      ['blog.updated', 'b', 'a'],
      ['blog.updated', 'c', 'a'],
      ['blog.updated', 'c', null],
    ]);
  });

  it('skips a rename whose delivery was superseded', async () => {
    const { blog } = await on.newProject();
    await on.deliver(blog.published(named('a')));
    on.receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': '600' } }));
    const waiting = blog.published(byAgent('b'));
    await on.ground.append(waiting, servedEvent(waiting));
    await eventually(() => on.ground.retriesPlanned(waiting.id).length > 0);
    works();
    await on.deliver(blog.published(byAgent('c')));
    expect(told(blog).at(-1)).toEqual(['blog.updated', 'c', 'a']);
  });

  it('is absent after an unpublish, because the receiver no longer has the post', async () => {
    const { blog } = await on.newProject();
    await on.deliver(blog.published(named('a')));
    await on.deliver(blog.unpublished());
    await on.deliver(blog.published(named('b')));
    expect(told(blog).at(-1)).toEqual(['blog.published', 'b', null]);
  });

  it('is still sent after an unpublish whose delivery failed', async () => {
    const { blog } = await on.newProject();
    await on.deliver(blog.published(named('a')));
    fails(400);
    await on.deliver(blog.unpublished());
    works();
    await on.deliver(blog.published(named('b')));
    expect(told(blog).at(-1)).toEqual(['blog.updated', 'b', 'a']);
  });

  it('is sent with a redelivery of a failed rename, and not with one of a delivered post', async () => {
    const project = await on.newProject();
    const { blog } = project;
    const calls = await webhookCalls(on, project);
    await on.deliver(blog.published(named('a')));
    fails();
    const [failed] = await on.deliver(blog.published(named('b')));
    works();
    for (let times = 0; times < 2; times += 1) {
      const { body } = await calls.redeliver(failed?.delivery_id ?? '');
      await eventually(async () => expect((await calls.detail(body.id)).body.status).toBe('succeeded'));
    }
    expect(told(blog).slice(2)).toEqual([
      ['blog.updated', 'b', 'a'],
      ['blog.updated', 'b', null],
    ]);
  });

  it('is tracked for each receiver separately', async () => {
    const { blog, projectId } = await on.newProject();
    const other = await startReceiver({ certificate: on.certificate });
    await on.deliver(blog.published(named('a')));
    await on.addIntegration(projectId, { url: on.urlOf(other.port) });
    await on.deliver(blog.published(named('b')), 2);
    other.respondWith(() => ({ status: 500 }));
    await on.deliver(blog.published(named('c')), 2);
    other.respondWith(() => ({}));
    await on.deliver(blog.published(named('d')), 2);
    expect(told(blog).map(([, , previous]) => previous)).toEqual([null, 'a', 'b', 'c']);
    expect(told(blog, other.requests)).toEqual([
      ['blog.published', 'b', null],
      ['blog.updated', 'c', 'b'],
      ['blog.updated', 'd', 'b'],
    ]);
    await other.close();
  });

  it('is not in updates that receivers get because a linked post changed', async () => {
    const { blog, projectId } = await on.newProject({ heal_links: true });
    await eventually(async () =>
      expect(await on.ground.query('SELECT FROM link_view WHERE project_id = $1', [projectId])).toHaveLength(1),
    );
    const revision = { slug: 'a', content: '<p><a href="[INTERNAL:target]">to target</a></p>' };
    await on.deliver(blog.published({ revision }));
    await on.deliver(testBlog(projectId).published(named('target')));
    await eventually(() => expect(told(blog)).toHaveLength(2));
    expect(told(blog).at(-1)).toEqual(['blog.updated', 'a', null]);
  });

  it('is absent when a process of the previous release recorded the last delivery', async () => {
    const { blog } = await on.newProject();
    await on.deliver(blog.published(named('a')));
    // It writes what it knows of, and leaves the slug as it was.
    await on.ground.query('UPDATE receiver_blog SET position = position + 1 WHERE blog_id = $1', [blog.id]);
    await on.deliver(blog.published(named('b')));
    expect(told(blog).at(-1)).toEqual(['blog.updated', 'b', null]);
  });
});
