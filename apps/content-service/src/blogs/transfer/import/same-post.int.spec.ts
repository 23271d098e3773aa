import { startOwner, type Owner } from '../../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../../test/running-service.ts';
import { makeArchive } from '../../../../test/transfer/make-archive.ts';
import { blogBySlug, blogsOf, importAll, ZIP } from '../../../../test/transfer/imports.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService({ WORK_POLL_MS: '50' });
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const UPDATE = '?publish=true&existing=update';
const named = (title: string, text = `Text of ${title}.`) => `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}\n`;
const slugsOf = async (to: Owner) => (await blogsOf(to)).map(({ slug }) => String(slug)).sort();

describe('files whose names have no Latin letter', () => {
  it('each become a post, edit it when they come again, and no other file does', async () => {
    const to = await owner.inNewProject();
    const names = ['中文文章', '日本語の記事', '한국어글', '🎉', '第1章', '第1回', 'مقال', 'מאמר', 'บทความ', '。'];
    const files = Object.fromEntries(names.map((name) => [`${name}.md`, named(name)]));
    expect(await importAll(to, files, '?publish=true')).toMatchObject({ created: names.length });
    const slugs = await slugsOf(to);
    expect(slugs).toEqual(expect.arrayContaining(['zhong-wen-wen-zhang', 'di-1-zhang', 'di-1-hui', 'tada']));

    expect(await importAll(to, { '別の記事.md': named('別の記事') }, UPDATE)).toMatchObject({ created: 1 });
    expect(await importAll(to, { '…/。.md': named('Another') }, UPDATE)).toMatchObject({ created: 1 });
    expect(await blogBySlug(to, 'zhong-wen-wen-zhang')).toMatchObject({ title: '中文文章' });

    // Its own file may have another title now, and a name that is composed in another way.
    const retitled = { ['한국어글.md'.normalize('NFD')]: named('New title') };
    expect(await importAll(to, retitled, UPDATE)).toMatchObject({ updated: 1 });
    expect(await importAll(to, { '한국어글.md': named('한국어글') }, UPDATE)).toMatchObject({ updated: 1 });

    const again = Object.fromEntries(names.map((name) => [`${name}.md`, named(name, 'New.')]));
    expect(await importAll(to, again, UPDATE)).toMatchObject({ created: 0, updated: names.length - 1, skipped: 1 });
    expect(await blogBySlug(to, 'zhong-wen-wen-zhang')).toMatchObject({ content_markdown: 'New.\n' });
  });

  it('overwrite no post whose name is only transliterated alike', async () => {
    const to = await owner.inNewProject();
    await importAll(to, { '章.md': named('章') }, '?publish=true');
    expect(await importAll(to, { '张.md': named('张') }, UPDATE)).toMatchObject({ failed: 1, updated: 0 });
    expect(await importAll(to, { '张.md': named('张') })).toMatchObject({ skipped: 1 });
    expect(await blogBySlug(to, 'zhang')).toMatchObject({ title: '章', content_markdown: 'Text of 章.\n' });
    const given = named('张').replace('---\n', '---\nslug: zhang\n');
    expect(await importAll(to, { '张.md': given }, UPDATE)).toMatchObject({ updated: 1 });
  });

  it('and titles without any letter get numbered slugs from the API', async () => {
    const to = await owner.inNewProject();
    for (const title of ['日本語', '日本語', '…', '!!!']) await to.newBlog({ title });
    expect(await slugsOf(to)).toEqual(['post', 'post-2', 'ri-ben-yu', 'ri-ben-yu-2']);
  });
});

