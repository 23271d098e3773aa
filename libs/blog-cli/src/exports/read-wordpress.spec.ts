import { UnreadableExport } from './exported-post.ts';
import { readWordPress } from './read-wordpress.ts';

const wxr = (items: string) => `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:content="c" xmlns:excerpt="e" xmlns:wp="w"><channel>
<title>Kitchen</title><wp:wxr_version>1.2</wp:wxr_version>
${items}
</channel></rss>`;

const item = (
  given: { type?: string; status?: string; content?: string; more?: string; name?: string; title?: string } = {},
) => `<item>
<title><![CDATA[${given.title ?? 'Soup & <bread>'}]]></title>
<link>https://old.example.com/2024/01/soup/</link>
<content:encoded><![CDATA[${given.content ?? '<p>Text.</p>'}]]></content:encoded>
<excerpt:encoded><![CDATA[]]></excerpt:encoded>
<wp:post_id>7</wp:post_id>
<wp:post_date_gmt><![CDATA[2024-01-31 09:30:00]]></wp:post_date_gmt>
<wp:post_name><![CDATA[${given.name ?? 'soup'}]]></wp:post_name>
<wp:status><![CDATA[${given.status ?? 'publish'}]]></wp:status>
<wp:post_type><![CDATA[${given.type ?? 'post'}]]></wp:post_type>
${given.more ?? ''}
</item>`;

const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key><![CDATA[${key}]]></wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
const label = (domain: string, name: string) =>
  `<category domain="${domain}" nicename="x"><![CDATA[${name}]]></category>`;

const post = (given: Parameters<typeof item>[0], others = '') => readWordPress(wxr(item(given) + others)).posts[0];

describe('an export of WordPress', () => {
  it('has posts with slugs, times, addresses, categories and tags', () => {
    const labels = [label('category', 'Dinner'), label('category', 'Uncategorized'), label('post_tag', 'R&amp;D')].join(
      '',
    );
    expect(post({ more: labels })).toEqual({
      id: '7',
      slug: 'soup',
      title: 'Soup & <bread>',
      html: '<p>Text.</p>',
      isDraft: false,
      publishedAt: '2024-01-31T09:30:00.000Z',
      excerpt: null,
      metaTitle: null,
      metaDescription: null,
      featuredImageUrl: null,
      categories: ['Dinner'],
      tags: ['R&D'],
      url: 'https://old.example.com/2024/01/soup/',
      otherUrls: [],
    });
  });

  it('has the featured image of a post, and what its SEO plug-in says, unless that is a pattern', () => {
    const attachment = `<item><wp:post_id>9</wp:post_id><wp:post_type>attachment</wp:post_type><wp:status>inherit</wp:status><wp:attachment_url>https://old.example.com/a.jpg</wp:attachment_url></item>`;
    const more = meta('_thumbnail_id', '9') + meta('_yoast_wpseo_metadesc', 'Warm.');
    expect(post({ more: more + meta('_yoast_wpseo_title', '%%title%% %%sep%%') }, attachment)).toMatchObject({
      featuredImageUrl: 'https://old.example.com/a.jpg',
      metaTitle: null,
      metaDescription: 'Warm.',
    });
    expect(post({ more: meta('rank_math_title', 'Soup') })).toMatchObject({ metaTitle: 'Soup' });
  });

  it.each(['draft', 'pending', 'private', 'future'])('has posts that are not published as drafts: %s', (status) => {
    expect(post({ status })).toMatchObject({ isDraft: true, publishedAt: null, url: null });
  });

  it('leaves out what was thrown away, and says that pages are not taken over', () => {
    const { posts, notes } = readWordPress(wxr(item({ status: 'trash' }) + item({ type: 'page' }) + item()));
    expect(posts).toHaveLength(1);
    expect(notes).toEqual(['1 page is not taken over: only posts are: Soup & <bread>.']);
  });

  it('loses the comments of blocks, and keeps their HTML', () => {
    const content =
      '<!-- wp:paragraph {"a":1} -->\n<p>One.</p>\n<!-- /wp:paragraph -->\n<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->\n<p>Two.</p>';
    expect(post({ content })?.html).toBe('<p>One.</p>\n\n<p>Two.</p>');
  });

  it('gets paragraphs where WordPress makes them when it shows a post', () => {
    expect(post({ content: 'One\ntwo.\n\n<h2>Three</h2>\n\nFour.' })?.html).toBe(
      '<p>One<br>\ntwo.</p>\n<h2>Three</h2>\n<p>Four.</p>',
    );
  });

  it('has images with captions as figures, and names the shortcodes that stay', () => {
    const content =
      '[caption id="a" width="9"]<img src="https://a.example/x.jpg"> A <b>soup</b>[/caption]\n\n[gallery ids="1"]';
    const { posts, notes } = readWordPress(wxr(item({ content })));
    expect(posts[0]?.html).toContain(
      '<figure><img src="https://a.example/x.jpg"><figcaption>A <b>soup</b></figcaption></figure>',
    );
    expect(notes).toEqual(['Shortcodes stay as text, look for them: gallery (Soup & <bread>).']);
  });

  it('has no slug that the service would refuse', () => {
    expect(post({ name: '%e3%83%86' })?.slug).toBeNull();
    expect(post({ name: '' })?.slug).toBeNull();
  });

  it.each([
    ['no XML', 'hello', /no whole XML|no WordPress/],
    ['a file that was cut off', wxr(item()).slice(0, -40), /no whole XML/],
    ['another feed', '<rss><channel><title>x</title></channel></rss>', /no WordPress export/],
    ['a document type', `<!DOCTYPE a [<!ENTITY b "c">]>${wxr('')}`, /document type/],
  ])('is refused with a sentence: %s', (_what, text, message) => {
    expect(() => readWordPress(text)).toThrow(UnreadableExport);
    expect(() => readWordPress(text)).toThrow(message);
  });
});
