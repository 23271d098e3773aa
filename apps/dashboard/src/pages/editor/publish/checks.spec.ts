import { checksOf } from './checks.ts';

const POST = {
  title: 'Carrots',
  untitled: 'Untitled',
  description: 'About carrots.',
  image: 'https://cdn.example/carrots.jpg',
  hasContent: true,
  imagesWithoutAlt: 0,
  unpublishedLinks: 0,
  notSaved: [],
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

  it('begins with each field that holds something that is not saved', () => {
    const notSaved = [{ field: 'data.serves', name: 'Serves' }];
    expect(checksOf({ ...POST, image: null, notSaved })).toEqual([
      { name: 'unsaved', field: 'data.serves', label: 'Serves' },
      { name: 'image', count: 1 },
    ]);
  });
});