describe('a file whose post was renamed here', () => {
  const TEA = { 'tea.md': named('Tea', 'From the file.') };
  const messageOf = async (to: Owner, { id }: { id: string }) =>
    (await to.get(`/imports/${id}/files`)).body.items[0].message as string | null;
  const planOf = async (to: Owner, query = '') =>
    (await to.call('POST', `/imports/plan${query}`, { body: await makeArchive(TEA), headers: ZIP })).body;
  /** A project with the post of the file, which has another slug and title now. */
  const renamed = async (state: 'published' | 'unpublished' | 'edited' | 'draft') => {
    const to = await owner.inNewProject();
    await importAll(to, TEA, state === 'draft' ? '' : '?publish=true');
    const post = await blogBySlug(to, 'tea');
    await to.patch(`/blogs/${post.id}`, { slug: 'green-tea', title: 'Green tea' });
    if (state === 'published' || state === 'unpublished') await to.publish(post);
    if (state === 'unpublished') await to.post(`/blogs/${post.id}/unpublish`, {});
    return { to, post };
  };

  it.each(['published', 'unpublished', 'edited', 'draft'] as const)(
    'is skipped, or edits that post, which keeps its slug: %s',
    async (state) => {
      const { to, post } = await renamed(state);
      const skipped = 'The post “tea” is here already, renamed to “green-tea”.';
      expect(await planOf(to)).toMatchObject({ skip: 1, items: [{ message: skipped }] });
      const first = await importAll(to, TEA);
      expect([first, await messageOf(to, first)]).toMatchObject([{ skipped: 1, failed: 0 }, skipped]);
      expect(await to.show(post)).toMatchObject({ title: 'Green tea' });

      expect(await planOf(to, UPDATE)).toMatchObject({ update: 1, items: [{ slug: 'green-tea' }] });
      for (const round of [1, 2]) {
        const again = await importAll(to, TEA, UPDATE);
        expect([round, again, await messageOf(to, again)]).toMatchObject([
          round,
          { updated: 1, failed: 0 },
          expect.stringContaining('it keeps the slug “green-tea”'),
        ]);
      }
      expect(await blogsOf(to)).toHaveLength(1);
      expect(await to.show(post)).toMatchObject({ title: 'Tea', slug: 'green-tea', state: 'published' });
    },
  );

  it('edits it under its new slug where the file says that', async () => {
    const { to, post } = await renamed('published');
    const given = { 'tea.md': named('Tea', 'New.').replace('---\n', '---\nslug: green-tea\n') };
    expect(await importAll(to, given, UPDATE)).toMatchObject({ updated: 1 });
    expect(await to.show(post)).toMatchObject({ slug: 'green-tea', content_markdown: 'New.\n' });
  });

  it('is a conflict where another post has taken the old slug, and overwrites neither', async () => {
    const { to, post } = await renamed('published');
    const other = await to.newBlog({ slug: 'tea', title: 'Tea', content: '<p>Other.</p>', release_alias: true });
    expect(await planOf(to, UPDATE)).toMatchObject({ fail: 1, update: 0 });
    const job = await importAll(to, TEA, UPDATE);
    expect([job, await messageOf(to, job)]).toMatchObject([
      { failed: 1, updated: 0 },
      'The slug “tea” is another post’s now, “Tea”. The post of this file is “Green tea”: ' +
        'to edit it, give the file “slug: green-tea”.',
    ]);
    expect(await importAll(to, TEA)).toMatchObject({ skipped: 1, failed: 0 });
    expect(await to.show(other)).toMatchObject({ content: '<p>Other.</p>' });
    expect(await to.show(post)).toMatchObject({ title: 'Green tea' });
  });

  it('is a conflict where the slug is an alias of a post of another file', async () => {
    const { to, post } = await renamed('published');
    const other = { 'other/tea.md': named('Black tea') };
    for (const query of ['', UPDATE]) {
      const job = await importAll(to, other, query);
      expect([job, await messageOf(to, job)]).toMatchObject([
        { failed: 1, updated: 0 },
        'The slug “tea” is an alias of “Green tea”: change the file’s slug, or release the alias.',
      ]);
    }
    expect(await to.show(post)).toMatchObject({ title: 'Green tea' });
  });
});

describe('a draft beside a public file of the same name', () => {
  const draft = (text: string) => named('Old tea', text).replace('---\n', '---\ndraft: true\n');

  it('becomes a post of its own, and edits only that when it comes again', async () => {
    const to = await owner.inNewProject();
    const files = { '_tea.md': named('Hidden'), 'a/tea.md': draft('Mine.'), 'tea.md': named('Tea') };
    for (const expected of [{ created: 3 }, { updated: 3 }])
      expect(await importAll(to, files, UPDATE)).toMatchObject({ ...expected, failed: 0 });
    expect(await blogsOf(to)).toHaveLength(3);
    expect(await blogBySlug(to, 'tea')).toMatchObject({ title: 'Tea', state: 'published' });

    // No draft any more, it is still not the other file's post.
    const job = await importAll(to, { 'a/tea.md': named('Old tea', 'Mine.') }, UPDATE);
    expect(job).toMatchObject({ failed: 1, updated: 0 });
    expect((await to.get(`/imports/${job.id}/files`)).body.items[0].message).toMatch(
      /another post’s now, “Tea”\. The post of this file is “Old tea”: .+“slug: tea-[0-9a-f]{8}”/,
    );
    expect(await blogBySlug(to, 'tea')).toMatchObject({ title: 'Tea', content_markdown: 'Text of Tea.\n' });
  });
});
