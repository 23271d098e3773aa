import { MAX_TRANSLATIONS } from '@blog-content/payload-schemas';
import { eachInNewProject, type Owner } from '../../../test/owner.ts';

let owner: Owner;
eachInNewProject((ground) => ({ owner } = ground));

const create = (fields: object) => owner.post('/blogs', { title: 'Tea', ...fields });

describe('the language of a post', () => {
  it('becomes a canonical tag, and can be taken away', async () => {
    const { body } = await create({ language: ' PT-br ' });
    expect(body).toMatchObject({ language: 'pt-BR', translation_key: null });
    expect((await owner.patch(`/blogs/${body.id}`, { language: '' })).body).toMatchObject({ language: null });
  });

  it.each([
    ['de_AT', 'must be a language tag with hyphens: “de-AT”'],
    ['german', 'must be a language tag such as “de”, “pt-BR” or “zh-Hant”'],
    ['de--at', 'must be a language tag such as “de”, “pt-BR” or “zh-Hant”'],
  ])('is refused as %s, with what to write', async (language, message) => {
    const { status, body } = await create({ language });
    expect([status, body.errors]).toEqual([422, [{ field: 'language', message }]]);
  });
});

describe('posts with one translation key', () => {
  it('have a language each', async () => {
    const { status, body } = await create({ translation_key: 'tea' });
    expect([status, body.errors]).toEqual([
      422,
      [{ field: 'language', message: 'is required for a post with a `translation_key`, for example “de”' }],
    ]);
    const { body: blog } = await create({ language: 'de', translation_key: 'tea' });
    expect((await owner.patch(`/blogs/${blog.id}`, { language: null })).status).toBe(422);
    expect((await owner.patch(`/blogs/${blog.id}`, { language: null, translation_key: null })).status).toBe(200);
  });

  it('have a language once, until one leaves or is deleted', async () => {
    const { body: first } = await create({ title: 'First', language: 'de', translation_key: 'tea' });
    const { status, body } = await create({ language: 'DE', translation_key: 'tea' });
    const message = `“de” is taken by “First” (${first.id}), which has the same \`translation_key\``;
    expect([status, body.errors]).toEqual([422, [{ field: 'language', message }]]);
    expect((await create({ language: 'en', translation_key: 'tea' })).status).toBe(201);
    expect((await create({ language: 'de', translation_key: 'Tea' })).status).toBe(201);
    expect((await create({ language: 'de' })).status).toBe(201);
    await owner.patch(`/blogs/${first.id}`, { translation_key: null });
    const { body: second } = await create({ language: 'de', translation_key: 'tea' });
    expect((await owner.patch(`/blogs/${first.id}`, { translation_key: 'tea' })).status).toBe(422);
    await owner.call('DELETE', `/blogs/${second.id}`);
    expect((await owner.patch(`/blogs/${first.id}`, { translation_key: 'tea' })).status).toBe(200);
    expect(
      (await (await owner.inNewProject()).post('/blogs', { title: 'x', language: 'de', translation_key: 'tea' }))
        .status,
    ).toBe(201);
  });

  it('are refused alike when two take one language at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create({ language: 'de', translation_key: 'race' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 422)]);
  });

  it(`are at most ${MAX_TRANSLATIONS}`, async () => {
    for (let index = 0; index < MAX_TRANSLATIONS; index += 1) {
      expect((await create({ language: `en-x-${index}`, translation_key: 'many' })).status).toBe(201);
    }
    const { status, body } = await create({ language: 'de', translation_key: 'many' });
    expect([status, body.errors]).toEqual([
      422,
      [{ field: 'translation_key', message: 'has 100 posts already, the most that can be translations of each other' }],
    ]);
  }, 60_000);

  it('are not taken apart by an earlier revision', async () => {
    const { body: first } = await create({ language: 'de', translation_key: 'tea' });
    await owner.publish(first);
    await owner.patch(`/blogs/${first.id}`, { language: 'en' });
    await create({ language: 'de', translation_key: 'tea' });
    const { status, body } = await owner.post(`/blogs/${first.id}/revisions/1/restore`);
    expect([status, body.errors[0].field]).toEqual([422, 'language']);
  });
});
