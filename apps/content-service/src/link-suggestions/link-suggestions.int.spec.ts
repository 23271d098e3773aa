import { eachInNewProject, type Owner } from '../../test/owner.ts';
import type { RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
eachInNewProject((ground) => ({ service, owner } = ground));

async function published(fields: object): Promise<{ id: string; slug: string }> {
  const blog = await owner.newBlog(fields);
  expect((await owner.publish(blog)).status).toBe(202);
  return blog;
}
const suggested = async (text: string, more: object = {}) =>
  (await owner.post('/blogs/link-suggestions', { text, ...more })).body.items as { slug: string; anchor: string }[];
const slugs = async (text: string, more: object = {}) => (await suggested(text, more)).map(({ slug }) => slug);

describe('link suggestions of a project', () => {
  it('names no post that the text links to already, by the slug that is published or by the next one', async () => {
    const blog = await published({ title: 'Oolong' });
    await owner.patch(`/blogs/${blog.id}`, { slug: 'wu-long' });
    const slugsBeside = (text: string) => slugs(`<p>All about oolong.</p>${text}`);
    expect(await slugsBeside('')).toEqual(['wu-long']);
    for (const slug of ['wu-long', blog.slug]) expect(await slugsBeside(`[INTERNAL:${slug}]`)).toEqual([]);
  });

  it('are published posts with the place they fit into, for members and agents alike', async () => {
    const blog = await published({ title: 'Green tea', slug: 'green-tea' });
    const expected = {
      items: [
        {
          blog_id: blog.id,
          slug: 'green-tea',
          title: 'Green tea',
          href: '[INTERNAL:green-tea]',
          anchor: 'green tea',
          start: 12,
          end: 21,
          before: 'We drink ',
          after: '.',
          because: 'title',
          score: 0.95,
        },
      ],
    };
    const text = '<p>We drink green tea.</p>';
    const { body: key } = await owner.post('/agent-keys', { name: 'Writer' });
    const query = `link-suggestions?text=${encodeURIComponent(text)}&limit=3`;
    const asAgent = { token: key.key as string };
    for (const answer of [
      await owner.post('/blogs/link-suggestions', { text }),
      await owner.get(`/blogs/${query}`),
      await service.callAgent('POST', 'blogs/link-suggestions', { ...asAgent, json: { text } }),
      await service.callAgent('GET', `blogs/${query}`, asAgent),
    ]) {
      expect([answer.status, answer.body]).toEqual([200, expected]);
    }
    for (const limit of ['0', '51', '1e1', '0x2', '%205', '2.0', '']) {
      const { status, body } = await owner.get(`/blogs/link-suggestions?text=tea&limit=${limit}`);
      expect([status, body.detail]).toEqual([
        400,
        `\`limit\` must be between 1 and 50 (got ${decodeURIComponent(limit) || 'nothing'}).`,
      ]);
    }
  });

  it('are neither drafts nor posts that were unpublished or deleted, and follow the title that readers see', async () => {
    await owner.newBlog({ title: 'Black tea' });
    const blog = await published({ title: 'Green tea' });
    const text = 'Black tea, green tea or white tea';
    expect(await slugs(text)).toEqual([blog.slug]);
    await owner.patch(`/blogs/${blog.id}`, { title: 'White tea' });
    expect((await suggested(text)).map(({ anchor }) => anchor)).toEqual(['green tea']);
    await owner.publish(blog);
    expect((await suggested(text)).map(({ anchor }) => anchor)).toEqual(['white tea']);
    await owner.post(`/blogs/${blog.id}/unpublish`);
    expect(await slugs(text)).toEqual([]);
    await owner.publish(blog);
    expect(await slugs(text)).toEqual([blog.slug]);
    await owner.remove(`/blogs/${blog.id}`);
    expect(await slugs(text)).toEqual([]);
  });

  it('of a post are of its working copy, and never the post itself', async () => {
    const other = await published({ title: 'Black tea' });
    const blog = await published({ title: 'Green tea', content: '<p>Green tea</p>' });
    await owner.patch(`/blogs/${blog.id}`, { content: '<p>Green tea is no black tea.</p>' });
    const { body } = await owner.get(`/blogs/link-suggestions?blog_id=${blog.id}`);
    expect(body.items.map(({ slug }: { slug: string }) => slug)).toEqual([other.slug]);
    expect(await slugs('Green tea is no black tea', { blog_id: blog.id })).toEqual([other.slug]);
  });

  it('are of the project alone', async () => {
    await published({ title: 'Green tea' });
    const before = owner;
    owner = await owner.inNewProject();
    const blog = await before.newBlog({ title: 'Theirs' });
    expect(await slugs('Green tea')).toEqual([]);
    expect((await owner.get(`/blogs/link-suggestions?blog_id=${blog.id}`)).status).toBe(404);
  });

  it('are found by words of any script, in long texts too', async () => {
    const posts = [await published({ title: '日本茶' }), await published({ title: 'Чай', keyword: 'зелёный чай' })];
    const filler = '<p>Some other words of a long text.</p>'.repeat(1_000);
    const found = await slugs(`${filler}<p>今日は日本茶を飲みます。</p><p>Это зелёный чай.</p>${filler}`);
    expect(found.toSorted()).toEqual(posts.map(({ slug }) => slug).toSorted());
  });

  it('are the most relevant of many', async () => {
    for (let n = 0; n < 12; n += 1) await published({ title: `Tea number ${n}` });
    const best = await published({ title: 'Water for tea', keyword: 'water' });
    expect(await slugs('Tea needs water. Tea number 7 and tea number 8.', { limit: 2 })).toContain(best.slug);
    expect(await slugs('Nothing fits here.')).toEqual([]);
  });

  it.each([
    ['no text', {}, 422],
    ['too long a text', { text: 'x'.repeat(500_001) }, 422],
    ['too many', { text: 'x', limit: 51 }, 422],
    ['no id', { text: 'x', blog_id: 'x' }, 422],
  ])('%s is refused', async (_what, json, status) => {
    expect((await owner.post('/blogs/link-suggestions', json)).status).toBe(status);
  });
});
