import type { Author } from '../../../../generated/types.gen.ts';
import { moveItem, namedAuthors } from './named-authors.ts';

const author = (slug: string, formerSlugs: string[] = []): Author => ({
  id: slug,
  slug,
  name: slug.toUpperCase(),
  bio: null,
  avatar_url: null,
  links: [],
  same_as: [],
  former_slugs: formerSlugs,
  email: null,
  account_id: null,
  created_at: '2026-01-01T00:00:00.000Z',
});

describe('the authors of a post', () => {
  it('are found by current and earlier slugs, and keep the order of the post', () => {
    const [ada, mary] = [author('ada', ['countess']), author('mary')];
    expect(namedAuthors(['mary', 'countess', 'gone'], [ada, mary])).toEqual([
      { slug: 'mary', author: mary },
      { slug: 'countess', author: ada },
      { slug: 'gone', author: undefined },
    ]);
  });

  it('move up and down', () => {
    expect(moveItem(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b']);
    expect(moveItem(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  });
});
