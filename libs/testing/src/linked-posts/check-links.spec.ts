import { checkLinks, lostOrWrong } from './check-links.ts';
import type { RenamedPost } from './renaming-posts.ts';

const posts: RenamedPost[] = [
  { index: 0, id: 'one', slug: 'new', names: new Set(['old', 'new']), links: [1] },
  { index: 1, id: 'two', slug: 'two', names: new Set(['two']), links: [0] },
];
const to = (slug: string, index: number) => `<p><a href="https://site.example/blog/${slug}/">Post ${index}</a></p>`;
const served = (one: string, two: string, slug = 'new') =>
  new Map([
    ['one', { slug, title: 'Post 0', content: one }],
    ['two', { slug: 'two', title: 'Post 1', content: two }],
  ]);
const check = (pages: ReturnType<typeof served>, ...redirects: [string, string][]) =>
  checkLinks({ posts, aliases: new Map([['old', 0]]) }, pages, new Map(redirects));
const RIGHT = { lost: 0, wrong: 0, misnamed: 0, chains: 0, loops: 0, misled: 0 };

describe('the check of links', () => {
  it('finds nothing where all is right', () => {
    expect(check(served(to('two', 1), to('new', 0)), ['old', 'new'])).toEqual(RIGHT);
  });

  it.each([
    ['a lost link', served('<p>Post 1</p>', to('new', 0)), [['old', 'new']], { lost: 1 }],
    ['a link to an old address', served(to('two', 1), to('old', 0)), [['old', 'new']], { wrong: 1 }],
    ['a link to another post', served(to('two', 1), to('two', 0)), [['old', 'new']], { wrong: 1 }],
    ['another slug', served(to('two', 1), to('new', 0), 'x'), [['old', 'new']], { misnamed: 1 }],
    ['a missing redirect', served(to('two', 1), to('new', 0)), [], { misled: 1 }],
    [
      'a chain',
      served(to('two', 1), to('new', 0)),
      [
        ['old', 'new'],
        ['x', 'old'],
      ],
      { chains: 1, misled: 1 },
    ],
    [
      'a loop',
      served(to('two', 1), to('new', 0)),
      [
        ['old', 'new'],
        ['new', 'x'],
      ],
      { chains: 1, loops: 1, misled: 1 },
    ],
  ] as const)('finds %s', (_name, pages, redirects, found) => {
    expect(check(pages, ...redirects.map(([from, next]): [string, string] => [from, next]))).toEqual({
      ...RIGHT,
      ...found,
    });
  });

  it('takes any name that a post ever had for its own while it is renamed, and no other', () => {
    const [, two] = posts;
    if (two === undefined) throw new Error('There are two.');
    expect(lostOrWrong(two, to('old', 0), posts)).toEqual({ lost: 0, wrong: 0 });
    expect(lostOrWrong(two, to('two', 0), posts)).toEqual({ lost: 0, wrong: 1 });
    expect(lostOrWrong(two, '<p>Post 0</p>', posts)).toEqual({ lost: 1, wrong: 0 });
  });
});
