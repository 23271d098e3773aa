import { checksOf } from './checks.ts';

const POST = {
  title: 'Carrots',
  untitled: 'Untitled',
  description: 'About carrots.',
  image: 'https://cdn.example/carrots.jpg',
  hasContent: true,
  imagesWithoutAlt: 0,
  unpublishedLinks: 0,
};

describe('checksOf', () => {
  it('finds nothing in a post that has all', () => {
    expect(checksOf(POST)).toEqual([]);
  });

  it('names what is missing, with how often', () => {
    const post = { ...POST, title: 'Untitled', image: null, imagesWithoutAlt: 2, unpublishedLinks: 1 };
    expect(checksOf(post)).toEqual([
      { name: 'title', count: 1 },
      { name: 'alt', count: 2 },
      { name: 'image', count: 1 },
      { name: 'links', count: 1 },
    ]);
  });
});
