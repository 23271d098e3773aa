import { suggestTopics, type KnownPost } from './suggest-topics.ts';

const post = (title: string, categories: string[], tags: string[], keyword: string | null = null): KnownPost => ({
  ...{ title, categories, tags, keyword },
});
const names = (posts: KnownPost[], topics: string[] = [], count = 10) =>
  suggestTopics({ posts, topics }, count).map(({ topic }) => topic);

describe('topics that are suggested without a model', () => {
  it('pair a category and a tag that the project has, and never together', () => {
    const posts = [post('A', ['Drinks'], ['tea', 'hot']), post('B', ['Cakes'], ['sweet'])];
    expect(suggestTopics({ posts, topics: [] }, 1)).toEqual([
      {
        topic: 'Drinks: sweet',
        keyword: 'sweet',
        because: 'No post combines the category “Drinks” with the tag “sweet”.',
      },
    ]);
    expect(names(posts)).toEqual(expect.arrayContaining(['Cakes: tea', 'Cakes: hot']));
    expect(names(posts)).not.toContain('Drinks: tea');
  });

  it('are made of many posts with many labels without pairing all of them', () => {
    const labels = (kind: string) => Array.from({ length: 2_000 }, (_x, n) => `${kind} ${n}`);
    const posts = [...Array(500).keys()].map((n) => post(`Post ${n}`, labels('category'), labels('tag')));
    expect(names(posts)).toEqual([]);
  });

  it('are then tags and keywords with a single post', () => {
    expect(names([post('A', [], ['tea'], 'oolong'), post('B', [], ['coffee']), post('C', [], ['coffee'])])).toEqual([
      'tea',
      'oolong',
    ]);
  });

  it('are neither posts nor topics that there are, in any case', () => {
    const posts = [post('drinks: SWEET', ['Drinks'], ['tea']), post('B', ['Cakes'], ['sweet'])];
    expect(names(posts, ['cakes: tea'])).toEqual(['sweet', 'tea']);
  });

  it('are as many as asked for, of many labels, and none of a project without posts', () => {
    const posts = Array.from({ length: 200 }, (_x, n) => post(`P${n}`, [`c${n}`], [`t${n}`, `u${n}`]));
    const found = names(posts);
    expect([found.length, new Set(found).size]).toEqual([10, 10]);
    expect(names([])).toEqual([]);
  });
});
