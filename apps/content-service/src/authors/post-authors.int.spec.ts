import { eachInNewProject, type Owner } from '../../test/owner.ts';
import { blogBySlug, importAll, ZIP } from '../../test/transfer/imports.ts';
import { makeArchive } from '../../test/transfer/make-archive.ts';

let owner: Owner;
let ada: string;
eachInNewProject((ground) => ({ owner } = ground));
beforeEach(async () => {
  ada = (await owner.post('/authors', { name: 'Ada Lovelace', slug: 'ada-byron', email: 'ada@example.com' })).body.id;
  await owner.patch(`/authors/${ada}`, { slug: 'ada' });
  await owner.post('/authors', { name: 'Bo' });
});

const total = async (author: string) => (await owner.get(`/blogs/counts?author=${author}`)).body.total;

describe('the authors of a post', () => {
  it('are kept in order, each once and by the slug that they have now', async () => {
    const blog = await owner.newBlog({ authors: ['bo', 'ada-byron', 'ada'] });
    expect(await owner.show(blog)).toMatchObject({ authors: ['bo', 'ada'] });
    await owner.publish(blog);
    expect(await owner.eventsOf(blog)).toMatchObject([{ revision: { authors: ['bo', 'ada'] } }]);
    await owner.patch(`/blogs/${blog.id}`, { authors: ['ada'] });
    expect(await owner.show(blog)).toMatchObject({ authors: ['ada'], has_unpublished_changes: true });
  });

  it('are refused by name where the project has none with the slug', async () => {
    const authors = ['ada', 'nobody'];
    const refused = await owner.post('/blogs', { title: 'A', authors });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ field: 'authors.1', message: expect.stringContaining('no author of the project has the slug “nobody”') }],
    ]);
    const blog = await owner.newBlog({ authors: ['bo'] });
    expect((await owner.patch(`/blogs/${blog.id}`, { authors })).status).toBe(422);
    expect(await owner.show(blog)).toMatchObject({ authors: ['bo'], version: blog.version });
  });

  it('stay named after they were deleted, also where a request repeats them', async () => {
    const blog = await owner.newBlog({ authors: ['ada', 'bo'] });
    await owner.publish(blog);
    await owner.remove(`/authors/${ada}`);
    expect((await owner.patch(`/blogs/${blog.id}`, { authors: ['ada', 'bo'], title: 'B' })).status).toBe(200);
    expect((await owner.post(`/blogs/${blog.id}/revisions/1/restore`)).status).toBe(200);
    expect(await owner.show(blog)).toMatchObject({ authors: ['ada', 'bo'] });
    expect((await owner.post('/blogs', { title: 'A', authors: ['ada'] })).status).toBe(422);
  });

  it('filter lists and counts, by earlier slugs too', async () => {
    const blog = await owner.newBlog({ authors: ['ada'] });
    await owner.newBlog({ authors: ['bo'] });
    await owner.patch(`/authors/${ada}`, { slug: 'ada-king' });
    for (const slug of ['ada', 'ada-byron', 'ada-king']) {
      expect((await owner.get(`/blogs?author=${slug}`)).body.items).toMatchObject([{ id: blog.id }]);
      expect(await total(slug)).toBe(1);
    }
    expect(await total('nobody')).toBe(0);
  });
});

describe('the authors of imported posts', () => {
  const files = {
    'a.md': '---\ntitle: A\nauthors: [bo, "Ada Lovelace", Cleo]\n---\na',
    'b.md': '---\ntitle: B\nauthor: ADA-byron\n---\nb',
    'c.md': '---\ntitle: C\nauthor: Cleo\n---\nc',
  };
  const unknown = expect.stringMatching(/^Not an author of this project: “Cleo”\. Add them under Settings → Authors/);

  it('are those with the slug or the name; others are reported, before and after', async () => {
    const plan = await owner.call('POST', '/imports/plan', {
      body: await makeArchive(files),
      headers: ZIP,
    });
    expect(plan.body.items).toMatchObject([{ message: unknown }, { message: null }, { message: unknown }]);
    const { id } = await importAll(owner, files);
    expect((await owner.get(`/imports/${id}/files`)).body.items).toMatchObject([
      { status: 'created', message: unknown },
      { status: 'created', message: null },
      { status: 'created', message: unknown },
    ]);
    expect(await blogBySlug(owner, 'a')).toMatchObject({ authors: ['bo', 'ada'] });
    expect(await blogBySlug(owner, 'b')).toMatchObject({ authors: ['ada'] });
    expect(await blogBySlug(owner, 'c')).toMatchObject({ authors: [] });
  });

  it('stay as they are here where the file names nobody known', async () => {
    await importAll(owner, { 'c.md': '---\ntitle: C\nauthor: bo\n---\nc' });
    await importAll(owner, { 'c.md': files['c.md'] }, '?existing=update');
    expect(await blogBySlug(owner, 'c')).toMatchObject({ authors: ['bo'] });
    await importAll(owner, { 'c.md': '---\ntitle: C\nauthors: []\n---\nc' }, '?existing=update');
    expect(await blogBySlug(owner, 'c')).toMatchObject({ authors: [] });
  });
});
