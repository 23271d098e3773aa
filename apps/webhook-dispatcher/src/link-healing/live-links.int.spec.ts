import { eventually } from '@blog-content/testing';
import { testBlog } from '../../test/events.ts';
import { linkingTo, under } from '../../test/healing.ts';
import { prepareSecureGround, type SecureGround } from '../../test/grounds/secure-ground.ts';

let on: SecureGround;
beforeAll(async () => {
  on = await prepareSecureGround({ LINK_HEALING_QUIET_MS: '0' });
  on.receiver.respondWith((request) => ({
    body: { ok: true, url: `https://live.example/${String(request.json()['slug'])}?a=1&b=2` },
  }));
});
afterAll(() => on[Symbol.asyncDispose]());

const LIVE = '<p><a href="https://live.example/target?a=1&amp;b=2">to target</a></p>';
const last = (blogId: string) => on.requestsOf(blogId).at(-1)?.json();
/** Until all that was published before is known of its links. */
const known = (projectId: string) =>
  eventually(async () => expect(await on.ground.query(KNOWN, [projectId])).toHaveLength(1));
const KNOWN = 'SELECT FROM link_view WHERE project_id = $1';

describe('the links of a post that is sent to a receiver', () => {
  it('use the receiver’s own URLs of the targets, if its owner chose that, as soon as it has them', async () => {
    const project = await on.newProject({ heal_links: true, settings: { links: 'live' } });
    await known(project.projectId);
    await on.deliver(project.blog.published(linkingTo('target')));
    expect(last(project.blog.id)).toMatchObject({ event: 'blog.published', content: '<p>to target</p>' });
    await on.deliver(testBlog(project.projectId).published(under('target')));
    await eventually(() => expect(last(project.blog.id)).toMatchObject({ event: 'blog.updated', content: LIVE }));
    expect(on.requestsOf(project.blog.id).at(-1)?.signature).toBe('valid');
  });

  it('use the site’s URLs otherwise, and for targets that it does not have', async () => {
    const project = await on.newProject({ heal_links: true });
    await known(project.projectId);
    const target = testBlog(project.projectId).published(under('target'));
    await on.deliver(target);
    const lives = await on.addIntegration(project.projectId, { heal_links: true, settings: { links: 'live' } });
    const linking = project.blog.published({
      ...linkingTo('target'),
      published_link_targets: [{ slug: 'target', title: 'Title of target' }],
    });
    await on.deliver(linking, 2);
    expect(lives).not.toBe(project.integrationId);
    for (const request of on.requestsOf(project.blog.id)) {
      expect(request.json()['content']).toBe('<p><a href="https://site.example/blog/target/">to target</a></p>');
    }
  });
});
