import { MAX_POST_CHARACTERS } from './exported-post.ts';
import { readGhost } from '../../test/read-exports.ts';
import { readWordPress } from '../../test/read-exports.ts';
import { writeFiles } from './write-files.ts';

const wordPress = (content: string) =>
  readWordPress(
    `<rss><channel><wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://old.example</wp:base_blog_url><item>
<title>x</title><wp:post_id>7</wp:post_id><wp:post_name>x</wp:post_name><wp:status>publish</wp:status>
<wp:post_type>post</wp:post_type><content:encoded><![CDATA[${content}]]></content:encoded></item></channel></rss>`,
  );
const ghost = (html: string) =>
  readGhost(
    JSON.stringify({ data: { posts: [{ id: '7', slug: 'x', html, status: 'published' }] } }),
    'https://old.example',
  );
/** A content of the most characters, of one text again and again. */
const full = (text: string) => text.repeat(Math.floor(MAX_POST_CHARACTERS / text.length));

// With a regular expression that restarts at each of them, any of these takes minutes or hours.
const HOSTILE = [
  '<!--kg-gated-block:begin ',
  '<!--kg-gated-block:begin x-->',
  '<!--',
  '<!-- wp:block {"ref":1',
  '"ref":1 ',
  '<!-- wp:a {',
  '<pre ',
  '<pre>',
  '<code>',
  '<p />',
  '<a ',
  '<a href="https://x.example/',
  "<a href='",
  '<audio src="https:',
  '<iframe src="https://x"',
  "<img srcset='/a ,/b",
  '<img srcset="/a,/b ">',
  '[youtube ',
  '<p>https://youtu.be/',
  '[a ',
  '[[a ',
  '[gallery ',
  '[caption]',
  '[embed]https://x',
  '[audio a',
  ' ',
  '\t\n',
  '<br ',
  '<br> ',
  'class="wp-block-embed__wrapper">https://',
  '[/a] [a]',
  '<x ',
  '&#',
];

describe('a hostile post of maximum length', () => {
  it.each(HOSTILE)('is read: %j', (text) => {
    for (const content of [full(text), `x${full(text).slice(99)}x`, `<!-- wp:a -->[audio ${full(text).slice(99)}]`]) {
      expect(writeFiles(wordPress(content).posts).files.size).toBe(1);
      // Of white space alone, Ghost has made no HTML.
      expect(writeFiles(ghost(content).posts).files.size).toBe(content.trim() === '' ? 0 : 1);
    }
  });

  it('is read, with any number of shortcodes', () => {
    const names = Array.from({ length: 60_000 }, (_none, number) => `[a${number}]`).join('');
    expect(wordPress(names).notes).toContainEqual(expect.stringContaining('and 59980 more'));
  });

  it('is left out, by name, with one more character', () => {
    for (const read of [wordPress, ghost]) {
      const { posts, notes } = read('x'.repeat(MAX_POST_CHARACTERS + 1));
      expect(posts).toEqual([]);
      expect(notes).toEqual([expect.stringContaining('1 post has more than 500000 characters, not imported: ')]);
    }
  });
});

it('an export of many rows for one post is read', () => {
  const rows = Array.from({ length: 50_000 }, (_none, number) => ({ post_id: '7', tag_id: '1', sort_order: number }));
  const tags = [{ id: '1', name: 'Tea' }];
  const posts = [{ id: '7', slug: 'x', html: 'x', status: 'published' }];
  const read = readGhost(JSON.stringify({ data: { posts, tags, posts_tags: rows } }), null);
  expect(read.posts[0]?.tags).toHaveLength(50_000);
});
