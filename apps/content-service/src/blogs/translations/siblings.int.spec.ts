import { MAX_TRANSLATIONS } from '@blog-content/payload-schemas';
import { eachInNewProject, type Owner } from '../../../test/owner.ts';
import type { RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
eachInNewProject((ground) => ({ service, owner } = ground));

type Post = Awaited<ReturnType<Owner['newBlog']>>;
const original = (fields: object = {}) =>
  owner.newBlog({
    title: 'Tea',
    content: '<p>Hot <a href="[INTERNAL:water]">water</a>.</p>',
    language: 'en',
    ...fields,
  });
const translate = async ({ id }: Pick<Post, 'id'>, language: string) =>
  (await owner.post(`/blogs/${id}/translations`, { language })).body;
const listOf = async ({ id }: Pick<Post, 'id'>) => (await owner.get(`/blogs/${id}/translations`)).body.items;
const publish = async ({ id }: Pick<Post, 'id'>) => {
  expect((await owner.post(`/blogs/${id}/publish`)).status).toBe(202);
};
const confirm = ({ id }: Pick<Post, 'id'>, source: Pick<Post, 'id'>) =>
  owner.put(`/blogs/${id}/translations/source`, { blog_id: source.id });

describe('a translation that is added', () => {
  it('is a draft with the text of its source, the new language and a common key', async () => {
    const source = await original({
      tags: ['hot'],
      og_title: 'Shared',
      canonical_url: 'https://first.example/tea/',
    });
    const { status, body, headers } = await owner.post(`/blogs/${source.id}/translations`, { language: 'DE-at' });
    expect([status, headers['location']]).toEqual([
      201,
      `/blog/api/v1/owner/projects/${owner.project}/blogs/${body.id}`,
    ]);
    expect(body).toMatchObject({
      state: 'draft',
      title: 'Tea',
      slug: 'tea-2',
      content: `<p>Hot <a href="[INTERNAL:water]">water</a>.</p>`,
      tags: ['hot'],
      og_title: null,
      canonical_url: null,
      language: 'de-AT',
    });
    expect(body.translation_key).not.toBeNull();
    expect(await owner.show(source)).toMatchObject({
      version: source.version + 1,
      translation_key: body.translation_key,
    });
    const from = { blog_id: source.id, revision: 0, revisions_behind: 0 };
    const about = { title: 'Tea', state: 'draft', revision: 0, is_linked: false };
    expect(await listOf(body)).toEqual([
      { ...about, blog_id: body.id, language: 'de-AT', slug: 'tea-2', translated_from: from },
      { ...about, blog_id: source.id, language: 'en', slug: 'tea', translated_from: null },
    ]);
    expect(await listOf(source)).toEqual(await listOf(body));
  });

  it('has the authors and the data of its source, also after their deletion', async () => {
    const { body: ada } = await owner.post('/authors', { name: 'Ada' });
    await owner.post('/authors', { name: 'Bo' });
    const fields = { fields: [{ name: 'origin', label: 'Origin', kind: 'text' }] };
    expect((await owner.put('/data-fields', fields)).status).toBe(200);
    const source = await original({ authors: ['ada', 'bo'], data: { origin: 'Assam' } });
    const copied = { authors: ['ada', 'bo'], data: { origin: 'Assam' } };
    expect(await translate(source, 'de')).toMatchObject(copied);
    await owner.remove(`/authors/${ada.id}`);
    await owner.put('/data-fields', { fields: [] });
    expect(await translate(source, 'fr')).toMatchObject(copied);
  });

  it('needs a source with another language, and a language that none of the translations has', async () => {
    const bare = await owner.newBlog({ title: 'Tea' });
    const refusal = async ({ id }: Pick<Post, 'id'>, language: string) => {
      const { status, body } = await owner.post(`/blogs/${id}/translations`, { language });
      return [status, body.errors?.[0]?.message];
    };
    expect(await refusal(bare, 'de')).toEqual([422, 'can’t be used yet: set the `language` of the post itself first']);
    const source = await original();
    expect(await refusal(source, 'EN')).toEqual([422, '“en” is the language of the post itself']);
    const german = await translate(source, 'de');
    expect(await refusal(source, 'de')).toEqual([
      422,
      `“de” is taken by “Tea” (${german.id}), which has the same \`translation_key\``,
    ]);
    expect(await refusal(source, 'German')).toEqual([422, 'must be a language tag such as “de”, “pt-BR” or “zh-Hant”']);
    expect((await owner.show(bare)).translation_key).toBeNull();
    expect((await owner.get('/blogs')).body.items).toHaveLength(3);
  });

  it('is made once for one Idempotency-Key, and once for a language by requests at the same time', async () => {
    const source = await original();
    const add = (key: string) =>
      owner.post(`/blogs/${source.id}/translations`, { language: 'de' }, { 'idempotency-key': key });
    const [first, again] = [await add('a'), await add('a')];
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => owner.post(`/blogs/${source.id}/translations`, { language: 'fr' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422]);
    expect(await listOf(source)).toHaveLength(3);
  });

  it(`is refused when there are ${MAX_TRANSLATIONS}`, async () => {
    const source = await original();
    await translate(source, 'de');
    const { translation_key: key } = await owner.show(source);
    await service.query(
      `insert into blog (id, project_id, state, title, slug, content, categories, tags, extra)
       select gen_random_uuid(), $1, 'draft', 'T', 'x-' || n, '', '{}', '{}',
         jsonb_build_object('translation_key', $2::text, 'language', 'en-x-' || n)
       from generate_series(1, $3::int) n`,
      [owner.project, key, MAX_TRANSLATIONS - 2],
    );
    const { status, body } = await owner.post(`/blogs/${source.id}/translations`, { language: 'fr' });
    expect([status, body.errors[0].message]).toEqual([
      422,
      'has 100 posts already, the most that can be translations of each other',
    ]);
  });
});

describe('a translation remembers its source', () => {
  it('by the revision that this had, and says how many came since', async () => {
    const source = await original();
    await publish(source);
    const german = await translate(source, 'de');
    const behind = async () =>
      (await listOf(german)).find((item: { blog_id: string }) => item.blog_id === german.id).translated_from;
    expect(await behind()).toEqual({ blog_id: source.id, revision: 1, revisions_behind: 0 });
    for (const title of ['Green tea', 'White tea']) {
      await owner.patch(`/blogs/${source.id}`, { title });
      await publish(source);
    }
    expect(await behind()).toEqual({ blog_id: source.id, revision: 1, revisions_behind: 2 });
    const { body } = await owner.get(`/blogs/${source.id}/revisions/1/diff?to=3`);
    expect(body.fields).toContainEqual({ field: 'title', before: 'Tea', after: 'White tea' });
    const { version } = await owner.show(german);
    const confirmed = await confirm(german, source);
    expect([confirmed.status, confirmed.body.items[0].translated_from]).toEqual([
      200,
      { blog_id: source.id, revision: 3, revisions_behind: 0 },
    ]);
    expect((await owner.show(german)).version).toBe(version);
  });

  it('until that leaves or is deleted, and of others none', async () => {
    const source = await original();
    const [german, french] = [await translate(source, 'de'), await translate(source, 'fr')];
    await owner.patch(`/blogs/${source.id}`, { translation_key: null });
    expect((await listOf(german)).map((item: { translated_from: unknown }) => item.translated_from)).toEqual([
      null,
      null,
    ]);
    const refused = await confirm(german, source);
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      422,
      `must be one of the post’s translations: ${french.id}`,
    ]);
    expect((await confirm(german, german)).status).toBe(422);
    expect((await confirm(source, german)).body.errors[0].message).toBe(
      'must be one of the post’s translations, but this post has none',
    );
    expect((await confirm(german, french)).status).toBe(200);
    await owner.remove(`/blogs/${french.id}`);
    expect(await listOf(german)).toMatchObject([{ blog_id: german.id, translated_from: null }]);
  });
});

describe('a list of translations', () => {
  it('says which of them readers find: those whose published revision has the key', async () => {
    const source = await original();
    await publish(source);
    const german = await translate(source, 'de');
    await publish(german);
    const linked = async () => (await listOf(source)).map((item: { is_linked: boolean }) => item.is_linked);
    expect(await linked()).toEqual([true, false]);
    await publish(source);
    expect(await linked()).toEqual([true, true]);
    await owner.post(`/blogs/${german.id}/unpublish`);
    expect(await linked()).toEqual([false, true]);
  });

  it('has just the post where there are no others, and is 404 for one of another project', async () => {
    const post = await owner.newBlog({ title: 'Tea' });
    expect(await listOf(post)).toMatchObject([{ blog_id: post.id, language: null, translated_from: null }]);
    owner = await owner.inNewProject();
    for (const answer of [
      await owner.get(`/blogs/${post.id}/translations`),
      await owner.post(`/blogs/${post.id}/translations`, { language: 'de' }),
      await confirm(post, post),
    ]) {
      expect([answer.status, answer.body.detail]).toEqual([404, 'Post not found.']);
    }
  });
});
