import { checkSharing, META_DESCRIPTION, META_TITLE } from './check-sharing.ts';

const post = {
  title: 'When to sow carrots',
  description: 'Thinly, from March to July.',
  image: 'https://cdn.example/carrots.jpg',
  size: { width: 1200, height: 630 },
  canonical: null,
  noindex: false,
  address: 'https://garden.example/blog/carrots/',
};
const namesOf = (changed: Partial<typeof post> | { readonly canonical: string } | { readonly image: null }) =>
  checkSharing({ ...post, ...changed }).map(({ name }) => name);

describe('the check of search results and shared links', () => {
  it('finds nothing in a post that has all', () => {
    expect(namesOf({})).toEqual([]);
  });

  it('warns of titles and descriptions that are cut, at their edges', () => {
    expect(namesOf({ title: 'x'.repeat(META_TITLE) })).toEqual([]);
    expect(checkSharing({ ...post, title: 'x'.repeat(META_TITLE + 1) })).toEqual([{ name: 'longTitle', length: 71 }]);
    expect(namesOf({ description: 'x'.repeat(META_DESCRIPTION) })).toEqual([]);
    expect(namesOf({ description: 'x'.repeat(META_DESCRIPTION + 1) })).toEqual(['longDescription']);
  });

  it('warns of a missing description and a missing image', () => {
    expect(namesOf({ description: '' })).toEqual(['noDescription']);
    expect(namesOf({ image: null })).toEqual(['noImage']);
  });

  it('warns of an image without TLS on a site with it', () => {
    const image = 'http://cdn.example/carrots.jpg';
    expect(namesOf({ image })).toEqual(['insecureImage']);
    expect(namesOf({ image, address: '/blog/carrots/' })).toEqual([]);
  });

  it('warns of an image smaller than 1200 × 630 once its size is known', () => {
    expect(namesOf({ size: { width: 1200, height: 629 } })).toEqual(['smallImage']);
    expect(checkSharing({ ...post, size: { width: 1199, height: 900 } })).toEqual([
      { name: 'smallImage', width: 1199, height: 900 },
    ]);
    expect(checkSharing({ ...post, size: null })).toEqual([]);
  });

  it('says where a canonical URL leads, unless it is the page itself', () => {
    expect(checkSharing({ ...post, canonical: 'https://other.example/carrots' })).toEqual([
      { name: 'elsewhere', host: 'other.example' },
    ]);
    for (const canonical of [post.address, 'https://garden.example/blog/carrots', `${post.address}#top`, 'https:']) {
      expect([canonical, namesOf({ canonical })]).toEqual([canonical, []]);
    }
    expect(namesOf({ canonical: 'https://garden.example/blog/other/' })).toEqual(['elsewhere']);
  });

  it('says first that search engines leave the post out', () => {
    expect(namesOf({ noindex: true, description: '' })).toEqual(['hidden', 'noDescription']);
  });
});
