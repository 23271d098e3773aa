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
