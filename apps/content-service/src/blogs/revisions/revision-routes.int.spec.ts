import { randomUUID } from 'node:crypto';
import { extras, type BlogUpdateRequest } from '@blog-content/payload-schemas';
import { addExampleAuthor, startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
  await addExampleAuthor(owner);
});
afterAll(() => service[Symbol.asyncDispose]());

type GivenFields<Unless extends keyof BlogUpdateRequest> = Required<
  Omit<BlogUpdateRequest, 'title' | 'slug' | 'published_at' | 'release_alias' | Unless>
>;

const everything = {
  content: '<p>one</p>',
  excerpt: 'x',
  meta_title: 'm',
  meta_description: 'd',
  featured_image_url: 'https://cdn.example/a.jpg',
  generated_images: ['https://cdn.example/b.jpg'],
  categories: ['c'],
  tags: ['t'],
  keyword: 'k',
  ...extras.examples,
  // No two posts of a project have a language and a translation key in common.
  translation_key: null,
} satisfies GivenFields<'content_markdown'>;
const changed = {
  content_markdown: 'two',
  excerpt: '',
  meta_title: null,
  meta_description: null,
  featured_image_url: null,
  generated_images: [],
  categories: [],
  tags: [],
  keyword: null,
  ...extras.of({}),
} satisfies GivenFields<'content'>;

/** A blog with two revisions, the second one under another slug. */
async function twice() {
  const suffix = randomUUID();
  const blog = await owner.newBlog({ title: 'First', slug: `first-${suffix}`, ...everything });
  await owner.publish(blog);
  await owner.patch(`/blogs/${blog.id}`, { title: 'Second', slug: `second-${suffix}`, ...changed });
  await owner.publish(blog);
  return { ...blog, path: `/blogs/${blog.id}/revisions`, first: `first-${suffix}`, second: `second-${suffix}` };
}

describe('the history of a blog', () => {
  it('is listed newest first, a page at a time', async () => {
    const { path, first, second } = await twice();
    const page = (await owner.get(`${path}?limit=1`)).body;
    expect(page.items).toMatchObject([{ number: 2, title: 'Second', slug: second }]);
    expect((await owner.get(`${path}?limit=1&cursor=${page.next_cursor}`)).body).toMatchObject({
      items: [{ number: 1, title: 'First', slug: first, published_at: expect.stringMatching(/Z$/) }],
      next_cursor: null,
    });
  });

  it('shows a revision as it was written', async () => {
    const { id, path, first } = await twice();
    expect((await owner.get(`${path}/1`)).body).toMatchObject({
      blog_id: id,
      number: 1,
      title: 'First',
      slug: first,
      content_markdown: null,
      ...everything,
    });
    expect((await owner.get(`${path}/2`)).body).toMatchObject({ content: '<p>two</p>\n', content_markdown: 'two' });
  });

  it('tells what changed from one revision to another, and to the working copy', async () => {
    const { id, path } = await twice();
    await owner.patch(`/blogs/${id}`, { content: '<p>three</p>' });
    const between = (await owner.get(`${path}/1/diff?to=2`)).body;
    expect(between).toMatchObject({ from: 1, to: 2 });
    expect(between.fields.map(({ field }: { field: string }) => field)).toEqual([
      'title',
      'slug',
      'excerpt',
      'meta_title',
      'meta_description',
      'featured_image_url',
      'generated_images',
      'categories',
      'tags',
      'keyword',
      // An example that is the default is no change.
      ...Object.keys(extras.shape).filter((name) => !['data', 'translation_key'].includes(name)),
    ]);
    for (const to of ['0x2', '2.0', '%202', '']) {
      const { status, body } = await owner.get(`${path}/1/diff?to=${to}`);
      expect([status, body.detail]).toEqual([
        400,
        expect.stringMatching(/^`to` must be between 1 and 2147483647 \(got .+\)\.$/),
      ]);
    }
    expect((await owner.get(`${path}/2/diff`)).body).toMatchObject({
      to: 'working_copy',
      content: expect.arrayContaining([{ change: 'added', html: '<p>three</p>' }]),
    });
  });

  it.each(['3', '0', '-1', 'x', '99999999999', '1e0', '0x1', '%201', '1.0'])('has no revision %s', async (number) => {
    const { path } = await twice();
    expect((await owner.get(`${path}/${number}`)).status).toBe(404);
    expect((await owner.get(`${path}/${number}/diff`)).status).toBe(404);
    expect((await owner.post(`${path}/${number}/restore`)).status).toBe(404);
  });

  it('is no other project’s, and gone with the blog', async () => {
    const { id, path } = await twice();
    const other = await owner.inNewProject();
    expect((await other.get(path)).status).toBe(404);
    expect((await other.get(`${path}/1`)).status).toBe(404);
    expect((await other.post(`${path}/1/restore`)).status).toBe(404);
    await owner.remove(`/blogs/${id}`);
    expect((await owner.get(`${path}/1`)).status).toBe(404);
  });
});

describe('restoring a revision', () => {
  it('brings all of it back into the working copy, and publishes nothing', async () => {
    const { id, path, first } = await twice();
    const restored = await owner.post(`${path}/1/restore`);
    expect(restored.status).toBe(200);
    expect(restored.body).toMatchObject({
      title: 'First',
      slug: first,
      ...everything,
      content_markdown: null,
      has_unpublished_changes: true,
    });
    expect(restored.headers['etag']).toBe(`"${restored.body.version}"`);
    expect(await owner.eventsOf({ id })).toHaveLength(2);
  });

  it('keeps the slug when asked to', async () => {
    const { path, second } = await twice();
    expect((await owner.post(`${path}/1/restore`, { keep_slug: true })).body).toMatchObject({
      title: 'First',
      slug: second,
    });
  });

  it('is 409 when the slug has another owner by now, and says how to go on', async () => {
    const { path, first } = await twice();
    await owner.newBlog({ slug: first, release_alias: true });
    const refused = await owner.post(`${path}/1/restore`);
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('keep_slug')]);
  });

  it('is 412 when the working copy was edited since', async () => {
    const { path } = await twice();
    expect((await owner.post(`${path}/1/restore`, {}, { 'if-match': '"1"' })).status).toBe(412);
  });

  it('needs no body', async () => {
    const { path } = await twice();
    expect((await owner.call('POST', `${path}/1/restore`)).status).toBe(200);
  });
});
