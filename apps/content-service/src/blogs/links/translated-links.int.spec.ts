import { linkedPosts } from '../../../test/linked-posts.ts';
import { eachInNewProject, type Owner } from '../../../test/owner.ts';
import type { RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
eachInNewProject((ground) => ({ service, owner } = ground));

const { draft, published, publish, rename, linksTo, lastPublish } = linkedPosts(() => ({ service, owner }));
const inLanguage = (language: string | null, translation_key: string | null = null) => ({ language, translation_key });
const TEA = { slug: 'tea', title: 'tea' };
/** What the links of a post lead to when it is published now. */
const targetsOf = async (post: { id: string }) => {
  await publish(post);
  return (await lastPublish(post)).targets;
};

describe('before a publish, the links of a post', () => {
  const linksOf = async ({ id }: { id: string }) => (await owner.get(`/blogs/${id}/links`)).body.items;

  it('lead where a publish would lead them', async () => {
    const tea = await published('tea', inLanguage('en', 'k'));
    const water = await published('water');
    const milk = await draft('milk');
    const german = await draft('german', {
      ...linksTo('tea', 'water', 'milk', 'german', 'sugar'),
      ...inLanguage('de'),
    });
    const shown = (post: { id: string }, title: string, language: string | null = null) => ({
      ...{ blog_id: post.id, slug: title, title, language },
    });
    const named = (post: { id: string }, title: string, state: string, language: string | null = null) => ({
      ...{ blog_id: post.id, title, state, language },
    });
    const others = [
      { slug: 'german', post: named(german, 'german', 'draft', 'de'), leads_to: null },
      { slug: 'milk', post: named(milk, 'milk', 'draft'), leads_to: null },
      { slug: 'sugar', post: null, leads_to: null },
    ];
    const toWater = { slug: 'water', post: named(water, 'water', 'published'), leads_to: shown(water, 'water') };
    const teaAs = named(tea, 'tea', 'published', 'en');
    const toTea = { slug: 'tea', post: teaAs, leads_to: shown(tea, 'tea', 'en') };
    expect(await linksOf(german)).toEqual([...others, toTea, toWater]);
    const tee = await published('tee', inLanguage('de', 'k'));
    expect(await linksOf(german)).toEqual([...others, { ...toTea, leads_to: shown(tee, 'tee', 'de') }, toWater]);
    expect(await targetsOf(german)).toEqual([
      { ...TEA, translation: { slug: 'tee', title: 'tee', blog_id: tee.id } },
      { slug: 'water', title: 'water' },
    ]);
    await owner.post(`/blogs/${tea.id}/unpublish`);
    expect(await linksOf(german)).toContainEqual({
      slug: 'tea',
      post: { ...teaAs, state: 'unpublished' },
      leads_to: null,
    });
  });

  it('follow renames, and the language of the post', async () => {
    const tea = await published('tea', inLanguage('en', 'k'));
    const tee = await published('tee', inLanguage('de', 'k'));
    const german = await draft('german', { ...linksTo('tea'), ...inLanguage('de') });
    await rename(tea, 'green-tea');
    expect(await linksOf(german)).toMatchObject([{ slug: 'green-tea', leads_to: { blog_id: tee.id, slug: 'tee' } }]);
    await owner.patch(`/blogs/${german.id}`, inLanguage('fr'));
    // Readers get the slug that is published.
    expect(await linksOf(german)).toMatchObject([{ slug: 'green-tea', leads_to: { blog_id: tea.id, slug: 'tea' } }]);
    await owner.patch(`/blogs/${german.id}`, inLanguage('de', 'other'));
    expect(await linksOf(german)).toMatchObject([{ leads_to: { slug: 'tee' } }]);
  });

  it('are found for posts of the project only', async () => {
    const post = await draft('tea', linksTo('water'));
    owner = await owner.inNewProject();
    expect((await owner.get(`/blogs/${post.id}/links`)).status).toBe(404);
  });
});

describe('a publish says where links lead', () => {
  it('to the translation in the post’s own language, while that is published', async () => {
    const tea = await published('tea', inLanguage('en', 'k'));
    const german = await draft('german', { ...linksTo('tea'), ...inLanguage('de') });
    expect(await targetsOf(german)).toEqual([TEA]);
    const tee = await draft('tee', inLanguage('de', 'k'));
    expect(await targetsOf(german)).toEqual([TEA]);
    await publish(tee);
    const translation = { slug: 'tee', title: 'tee', blog_id: tee.id };
    expect(await targetsOf(german)).toEqual([{ ...TEA, translation }]);
    await rename(tee, 'gruener-tee');
    expect(await targetsOf(german)).toEqual([{ ...TEA, translation }]);
    await publish(tee);
    await rename(tea, 'green-tea');
    await publish(tea);
    expect(await targetsOf(german)).toEqual([
      { slug: 'green-tea', title: 'tea', translation: { ...translation, slug: 'gruener-tee' } },
    ]);
    expect((await owner.post(`/blogs/${tee.id}/unpublish`)).status).toBe(200);
    expect(await targetsOf(german)).toEqual([{ slug: 'green-tea', title: 'tea' }]);
  });

  it('to the target from posts in other languages, from posts without one, and from its own translations', async () => {
    await published('tea', inLanguage('en', 'k'));
    await published('tee', inLanguage('de', 'k'));
    for (const language of ['en', 'fr', 'de-AT', null]) {
      const post = await draft(`from-${language ?? 'none'}`.toLowerCase(), {
        ...linksTo('tea'),
        ...inLanguage(language),
      });
      expect([language, await targetsOf(post)]).toEqual([language, [TEA]]);
    }
    const the = await draft('the', { ...linksTo('tea'), ...inLanguage('fr', 'k') });
    expect(await targetsOf(the)).toEqual([TEA]);
  });

  it('by what readers see of the posts, not by working copies', async () => {
    const tea = await published('tea', inLanguage('en', 'k'));
    const tee = await published('tee', inLanguage('de', 'k'));
    const german = await draft('german', { ...linksTo('tea'), ...inLanguage('de') });
    await owner.patch(`/blogs/${tee.id}`, inLanguage('fr', 'k'));
    await owner.patch(`/blogs/${tea.id}`, inLanguage('en', 'other'));
    expect(await targetsOf(german)).toMatchObject([{ translation: { slug: 'tee' } }]);
    await publish(tee);
    expect(await targetsOf(german)).toEqual([TEA]);
  });

  it('of another project’s posts with the same key: nothing', async () => {
    await published('tee', inLanguage('de', 'k'));
    owner = await owner.inNewProject();
    await published('tea', inLanguage('en', 'k'));
    const german = await draft('german', { ...linksTo('tea'), ...inLanguage('de') });
    expect(await targetsOf(german)).toEqual([TEA]);
  });
});
