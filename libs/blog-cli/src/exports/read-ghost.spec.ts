import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UnreadableExport } from './exported-post.ts';
import { readGhost } from './read-ghost.ts';

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
      posts: [
        {
          id: 'a',
          slug: 'soup',
          title: 'Soup',
          html: '<p>See <a href="https://old.example.com/bread/">bread</a>.</p><b>x</b>',
          isDraft: false,
          publishedAt: '2024-01-31T09:30:00.000Z',
          excerpt: 'Warm.',
          metaTitle: 'Best soup',
          metaDescription: null,
          featuredImageUrl: 'https://old.example.com/content/images/soup.jpg',
          categories: [],
          tags: ['Dinner', 'Winter'],
          url: 'https://old.example.com/soup/',
          otherUrls: [],
        },
      ],
    });
  });

  it('has drafts and scheduled posts as drafts, and says what is not taken over', () => {
    const posts = [
      { ...soup, status: 'scheduled', published_at: '2036-01-01T08:00:00.000Z' },
      { ...soup, id: 'b', slug: 'b', html: null, status: 'draft' },
      { ...soup, id: 'c', type: 'page', title: 'About' },
    ];
    const read = readGhost(exported({ posts }), SITE);
    expect(read.posts.map(({ isDraft, publishedAt, url }) => [isDraft, publishedAt, url])).toEqual([
      [true, null, null],
      [true, null, null],
    ]);
    expect(read.notes).toEqual([
      '1 post is scheduled, and is a draft here: Soup (2036-01-01T08:00:00.000Z).',
      '1 post is without HTML in the export, and is empty here: Soup.',
      '1 page is not taken over: only posts are: About.',
    ]);
  });

  it('needs the address that Ghost leaves open, where a post has it', () => {
    expect(() => readGhost(exported({ posts: [soup] }), null)).toThrow(/--site/);
    const plain = { ...soup, html: '<p>x</p>', feature_image: null };
    expect(readGhost(exported({ posts: [plain] }), null).posts[0]?.url).toBeNull();
  });

  it.each([
    ['that nobody ends', '<!--kg-gated-block:begin nonMember:false --><p>Ours.</p>'],
    ['that stand in each other', gated(`a${gated('b', 'nonMember:false')}c`, 'nonMember:true')],
    [
      'that are written in another way',
      '<!-- kg-gated-block : begin nonMember:false -->Ours.<!--kg-gated-block:end -->',
    ],
  ])('publishes no post with parts for members %s', (_what, html) => {
    const { posts, notes } = readGhost(exported({ posts: [{ ...soup, html }] }), SITE);
    expect(posts[0]).toMatchObject({ isDraft: true, publishedAt: null, url: null });
    expect(notes).toContain(
      '1 post has parts for members that cannot be told from the rest, and is a draft here: Soup.',
    );
  });

  it('has nothing of a part whose readers are not said', () => {
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
  ])('has the time %j in UTC where it has no zone, wherever it is read', (published, utc) => {
    const json = exported({ posts: [{ ...soup, published_at: published }] });
    const reader = pathToFileURL(join(import.meta.dirname, 'read-ghost.ts')).href;
    const program = `const { readGhost } = await import(${JSON.stringify(reader)});
      console.log(readGhost(process.argv[1], ${JSON.stringify(SITE)}).posts[0].publishedAt);`;
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

  it.each(['localhost:2368', 'old.example.com', 'ftp://old.example.com'])('is of no site like %s', (site) => {
    expect(() => readGhost(exported({ posts: [soup] }), site)).toThrow(/--site must be an absolute http/);
  });

  it.each([
    ['no JSON', '{', /no JSON/],
    ['a post that is none', exported({ posts: [soup, null] }), /posts\[1\] is no object/],
    ['a post without an id', exported({ posts: [{ ...soup, id: undefined }] }), /posts\[0\]\.id is no id/],
    ['a title that is no text', exported({ posts: [{ ...soup, title: {} }] }), /posts\[0\]\.title is no text/],
    ['tags that are no list', exported({ posts: [], tags: {} }), /tags is no list/],
    ['a list as the whole', '[]', /no Ghost export/],
    ['a database that is none', '{"db":[null]}', /no Ghost export/],
    ['another file', '{"posts":1}', /no Ghost export/],
    ['nothing', 'null', /no Ghost export/],
  ])('is refused with a sentence: %s', (_what, text, message) => {
    expect(() => readGhost(text, SITE)).toThrow(UnreadableExport);
    expect(() => readGhost(text, SITE)).toThrow(message);
  });
});
