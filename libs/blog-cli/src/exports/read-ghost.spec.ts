import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UnreadableExport } from './exported-post.ts';
import { readGhost } from '../../test/read-exports.ts';

const SITE = 'https://old.example.com/';
const soup = {
  id: 'a',
  title: 'Soup',
  slug: 'soup',
  html: '<p>See <a href="__GHOST_URL__/bread/">bread</a>.</p><!--kg-card-begin: html--><b>x</b><!--kg-card-end: html-->',
  status: 'published',
  type: 'post',
  feature_image: '__GHOST_URL__/content/images/soup.jpg',
  custom_excerpt: 'Warm.',
  published_at: '2024-01-31T09:30:00.000Z',
};
const gated = (content: string, who: string) =>
  `<!--kg-gated-block:begin ${who} -->${content}<!--kg-gated-block:end-->`;
const exported = (data: object) => JSON.stringify({ db: [{ meta: {}, data }] });

describe('an export of Ghost', () => {
  it.each([null, 'soon'])('keeps a published post as a draft without a date: %j', (date) => {
    const { posts, notes } = readGhost(exported({ posts: [{ ...soup, published_at: date }] }), SITE);
    expect(posts[0]).toMatchObject({ isDraft: true, publishedAt: null });
    expect(notes).toEqual(['1 post has no valid date, imported as a draft: Soup.']);
  });

  it('has the authors of posts in their order, with what they say of themselves', () => {
    const users = [
      {
        ...{ id: '1', name: 'Ada Lovelace', slug: 'ada', email: 'Ada@example.com', bio: 'Tea.' },
        ...{ website: 'https://ada.example.com/', profile_image: '__GHOST_URL__/content/images/ada.png' },
        ...{ twitter: '@ada', facebook: 'https://www.facebook.com/ada.l', mastodon: 'tea.example/@ada' },
        ...{ bluesky: 'ada.example.com', linkedin: 'ada', youtube: '@ada', threads: null },
      },
      { id: '2', name: ' ', slug: '', email: 'not one', website: 'javascript:0' },
      { id: '3', name: 'Nobody', slug: 'nobody' },
    ];
    const posts_authors = [
      { post_id: 'a', author_id: '1', sort_order: 1 },
      { post_id: 'a', author_id: '2', sort_order: 0 },
    ];
    const { posts, authors } = readGhost(exported({ posts: [soup], users, posts_authors }), SITE);
    expect(posts[0]?.authors).toEqual(['2', 'ada']);
    expect(authors).toEqual([
      {
        ...{ slug: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', bio: 'Tea.' },
        avatar_url: 'https://old.example.com/content/images/ada.png',
        links: [{ label: 'Website', url: 'https://ada.example.com/' }],
        same_as: [
          'https://x.com/ada',
          'https://www.facebook.com/ada.l',
          'https://bsky.app/profile/ada.example.com',
          'https://tea.example/@ada',
          'https://www.youtube.com/@ada',
          'https://www.linkedin.com/in/ada',
        ],
      },
      { slug: '2', name: '2', email: null, bio: null, avatar_url: null, links: [], same_as: [] },
    ]);
  });

  it('has the author that old exports name in the post', () => {
    const json = exported({ posts: [{ ...soup, author_id: 1 }], users: [{ id: 1, name: 'Ada', slug: 'ada' }] });
    expect(readGhost(json, SITE)).toMatchObject({ posts: [{ authors: ['ada'] }], authors: [{ slug: 'ada' }] });
  });

  it('has posts with slugs, times, tags in their order, images and meta data', () => {
    const json = exported({
      posts: [soup],
      tags: [
        { id: '1', name: 'Winter', visibility: 'public' },
        { id: '2', name: '#hidden', visibility: 'internal' },
        { id: '3', name: 'Dinner' },
      ],
      posts_tags: [
        { post_id: 'a', tag_id: '1', sort_order: 1 },
        { post_id: 'a', tag_id: '2', sort_order: 2 },
        { post_id: 'a', tag_id: '3', sort_order: 0 },
      ],
      posts_meta: [{ post_id: 'a', meta_title: 'Best soup', meta_description: null }],
    });
    expect(readGhost(json, SITE)).toEqual({
      notes: [],
      problems: [],
      authors: [],
      posts: [
        {
          id: 'a',
          slug: 'soup',
          isSlugMade: false,
          title: 'Soup',
          html: '<p>See <a href="https://old.example.com/bread/">bread</a>.</p><b>x</b>',
          isDraft: false,
          state: 'it is published in Ghost',
          wasLive: true,
          publishedAt: '2024-01-31T09:30:00.000Z',
          excerpt: 'Warm.',
          metaTitle: 'Best soup',
          metaDescription: null,
          keyword: null,
          sharing: {},
          featuredImageAlt: null,
          featuredImageUrl: 'https://old.example.com/content/images/soup.jpg',
          categories: [],
          tags: ['Dinner', 'Winter'],
          authors: [],
          url: 'https://old.example.com/soup/',
          otherUrls: [],
        },
      ],
    });
  });

  it('has drafts and scheduled posts as such, and names what is not imported', () => {
    const posts = [
      { ...soup, status: 'scheduled', published_at: '2036-01-01T08:00:00.000Z' },
      { ...soup, id: 'b', slug: 'b', status: 'draft' },
      { ...soup, id: 'c', slug: 'c', status: 'scheduled' },
      {
        ...soup,
        id: 'd',
        slug: 'd',
        status: 'scheduled',
        published_at: '2036-01-01T08:00:00.000Z',
        visibility: 'paid',
      },
      { ...soup, id: 'e', type: 'page', title: 'About' },
    ];
    const read = readGhost(exported({ posts }), SITE);
    expect(read.posts.map(({ isDraft, publishedAt, state }) => [isDraft, publishedAt, state])).toEqual([
      [false, '2036-01-01T08:00:00.000Z', 'it is scheduled in Ghost'],
      [true, null, 'it is a draft in Ghost'],
      [true, null, 'it was scheduled in Ghost for a time that has passed'],
      [true, null, 'it is for members only in Ghost'],
    ]);
    expect(read.posts.map(({ wasLive }) => wasLive)).not.toContain(true);
    expect(read.notes).toEqual([
      '1 members-only post, imported as a draft: Soup.',
      '1 scheduled post (pass --publish to schedule it here): Soup (2036-01-01T08:00:00.000Z).',
      '1 post missed its scheduled time, imported as a draft: Soup (2024-01-31T09:30:00.000Z).',
      '1 page not imported (posts only): About.',
    ]);
  });

  it.each(['members', 'paid', 'tiers', 'filter'])(
    'has a post for %s as a draft with its time and URL',
    (visibility) => {
      const [post] = readGhost(exported({ posts: [{ ...soup, visibility }] }), SITE).posts;
      expect(post).toMatchObject({ isDraft: true, wasLive: true, publishedAt: soup.published_at });
      expect(post?.url).toBe('https://old.example.com/soup/');
    },
  );

  it.each([
    [
      'lexical',
      '{"root":{"children":[{"type":"heading","children":[{"type":"extended-text","text":"Hello"}]},{"type":"paragraph","children":[{"type":"extended-text","text":"a "},{"type":"link","children":[{"type":"text","text":"<b>"}]}]},{"type":"image","src":"x"}]}}',
      '<p>Hello</p>\n<p>a &lt;b></p>',
    ],
    [
      'mobiledoc',
      '{"version":"0.3.1","cards":[["image",{}]],"sections":[[1,"p",[[0,[],0,"Hello "],[0,[0],1,"there"]]],[10,0],[3,"ul",[[[0,[],0,"one"]],[[0,[],0,"two"]]]]]}',
      '<p>Hello there</p>\n<p>one two</p>',
    ],
  ])('publishes no post without HTML: it is a draft of its words, from %s', (key, document, html) => {
    const { posts, notes } = readGhost(exported({ posts: [{ ...soup, html: null, [key]: document }] }), SITE);
    expect(posts).toMatchObject([{ isDraft: true, html }]);
    expect(notes).toEqual(['1 post has no HTML in the export, imported as a plain-text draft: Soup.']);
  });

  it.each([[null], ['{'], ['null'], ['{"root":{}}'], ['{"sections":[[1]]}']])(
    'leaves out an empty post, by its title: %s',
    (lexical) => {
      const { posts, notes } = readGhost(exported({ posts: [{ ...soup, html: '', lexical }] }), SITE);
      expect(posts).toEqual([]);
      expect(notes).toEqual(['1 post has no content in the export, not imported: Soup.']);
    },
  );

  it('makes relative URLs absolute: images, their variants, the featured image, and links', () => {
    const html =
      '<img src="/content/images/a.png" srcset="/content/images/w300/a.png 300w, /content/images/w600/a.png 600w">' +
      '<a href=\'/other/?a=1&amp;b=2#part\'>x</a><a href="#here">y</a><a href="mailto:a@b.c">z</a><a href=../up/>u</a>';
    const posts = [{ ...soup, html, feature_image: '/content/images/hero.png' }];
    const [post] = readGhost(exported({ posts }), 'https://old.example.com').posts;
    expect(post).toMatchObject({
      featuredImageUrl: 'https://old.example.com/content/images/hero.png',
      html:
        '<img src="https://old.example.com/content/images/a.png" srcset="https://old.example.com/content/images/w300/a.png 300w, https://old.example.com/content/images/w600/a.png 600w">' +
        '<a href="https://old.example.com/other/?a=1&amp;b=2#part">x</a><a href="#here">y</a><a href="mailto:a@b.c">z</a><a href="https://old.example.com/up/">u</a>',
    });
    expect(() => readGhost(exported({ posts }), null)).toThrow(/--site/);
  });

  it('has the alt text of a featured image, and the meta data of old exports', () => {
    const posts = [{ ...soup, feature_image: undefined, image: '/content/images/hero.png', meta_title: 'Old' }];
    const posts_meta = [
      { post_id: 'a', feature_image_alt: 'A pot', og_title: 'x', twitter_image: '/content/images/x.png' },
    ];
    const {
      posts: [post],
      notes,
    } = readGhost(exported({ posts, posts_meta }), SITE);
    expect(post).toMatchObject({ featuredImageAlt: 'A pot', metaTitle: 'Old' });
    expect(post?.sharing).toEqual({ og_title: 'x', x_image_url: 'https://old.example.com/content/images/x.png' });
    expect(post?.featuredImageUrl).toBe('https://old.example.com/content/images/hero.png');
    expect(notes).toEqual([]);
  });

  it.each([
    ['<meta name="robots" content="noindex">', true],
    ["<style>p{}</style>\n<META content='x' NAME=robots content='nofollow, noindex'/>", true],
    ['<meta name="robots" content="nofollow"><meta name="description" content="noindex">', false],
    ['<meta name="google" content="noindex">', false],
  ])('is hidden from search engines by a tag in the head of its page: %s', (head, isHidden) => {
    const posts = [{ ...soup, codeinjection_head: head }];
    expect(readGhost(exported({ posts }), SITE).posts[0]?.sharing).toEqual(isHidden ? { noindex: true } : {});
  });

  it('needs the site URL if a post has Ghost’s placeholder for it', () => {
    expect(() => readGhost(exported({ posts: [soup] }), null)).toThrow(/--site/);
    const plain = { ...soup, html: '<p>x</p>', feature_image: null };
    expect(readGhost(exported({ posts: [plain] }), null).posts[0]?.url).toBeNull();
  });

  it.each([
    ['that nobody ends', '<!--kg-gated-block:begin nonMember:false --><p>Ours.</p>'],
    ['that are nested', gated(`a${gated('b', 'nonMember:false')}c`, 'nonMember:true')],
    ['in another spelling', '<!-- kg-gated-block : begin nonMember:false -->Ours.<!--kg-gated-block:end -->'],
  ])('publishes no post with parts for members %s', (_what, html) => {
    const { posts, notes } = readGhost(exported({ posts: [{ ...soup, html }] }), SITE);
    expect(posts[0]).toMatchObject({ isDraft: true, wasLive: true });
    expect(notes).toContain('1 post has inseparable members-only sections, imported as a draft: Soup.');
  });

  it('drops a part without a stated audience', () => {
    const [post] = readGhost(
      exported({ posts: [{ ...soup, html: `a${gated('b', '').replace('-->', '')}c` }] }),
      SITE,
    ).posts;
    expect(post).toMatchObject({ isDraft: false, html: 'ac' });
  });

  it.each([
    ['2024-01-31 09:30:00', '2024-01-31T09:30:00.000Z'],
    ['2024-01-31T09:30:00.000', '2024-01-31T09:30:00.000Z'],
    ['2024-01-31T09:30:00+02:00', '2024-01-31T07:30:00.000Z'],
    [1_706_693_400_000, '2024-01-31T09:30:00.000Z'],
  ])('reads the time %j as UTC without a zone, on any machine', (published, utc) => {
    const json = exported({ posts: [{ ...soup, published_at: published }] });
    const reader = pathToFileURL(join(import.meta.dirname, 'read-ghost.ts')).href;
    const program = `const { readGhost } = await import(${JSON.stringify(reader)});
      const file = { text: process.argv[1], isDamaged: false, now: new Date() };
      console.log(readGhost(file, ${JSON.stringify(SITE)}).posts[0].publishedAt);`;
    const args = ['--input-type=module', '--eval', program, json];
    const env = { ...process.env, TZ: 'Asia/Tokyo' };
    expect(execFileSync(process.execPath, args, { env, encoding: 'utf8' }).trim()).toBe(utc);
  });

  it('has posts with numbers for ids, and pages without a type, as old ones do', () => {
    const posts = [
      { ...soup, id: 1 },
      { ...soup, id: 2, type: undefined, page: 1 },
    ];
    const data = { posts, tags: [{ id: 3, name: 'Tea' }], posts_tags: [{ post_id: 1, tag_id: 3 }] };
    expect(readGhost(exported(data), SITE).posts).toMatchObject([{ id: '1', tags: ['Tea'] }]);
  });

  it('has slugs with hyphens where they had underscores', () => {
    const { posts } = readGhost(exported({ posts: [{ ...soup, slug: '_pea__soup' }] }), SITE);
    expect(posts[0]).toMatchObject({ slug: 'pea-soup', url: 'https://old.example.com/_pea__soup/' });
  });

  it.each(['localhost:2368', 'old.example.com', 'ftp://old.example.com'])('refuses the site URL %s', (site) => {
    expect(() => readGhost(exported({ posts: [soup] }), site)).toThrow(/--site must be an absolute http/);
  });

  it.each([
    ['no JSON', '{', /not JSON/],
    ['a post that is none', exported({ posts: [soup, null] }), /posts\[1\] is not an object/],
    ['a post without an id', exported({ posts: [{ ...soup, id: undefined }] }), /posts\[0\]\.id is not an ID/],
    ['a title that is no text', exported({ posts: [{ ...soup, title: {} }] }), /posts\[0\]\.title is not text/],
    ['tags that are no list', exported({ posts: [], tags: {} }), /tags is not a list/],
    ['a list as the whole', '[]', /not a Ghost export/],
    ['a database that is none', '{"db":[null]}', /not a Ghost export/],
    ['another file', '{"posts":1}', /not a Ghost export/],
    ['nothing', 'null', /not a Ghost export/],
  ])('is refused with an explanation: %s', (_what, text, message) => {
    expect(() => readGhost(text, SITE)).toThrow(UnreadableExport);
    expect(() => readGhost(text, SITE)).toThrow(message);
  });
});
