import { UnreadableExport } from '../exported-post.ts';
import { writeFiles } from '../write-files.ts';
import { readWordPress } from '../../../test/read-exports.ts';
import { readWordPress as readWordPressFile } from './read-wordpress.ts';

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
      isSlugMade: false,
      title: 'Soup & <bread>',
      html: '<p>Text.</p>',
      isDraft: false,
      state: 'it is published in WordPress',
      wasLive: true,
      publishedAt: '2024-01-31T09:30:00.000Z',
      excerpt: null,
      metaTitle: null,
      metaDescription: null,
      keyword: null,
      sharing: {},
      featuredImageUrl: null,
      featuredImageAlt: null,
      categories: ['Dinner'],
      tags: ['R&D'],
      authors: [],
      url: 'https://old.example.com/2024/01/soup/',
      otherUrls: [],
    });
  });

  const user = (login: string, name: string) =>
    `<wp:author><wp:author_login><![CDATA[${login}]]></wp:author_login><wp:author_email><![CDATA[${login}@example.com]]></wp:author_email><wp:author_display_name><![CDATA[${name}]]></wp:author_display_name></wp:author>`;
  const creator = (login: string) => `<dc:creator><![CDATA[${login}]]></dc:creator>`;

  it('has the authors of its posts, whose login names stay there', () => {
    const users = user('secret', 'Ada Lovelace') + user('other', 'Ada Lovelace') + user('reader', 'Never wrote');
    const items = item({ more: creator('secret') }) + item({ more: creator('other'), name: 'b' });
    const { posts, authors } = readWordPress(wxr(users + items));
    expect(posts.map((one) => one.authors)).toEqual([['ada-lovelace'], ['ada-lovelace-2']]);
    expect(authors).toMatchObject([
      { slug: 'ada-lovelace', name: 'Ada Lovelace', email: 'secret@example.com' },
      { slug: 'ada-lovelace-2', name: 'Ada Lovelace', email: 'other@example.com' },
    ]);
    expect(JSON.stringify(posts)).not.toContain('secret');
  });

  it('has the language and the translations of a post that Polylang gives them', () => {
    const term = (taxonomy: string, slug: string) =>
      `<category domain="${taxonomy}" nicename="${slug}"><![CDATA[${slug}]]></category>`;
    const set = term('post_translations', 'pll_6563a1b2c3d4e');
    const { posts, notes } = readWordPress(wxr(item({ more: term('language', 'pt_br') + set })));
    expect(posts[0]?.translation).toEqual({ lang: 'pt-BR', translationKey: 'pll_6563a1b2c3d4e' });
    expect(notes).toEqual([]);
    expect([...writeFiles(posts).files.values()][0]).toContain('lang: "pt-BR"\ntranslationKey: "pll_6563a1b2c3d4e"\n');
    expect(post({ more: term('language', 'de') })?.translation).toEqual({ lang: 'de' });
    const unknown = readWordPress(wxr(item({ more: term('language', 'x') + set })));
    expect(unknown.posts[0]?.translation).toBeUndefined();
    expect(unknown.notes).toEqual([
      'Taxonomies not imported: language (Soup & <bread>); post_translations (Soup & <bread>).',
    ]);
  });

  it('has all authors of a post that Co-Authors Plus gives several, also those who are no users', () => {
    const more = creator('bob') + label('author', 'ada') + label('author', 'A guest') + label('author', 'bob');
    const { posts, authors, notes } = readWordPress(wxr(user('bob', 'Bob') + user('ada', 'Ada') + item({ more })));
    expect(posts[0]?.authors).toEqual(['ada', 'a-guest', 'bob']);
    expect(authors.map(({ name, email }) => [name, email])).toEqual([
      ['Bob', 'bob@example.com'],
      ['Ada', 'ada@example.com'],
      ['A guest', null],
    ]);
    expect(notes).toEqual([]);
  });

  it('has the featured image of a post, and its SEO plug-in’s title, unless that is the post’s', () => {
    const attachment = `<item><wp:post_id>9</wp:post_id><wp:post_type>attachment</wp:post_type><wp:status>inherit</wp:status><wp:attachment_url>https://old.example.com/a.jpg</wp:attachment_url></item>`;
    const more = meta('_thumbnail_id', '9') + meta('_yoast_wpseo_metadesc', 'Warm.');
    expect(post({ more: more + meta('_yoast_wpseo_title', '%%title%% %%sep%%') }, attachment)).toMatchObject({
      featuredImageUrl: 'https://old.example.com/a.jpg',
      metaTitle: null,
      metaDescription: 'Warm.',
    });
    expect(post({ more: meta('rank_math_title', 'Soup') })).toMatchObject({ metaTitle: 'Soup' });
  });

  it.each([
    ['draft', false, 'it is a draft in WordPress'],
    ['pending', false, 'it awaits review in WordPress'],
    ['private', true, 'it is private in WordPress'],
    ['a-plugin-status', false, 'its status in WordPress is “a-plugin-status”'],
    ['future', false, 'it was scheduled in WordPress for a time that has passed'],
  ])(
    'keeps posts that are not published as drafts, with the date of those that had readers: %s',
    (status, wasLive, state) => {
      const publishedAt = wasLive ? '2024-01-31T09:30:00.000Z' : null;
      expect(post({ status })).toMatchObject({ isDraft: true, wasLive, publishedAt, state });
    },
  );

  it('has a post with a password as a draft that had readers', () => {
    const more = '<wp:post_password>x</wp:post_password>';
    expect(post({ more })).toMatchObject({ isDraft: true, wasLive: true, publishedAt: '2024-01-31T09:30:00.000Z' });
    expect(post({ more })?.state).toBe('it has a password in WordPress');
  });

  it('has a scheduled post as such, unless its time has passed or it is not public', () => {
    const xml = wxr(item({ status: 'future' })).replace('2024-01-31', '2036-01-31');
    const { posts, notes } = readWordPress(xml);
    expect(posts[0]).toMatchObject({
      ...{ isDraft: false, wasLive: false, publishedAt: '2036-01-31T09:30:00.000Z' },
      state: 'it is scheduled in WordPress',
    });
    expect(notes).toEqual([expect.stringContaining('1 scheduled post')]);
    const secret = xml.replace('</item>', '<wp:post_password>x</wp:post_password></item>');
    expect(readWordPress(secret).posts[0]).toMatchObject({ isDraft: true, publishedAt: null });
    expect(readWordPress(wxr(item({ status: 'future' }))).notes).toEqual([
      '1 post missed its scheduled time, imported as a draft: Soup & <bread> (2024-01-31T09:30:00.000Z).',
    ]);
  });

  it.each(['0000-00-00 00:00:00', 'soon', ''])('keeps a published post as a draft without a date: %j', (date) => {
    const { posts, notes } = readWordPress(wxr(item()).replace('2024-01-31 09:30:00', date));
    expect(posts[0]).toMatchObject({ isDraft: true, publishedAt: null });
    expect(notes).toEqual(['1 post has no valid date, imported as a draft: Soup & <bread>.']);
  });

  it.each([
    [meta('_yoast_wpseo_focuskw', 'pea soup'), 'pea soup'],
    [meta('rank_math_focus_keyword', 'pea soup, peas,soup'), 'pea soup'],
    [meta('_yoast_wpseo_focuskw', '') + meta('rank_math_focus_keyword', 'R&amp;D'), 'R&D'],
    [meta('_seopress_analysis_target_kw', 'peas'), 'peas'],
    ['', null],
  ])('has the focus keyword of an SEO plug-in: %s', (more, keyword) => {
    expect(post({ more })).toMatchObject({ keyword });
  });

  it('has the alt text of a featured image', () => {
    const alt = meta('_wp_attachment_image_alt', 'A &quot;cup&quot;');
    const attachment = `<item><wp:post_id>9</wp:post_id><wp:post_type>attachment</wp:post_type><wp:status>inherit</wp:status><wp:attachment_url>https://old.example.com/a.jpg</wp:attachment_url>${alt}</item>`;
    expect(post({ more: meta('_thumbnail_id', '9') }, attachment)).toMatchObject({ featuredImageAlt: 'A "cup"' });
  });

  it('leaves out a post whose bytes could not be read, by its title', () => {
    const text = wxr(item({ title: 'Good title', content: 'Before \uFFFD after' }) + item({ title: 'Other' }));
    const now = new Date();
    const { posts, problems } = readWordPressFile({ text, isDamaged: true, now });
    expect(posts.map(({ title }) => title)).toEqual(['Other']);
    expect(problems).toEqual([expect.stringMatching(/^1 post has bytes that .* not imported: Good title\.$/)]);
    expect(readWordPressFile({ text, isDamaged: false, now }).posts).toHaveLength(2);
  });

  it('leaves out the trash, and reports that pages are not imported', () => {
    const { posts, notes } = readWordPress(wxr(item({ status: 'trash' }) + item({ type: 'page' }) + item()));
    expect(posts).toHaveLength(1);
    expect(notes).toEqual([
      '1 post in the trash, not imported: Soup & <bread>.',
      '1 page not imported (posts only): Soup & <bread>.',
    ]);
  });

  it('drops block comments, and keeps their HTML', () => {
    const content =
      '<!-- wp:paragraph {"a":1} -->\n<p>One.</p>\n<!-- /wp:paragraph -->\n<!-- wp:more -->\n<!--more-->\n<!-- /wp:more -->\n<p>Two.</p>';
    expect(post({ content })?.html).toBe('<p>One.</p>\n\n<p>Two.</p>');
  });

  it('gets the paragraphs that WordPress adds when it shows a post', () => {
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
    expect(notes).toEqual(['Shortcodes kept as text: gallery (Soup & <bread>).']);
  });

  it('has posts for subscribers, and those that may hide a part, as drafts', () => {
    const subscribers = meta('_jetpack_newsletter_access', 'paid_subscribers');
    const [membership, paywall] = ['[membership]x[/membership]', '<!-- wp:jetpack/paywall /-->x'];
    for (const given of [{ more: subscribers }, { content: membership }, { content: paywall }])
      expect(post(given)).toMatchObject({ isDraft: true, wasLive: true });
    const { notes } = readWordPress(wxr(item({ more: subscribers, content: membership })));
    expect(notes).toContain(
      '1 post may have members-only sections, imported as a draft: Soup & <bread> (membership, paid_subscribers).',
    );
    expect(post({ more: meta('_jetpack_newsletter_access', 'everybody') })).toMatchObject({ isDraft: false });
  });

  it.each([
    [{ status: 'draft' }, false],
    [{ status: 'trash' }, false],
    [{ status: 'publish', more: '<wp:post_password>x</wp:post_password>' }, false],
    [{ status: 'publish' }, true],
  ])('has public shared blocks only: %j', (given, isShown) => {
    const shared = item({ ...given, type: 'wp_block', title: 'A tip', content: '<p>Mine.</p>' });
    const content = '<!-- wp:block {"ref":7} /-->';
    const { posts, notes } = readWordPress(wxr(item({ content }) + shared));
    expect(posts[0]?.html).toBe(isShown ? '<p>Mine.</p>' : '');
    const said = 'Unpublished or oversized shared blocks not imported: A tip (Soup & <bread>).';
    expect(notes).toEqual(isShown ? [] : [said]);
  });

  it('uses the local date where there is no other, and says so', () => {
    const dates = '<wp:post_date>2024-01-31 10:30:00</wp:post_date>';
    const xml = wxr(item({ more: dates })).replace('2024-01-31 09:30:00', '0000-00-00 00:00:00');
    const { posts, notes } = readWordPress(xml);
    expect(posts[0]?.publishedAt).toBe('2024-01-31T10:30:00.000Z');
    expect(notes).toEqual(['1 post has a date without a time zone, read as UTC: Soup & <bread>.']);
  });

  it('fills in the variables of SEO titles and descriptions', () => {
    const more =
      meta('_yoast_wpseo_title', '%%title%% %%page%% %%sep%% %%sitename%%') +
      meta('_yoast_wpseo_metadesc', 'On %%sitename%%: %%primary_category%%') +
      label('category', 'Dinner');
    expect(post({ more })).toMatchObject({
      metaTitle: 'Soup & <bread> - Kitchen',
      metaDescription: 'On Kitchen: Dinner',
    });
  });

  it('leaves out SEO texts with variables that only a plugin knows, and names them', () => {
    const more = meta('rank_math_title', '%title% %customfield(taste)%') + meta('rank_math_description', 'By %author%');
    const { posts, notes } = readWordPress(wxr(item({ more })));
    expect(posts).toMatchObject([{ metaTitle: null, metaDescription: null }]);
    expect(notes).toEqual([
      'Meta titles and descriptions with unknown variables not imported: %author% (Soup & <bread>); %customfield(taste)% (Soup & <bread>).',
    ]);
  });

  it.each([
    [
      'Yoast',
      {
        '_yoast_wpseo_meta-robots-noindex': '1',
        _yoast_wpseo_canonical: 'https://elsewhere.example/',
        '_yoast_wpseo_opengraph-title': '%%title%%, shared',
        '_yoast_wpseo_opengraph-description': 'Warm.',
        '_yoast_wpseo_opengraph-image': 'https://old.example.com/og.jpg',
        '_yoast_wpseo_twitter-title': 'Soup!',
        '_yoast_wpseo_twitter-description': 'Hot.',
        '_yoast_wpseo_twitter-image': 'https://old.example.com/x.jpg',
      },
    ],
    [
      'Rank Math',
      {
        rank_math_robots: 'a:1:{i:0;s:7:"noindex";}',
        rank_math_canonical_url: 'https://elsewhere.example/',
        rank_math_facebook_title: '%title%, shared',
        rank_math_facebook_description: 'Warm.',
        rank_math_facebook_image: 'https://old.example.com/og.jpg',
        rank_math_twitter_title: 'Soup!',
        rank_math_twitter_description: 'Hot.',
        rank_math_twitter_image: 'https://old.example.com/x.jpg',
      },
    ],
  ])('has the canonical URL, noindex and sharing texts and images of %s', (_plugin, told) => {
    const more = Object.entries(told).map(([key, value]) => meta(key, value));
    const { posts, notes } = readWordPress(wxr(item({ more: more.join('') })));
    expect(posts[0]?.sharing).toEqual({
      canonical_url: 'https://elsewhere.example/',
      noindex: true,
      og_title: 'Soup & <bread>, shared',
      og_description: 'Warm.',
      og_image_url: 'https://old.example.com/og.jpg',
      x_title: 'Soup!',
      x_description: 'Hot.',
      x_image_url: 'https://old.example.com/x.jpg',
    });
    expect(notes).toEqual([]);
  });

  it('has no sharing texts without a plugin, and drops what is no URL', () => {
    const more = meta('_yoast_wpseo_canonical', '/soup') + meta('_yoast_wpseo_meta-robots-noindex', '2');
    expect(readWordPress(wxr(item({ more }))).posts[0]?.sharing).toEqual({});
  });

  it('reports dropped taxonomies', () => {
    expect(readWordPress(wxr(item({ more: label('series', 'Winter') }))).notes).toEqual([
      'Taxonomies not imported: series (Soup & <bread>).',
    ]);
  });

  it('has images with alt texts that are escaped once', () => {
    const alt = meta('_wp_attachment_image_alt', 'Salt &amp; &quot;pepper&quot;');
    const more = `<wp:attachment_url>https://old.example.com/a.jpg?a=1&amp;b=2</wp:attachment_url>${alt}`;
    const picture = item({ type: 'attachment', status: 'inherit', more });
    expect(post({ content: '[gallery ids="7"]' }, picture)?.html).toBe(
      '<figure><img src="https://old.example.com/a.jpg?a=1&amp;b=2" alt="Salt &amp; &quot;pepper&quot;"></figure>',
    );
  });

  it('may mention document types, and have empty items', () => {
    expect(post({ content: '<pre>&lt;</pre><!DOCTYPE html>' }, '<item/><item></item>')?.html).toContain('DOCTYPE');
  });

  it.each(['https://soup', 'https://soup/', 'soup', 'javascript:1'])('may have the address %s', (link) => {
    const more = meta('_wp_old_slug', 'a b') + meta('_wp_old_slug', 'broth');
    const xml = wxr(item({ more })).replace('https://old.example.com/2024/01/soup/', link);
    const [read] = readWordPress(xml).posts;
    expect(read).toMatchObject({ url: link.startsWith('https:') ? link : null, otherUrls: [] });
  });

  it('has slugs with hyphens where they had underscores', () => {
    expect(post({ name: 'pea_soup' })?.slug).toBe('pea-soup');
  });

  it.each([
    ['caf%c3%a9-cr%c3%a8me', 'cafe-creme', false],
    ['%e5%91%b3%e5%99%8c%e6%b1%81', 'wei-ceng-zhi', true],
    ['%d0%bf%d1%80%d0%b8%d0%b2%d0%b5%d1%82', 'privet', false],
    ['%ec%95%88%eb%85%95-%ed%95%9c%ea%b5%ad', 'annyeong-hangug', true],
    ['%e0%b8%aa%e0%b8%a7%e0%b8', 'sw', true],
    ['100%-tea', '100-tea', true],
    ['a'.repeat(201), 'a'.repeat(200), true],
    ['%e2%80%a6', null, true],
    ['', null, false],
  ])('has slugs in letters that the service accepts: %s', (name, slug, isSlugMade) => {
    expect(post({ name })).toMatchObject({ slug, isSlugMade });
  });

  it.each([
    ['no XML', 'hello', /not valid XML|not a WordPress/],
    ['a file that was cut off', wxr(item()).slice(0, -40), /not valid XML/],
    ['another feed', '<rss><channel><title>x</title></channel></rss>', /not a WordPress export/],
    ['a document type', `<!DOCTYPE a [<!ENTITY b "c">]>${wxr('')}`, /document type/],
  ])('is refused with an explanation: %s', (_what, text, message) => {
    expect(() => readWordPress(text)).toThrow(UnreadableExport);
    expect(() => readWordPress(text)).toThrow(message);
  });
});
