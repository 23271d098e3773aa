import { previewRename, type RenameFacts } from './preview-rename.ts';

const facts: RenameFacts = {
  blogId: 'own',
  currentSlug: 'tea',
  publishedSlug: 'tea',
  publishedSlugs: ['tea'],
  linkingPosts: 3,
  holder: null,
};
const preview = (slug: string, changes: Partial<RenameFacts> = {}) => previewRename(slug, { ...facts, ...changes });
const other = { id: 'other', title: 'Green [INTERNAL:x]tea', isAlias: false };

describe('what a rename would do', () => {
  it('says that links follow, and that the old URL redirects', () => {
    expect(preview('green-tea')).toEqual({
      slug: 'green-tea',
      availability: 'free',
      held_by: null,
      linking_posts: 3,
      published_slug: 'tea',
      keeps_old_url: true,
      message:
        '“green-tea” is free. 3 posts link here. Their links will be updated. The old URL (“tea”) redirects to the new one if your site uses redirects.',
    });
    expect(preview('green-tea', { linkingPosts: 1 }).message).toContain(
      '1 post links here. Its links will be updated.',
    );
    expect(preview('green-tea', { linkingPosts: 0 }).message).toContain('No post links here.');
  });

  it('says that nothing redirects to a post that was never published under its slug', () => {
    const draft = preview('green-tea', { publishedSlug: null, publishedSlugs: [] });
    expect(draft).toMatchObject({ keeps_old_url: false, published_slug: null });
    expect(draft.message).toContain('never published as “tea”, so no redirect');
    expect(preview('new', { currentSlug: 'b', publishedSlug: null, publishedSlugs: ['a'] }).keeps_old_url).toBe(false);
    expect(preview('new', { currentSlug: 'b' })).toMatchObject({ keeps_old_url: true, published_slug: 'tea' });
  });

  it('names the post that has the slug, and offers no more than an alias', () => {
    const taken = preview('green-tea', { holder: other });
    expect(taken).toMatchObject({ availability: 'taken', held_by: { blog_id: 'other', title: 'Green tea' } });
    expect(taken.message).toBe('“green-tea” belongs to “Green tea”. Choose another slug.');
    const alias = preview('green-tea', { holder: { ...other, isAlias: true } });
    expect(alias).toMatchObject({ availability: 'alias', held_by: { blog_id: 'other' } });
    expect(alias.message).toContain('is an alias of “Green tea”. If you take it,');
    expect(preview('sitemap')).toMatchObject({ availability: 'reserved' });
  });

  it('has the post take its own alias back, and keep the slug that it has', () => {
    expect(preview('old', { holder: { id: 'own', title: 'Tea', isAlias: true } })).toMatchObject({
      availability: 'own',
      held_by: null,
      keeps_old_url: true,
    });
    const same = preview('tea', { holder: { id: 'own', title: 'Tea', isAlias: false } });
    expect(same).toMatchObject({ availability: 'own', keeps_old_url: false });
    expect(same.message).toBe('3 posts link here. Their links will be updated.');
  });
});
