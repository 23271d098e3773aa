import { randomUUID } from 'node:crypto';
import type { BlogUpdateRequest } from '@blog-content/payload-schemas';
import { startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

type Blog = { readonly id: string };
const isChanged = async (blog: Blog): Promise<boolean> => (await owner.show(blog)).has_unpublished_changes;
const edit = (blog: Blog, changes: BlogUpdateRequest) => owner.patch(`/blogs/${blog.id}`, changes);
const published = async (fields: object = {}) => {
  const blog = await owner.newBlog({ title: 'Tea', content: '<p>Steep it.</p>', ...fields });
  await owner.publish(blog);
  return blog;
};

describe('a published post', () => {
  it.each<[string, BlogUpdateRequest]>([
    ['title', { title: 'Coffee' }],
    ['slug', { slug: `coffee-${randomUUID()}` }],
    ['content', { content: '<p>Grind it.</p>' }],
    ['excerpt', { excerpt: 'Another.' }],
    ['meta title', { meta_title: 'Another' }],
    ['meta description', { meta_description: 'Another' }],
    ['hero', { featured_image_url: 'https://cdn.example/hero.jpg' }],
    ['generated hero', { generated_images: ['https://cdn.example/hero.jpg'] }],
    ['categories', { categories: ['Drinks'] }],
    ['tags', { tags: ['hot'] }],
    ['keyword', { keyword: 'tea' }],
    ['publication date', { published_at: '2025-01-01T00:00:00Z' }],
  ])(
    'has unpublished changes after an edit of its %s, and none once its published version is back',
    async (_, edited) => {
      const blog = await published();
      const { slug } = await owner.show(blog);
      expect((await edit(blog, edited)).body.has_unpublished_changes).toBe(true);
      expect(await isChanged(blog)).toBe(true);
      const restored = await owner.post(`/blogs/${blog.id}/revisions/1/restore`);
      if ('published_at' in edited) await edit(blog, { published_at: null });
      else expect(restored.body.has_unpublished_changes).toBe(false);
      expect(await owner.show(blog)).toMatchObject({ slug, has_unpublished_changes: false });
    },
  );

  it('has none after edits that readers would not see: blanks, placeholders, the excerpt that is made anyway', async () => {
    const blog = await published();
    for (const same of [
      { excerpt: 'Steep it.' },
      { meta_title: '  ' },
      { keyword: '[INTERNAL:tea]' },
      { content_markdown: 'Steep it.' },
    ]) {
      await edit(blog, { title: 'Coffee' });
      await edit(blog, { title: 'Tea', ...same });
      // Markdown ends its content with a line break.
      expect([same, await isChanged(blog)]).toEqual([same, 'content_markdown' in same]);
    }
  });

  it('is found by the filter of posts with changes only while it has some', async () => {
    const to = await owner.inNewProject();
    const blog = await to.newBlog({ title: 'Tea' });
    await to.publish(blog);
    const changed = async () => (await to.get('/blogs?changed=true')).body.items.map(({ id }: Blog) => id);
    await to.patch(`/blogs/${blog.id}`, { title: 'Coffee' });
    expect(await changed()).toEqual([blog.id]);
    await to.patch(`/blogs/${blog.id}`, { title: 'Tea' });
    expect(await changed()).toEqual([]);
  });

  it('has none when it is restored after a post that it links to was renamed, and some when it links elsewhere', async () => {
    const [green, black] = [await published({ title: 'Green' }), await published({ title: 'Black' })];
    const linksTo = (slug: string) => `<p><a href="[INTERNAL:${slug}]">Tea</a></p>`;
    const blog = await published({ content: linksTo((await owner.show(green)).slug) });
    const renamed = `green-tea-${randomUUID()}`;
    await edit(green, { slug: renamed });
    await edit(blog, { content: linksTo((await owner.show(black)).slug) });
    expect(await isChanged(blog)).toBe(true);
    await edit(blog, { content: linksTo(renamed) });
    expect(await isChanged(blog)).toBe(false);
  });
});
