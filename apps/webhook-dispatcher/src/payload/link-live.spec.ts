import { MAX_LINK_CHARACTERS } from '@blog-content/link-resolver';
import { testBlog } from '../../test/events.ts';
import { linkedPosts, linkLive } from './link-live.ts';

const BASE = 'https://site.example/blog/';
const postsOf = (...slugs: string[]) => slugs.map((slug) => ({ slug, blogId: null, url: `${BASE}${slug}/` }));
const linkTo = (address: string) => `<a href="${address}">y</a>`;

it('links to the translation that a placeholder leads to, by its id: the binding is to the target', () => {
  const [tea, tee] = ['0f5c1c1e-54d5-4a0e-9a39-0d5a4f6f2f12', '0f5c1c1e-54d5-4a0e-9a39-0d5a4f6f2f13'];
  const translation = { slug: 'tee', title: 'Tee', blog_id: tee };
  const { data } = testBlog('7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f11').published({
    published_link_targets: [
      { slug: 'tea', title: 'Tea', current_slug: 'green-tea', translation },
      { slug: 'cake', title: 'Cake' },
    ],
    link_bindings: [{ slug: 'tea', blog_id: tea }],
  });
  expect(linkedPosts(data)).toEqual([
    { slug: 'tee', blogId: tee, url: `${BASE}tee/` },
    { slug: 'cake', blogId: null, url: `${BASE}cake/` },
  ]);
});

describe('links to the live URLs of posts', () => {
  it('are used for posts with a known URL, and keep what follows it', () => {
    const content = [linkTo(`${BASE}tea/#a/b`), linkTo(`${BASE}tea-2/`), linkTo(`${BASE}cake/?x=1`), linkTo('/tea/')];
    const live = new Map([
      ['tea', 'https://live.example/t?a=1&b="2"'],
      ['cake', 'https://live.example/c'],
      ['not-linked', 'https://live.example/n'],
    ]);
    expect(linkLive(content.join(''), postsOf('tea', 'tea-2', 'cake'), live)).toBe(
      [
        linkTo('https://live.example/t?a=1&amp;b=&quot;2&quot;#a/b'),
        linkTo(`${BASE}tea-2/`),
        linkTo('https://live.example/c?x=1'),
        linkTo('/tea/'),
      ].join(''),
    );
  });

  it('are replaced once, even if a post has the URL of another one', () => {
    const live = new Map([
      ['tea', `${BASE}cake/`],
      ['cake', 'https://live.example/c'],
    ]);
    expect(linkLive(linkTo(`${BASE}tea/`), postsOf('tea', 'cake'), live)).toBe(linkTo(`${BASE}cake/`));
  });

  it('add no more characters to a post than other links may; later ones lead to the site', () => {
    const content = linkTo(`${BASE}tea/`).repeat(10_000);
    const at = `https://live.example/${'&'.repeat(2_000)}`;
    const linked = linkLive(content, postsOf('tea'), new Map([['tea', at]]));
    expect(linked.length).toBeGreaterThan(content.length);
    expect(linked.length - content.length).toBeLessThanOrEqual(MAX_LINK_CHARACTERS);
    expect(linked.endsWith(linkTo(`${BASE}tea/`))).toBe(true);
  });
});
