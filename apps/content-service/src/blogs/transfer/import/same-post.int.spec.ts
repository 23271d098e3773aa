import { startOwner, type Owner } from '../../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../../test/running-service.ts';
import { blogBySlug, blogsOf, importAll } from '../../../../test/transfer/imports.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService({ IMPORT_POLL_MS: '50' });
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
