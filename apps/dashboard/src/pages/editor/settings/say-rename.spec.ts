import type { RenamePreview } from '../../../generated/types.gen.ts';
import { refusalOf, sayRename } from './say-rename.ts';

const preview: RenamePreview = {
  slug: 'new',
  availability: 'free',
  held_by: null,
  linking_posts: 3,
  published_slug: 'old',
  keeps_old_url: true,
  message: '',
};

describe('the editor’s note on a rename', () => {
  it('gives the number of links that follow, and what happens to the old URL', () => {
    expect(sayRename(preview, 'old')).toBe(
      'The old URL stays live until you click Update, then redirects if your site supports it. 3 posts link here. Their links will be updated.',
    );
    const draft = { ...preview, linking_posts: 1, published_slug: null, keeps_old_url: false };
    expect(sayRename(draft, 'old')).toBe(
      'The old URL was never published, so nothing needs to redirect. 1 post links here. Its links will be updated.',
    );
    expect(sayRename({ ...preview, linking_posts: 0 }, 'old')).toContain('No other post links here.');
    expect(sayRename({ ...draft, linking_posts: 0 }, 'old')).toBeNull();
  });

  it('stays until the new slug is published, and is absent for an unchanged slug', () => {
    expect(sayRename({ ...preview, availability: 'own' }, 'new')).toContain('3 posts link here.');
    expect(sayRename({ ...preview, slug: 'old', availability: 'own' }, 'new')).toBeNull();
    expect(sayRename({ ...preview, published_slug: null, availability: 'own' }, 'new')).toBeNull();
  });

  it('says why a slug is not available', () => {
    const holder = { blog_id: '', title: 'Tea' };
    expect(refusalOf(preview)).toBeUndefined();
    expect(refusalOf({ ...preview, availability: 'taken', held_by: holder })).toBe(
      '“Tea” has this slug. Choose another.',
    );
    expect(refusalOf({ ...preview, availability: 'alias', held_by: holder })).toBe('This slug is an alias of “Tea”.');
    expect(sayRename({ ...preview, availability: 'taken', held_by: holder }, 'old')).toBeNull();
  });
});
