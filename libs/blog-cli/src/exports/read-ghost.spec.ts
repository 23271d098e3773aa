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
    ['no JSON', '{', /no JSON/],
    ['another file', '{"posts":1}', /no Ghost export/],
    ['nothing', 'null', /no Ghost export/],
  ])('is refused with a sentence: %s', (_what, text, message) => {
    expect(() => readGhost(text, SITE)).toThrow(UnreadableExport);
    expect(() => readGhost(text, SITE)).toThrow(message);
  });
});
