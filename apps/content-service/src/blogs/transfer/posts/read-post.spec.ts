import { extras } from '@blog-content/payload-schemas';
import { readPost, type ParsedPost } from './read-post.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
function post(path: string, text: string): ParsedPost {
  const read = readPost({ path, format: /html?$/.test(path) ? 'html' : 'markdown', text }, NOW);
  if ('problem' in read) throw new Error(read.problem);
  return read;
}
const withFront = (...lines: string[]) => post('a.md', `---\n${lines.join('\n')}\n---\nText`);

describe('the title of a post', () => {
  it('is the front matter’s, and headings stay', () => {
    expect(post('a.md', '---\ntitle: T\n---\n# H\n\nText')).toMatchObject({
      fields: { title: 'T' },
      content: '# H\n\nText',
    });
  });
  it.each([
    ['# A *fine* `title` #\n\nText', 'A fine title', 'Text'],
    ['A [title](/x)\n===\nText', 'A title', 'Text'],
    ['```\n# code\n```\n# Title\nText', 'Title', '```\n# code\n```\nText'],
    ['Intro\n\n# Title\n\nText', 'Title', 'Intro\n\n\nText'],
    ['# Title\r\n\r\nText\r\n', 'Title', 'Text\r\n'],
    ['# Title {#start}\n\nText', 'Title', 'Text'],
  ])('is else the first heading, which is taken out: %p', (text, title, content) => {
    expect(post('a.md', text)).toMatchObject({ fields: { title }, content });
  });
  it.each([
    ['posts/my-first_post.md', 'My first post'],
    ['2024-01-31-tea.md', 'Tea'],
    ['green-tea/index.md', 'Green tea'],
    ['index.md', 'Index'],
  ])('is else the name of the file, in words: %s', (path, title) => {
    expect(post(path, '> # Not mine\n\n## Nor this').fields.title).toBe(title);
  });
  it('of HTML is the first heading’s, else that of <title>', () => {
    const html =
      '<!doctype html><html><head><title>T – Site</title></head><body>\n<h1>A &amp; <b>B</b></h1><p>x</p>\n</body></html>';
    expect(post('a.html', html)).toMatchObject({ fields: { title: 'A & B' }, content: '\n<p>x</p>\n' });
    expect(post('a.html', html.replace(/<h1>.*<\/h1>/, ''))).toMatchObject({
      fields: { title: 'T – Site' },
      content: '\n<p>x</p>\n',
    });
    expect(post('a.html', '<p>x</p>')).toMatchObject({ fields: { title: 'A' }, content: '<p>x</p>' });
    expect(post('a.html', '---\ntitle: T\n---\n<h1>H</h1>')).toMatchObject({
      fields: { title: 'T' },
      content: '<h1>H</h1>',
    });
  });
});

describe('the slug of a post', () => {
  it.each([
    ['posts/Green Tea.md', 'green-tea'],
    ['_posts/2024-01-31-green-tea.md', 'green-tea'],
    ['blog/green-tea/index.md', 'green-tea'],
    ['blog/Green Tea/_index.html', 'green-tea'],
    ['a/2024-01-31-tea/index.md', 'tea'],
    ['2024-01-31.md', '2024-01-31'],
  ])('comes from the path: %s', (path, slug) => {
    expect(post(path, 'x').slug).toBe(slug);
  });
  it.each([
    ['中文文章.md', '', 'zhong-wen-wen-zhang', 'file'],
    ['🎉.md', '', 'tada', 'file'],
    ['C++.md', '', 'c', 'file'],
    ['Привет мир.md', '', 'privet-mir', 'slug'],
    ['Café – crème.md'.replace('–', '-'), '', 'cafe-creme', 'slug'],
    ['….md', 'title: Green tea', 'green-tea', 'slug'],
    ['….md', 'slug: 茶', 'cha', 'file'],
    ['a.md', 'slug: cha\nslug_made: true', 'cha', 'file'],
    ['….md', 'slug: "!"', expect.stringMatching(/^post-[0-9a-f]{8}$/), 'nothing'],
    ['….md', 'title: "!"', expect.stringMatching(/^post-[0-9a-f]{8}$/), 'nothing'],
  ])('is transliterated, and tells by what it is the same post: %s %s', (path, line, slug, sameBy) => {
    expect(post(path, `---\n${line}\n---\nx`)).toMatchObject({ slug, sameBy });
  });
  it('that says nothing of the post is the same in each import, and another one for another file or title', () => {
    const slugs = [
      ['a/….md', 'T …'],
      ['a/….md', 'T …'],
      ['b/….md', 'T …'],
      ['a/….md', '…'],
    ].map(([path = '', title]) => post(path, `---\ntitle: "${title?.slice(1)}"\n---\nx`).slug);
    expect(slugs[0]).toBe(slugs[1]);
    expect(new Set(slugs).size).toBe(3);
  });
  it('is the front matter’s', () => {
    expect(withFront('slug: milk')).toMatchObject({ slug: 'milk', notes: [] });
    expect(withFront('slug: /Blog/Grüner Tee/')).toMatchObject({
      slug: 'blog-gruner-tee',
      notes: [expect.stringContaining('changed to “blog-gruner-tee”')],
    });
  });
  it('is refused when it is reserved', () => {
    expect(readPost({ path: 'sitemap.md', format: 'markdown', text: '' }, NOW)).toEqual({
      problem: expect.stringContaining('reserved'),
    });
  });
});

describe('the fields of a post', () => {
  it('have the names that other programs give them', () => {
    expect(
      withFront(
        'summary: s',
        'description: d',
        'SEO-Title: t',
        'cover: https://x.example/a.jpg',
        'category: a, b',
        'tags: [c, " d ", c]',
        'focus_keyword: k',
      ).fields,
    ).toEqual({
      title: 'A',
      excerpt: 's',
      meta_description: 'd',
      meta_title: 't',
      featured_image_url: 'https://x.example/a.jpg',
      categories: ['a', 'b'],
      tags: ['c', 'd'],
      keyword: 'k',
    });
  });
  it('have the names of extra fields too', () => {
    const { authors, ...examples } = extras.examples;
    const lines = Object.entries(extras.examples).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    expect(withFront(...lines)).toMatchObject({ fields: { title: 'A', ...examples }, authors, notes: [] });
  });
  it.each([
    ['authors: [ada, "Bo Smith", ada]', ['ada', 'Bo Smith']],
    ['author: Ada Lovelace', ['Ada Lovelace']],
    ['Author: ada, bo', ['ada', 'bo']],
    ['author:\n  name: Ada\n  url: https://ada.example', ['Ada']],
    ['authors: []', []],
    ['tags: a', null],
  ])('have authors, by slug or name: %s', (line, authors) => {
    expect(withFront(line)).toMatchObject({ authors });
  });
  it('have the language and the key of translations as site generators call them', () => {
    expect(withFront('lang: de_AT', 'translationKey: tea')).toMatchObject({
      fields: { language: 'de-AT', translation_key: 'tea' },
      notes: [],
    });
    const { fields, notes } = withFront('lang: German', 'translationKey: tea');
    expect(fields).not.toHaveProperty('translation_key');
    expect(notes).toEqual([
      'Skipped lang: not a valid value.',
      'Skipped translationKey: only a post with a language can have translations.',
    ]);
  });
  it('prefer the names of the API', () => {
    expect(
      withFront('summary: s', 'excerpt: e', 'image: https://x.example/b', 'featured_image_url: https://x.example/a')
        .fields,
    ).toMatchObject({
      excerpt: 'e',
      featured_image_url: 'https://x.example/a',
    });
  });
  it.each(['/a', '//x.example/a.jpg', 'data:image/png;base64,', 'javascript:x'])(
    'leave out the image %s, and say so',
    (url) => {
      const { fields, notes } = withFront(`image: "${url}"`);
      expect(fields).not.toHaveProperty('featured_image_url');
      expect(notes).toEqual(['Skipped image: not an absolute http(s) URL.']);
    },
  );
  it.each(['/a.jpg', './a.jpg'])('have the path of an image of the import: %s', (path) => {
    const { fields, heroPaths, notes } = withFront(`image: "${path}"`);
    expect([fields, heroPaths, notes]).toEqual([expect.not.objectContaining({ featured_image_url: path }), [path], []]);
  });
  it('leave out an image with a link placeholder, and say so', () => {
    const { fields, notes } = withFront('image: "https://x.example/%5BINTERNAL:tea%5D.png"');
    expect(fields).not.toHaveProperty('featured_image_url');
    expect(notes).toEqual(['Skipped image: it contains a link placeholder.']);
  });
  it('do not have what is not known, and name it', () => {
    expect(withFront('layout: post', '__proto__: x', 'editor: Ada', 'series:', 'lastmod: 2024-01-01')).toMatchObject({
      fields: { title: 'A' },
      notes: ['Not imported: __proto__, editor, lastmod.'],
    });
  });
  it.each([
    'heroImage: URL',
    'heroImage: { src: URL, alt: x }',
    'featuredImage: URL',
    'coverImage: URL',
    'ogImage: { url: URL }',
    'cover:\n  image: URL\n  alt: x',
    'image:\n  path: URL',
    'thumbnail: URL',
    'images: [URL]',
    'header:\n  image: URL',
    'hero-image: URL',
  ])('take the picture of %j', (lines) => {
    expect(withFront(lines.replace('URL', 'https://x.example/a.jpg')).fields).toMatchObject({
      featured_image_url: 'https://x.example/a.jpg',
    });
  });
  it('have the names that starters write, whatever their case', () => {
    expect(withFront('metaTitle: t', 'metaDescription: d', 'focusKeyword: k', 'Tags: [a]').fields).toEqual({
      title: 'A',
      meta_title: 't',
      meta_description: 'd',
      keyword: 'k',
      tags: ['a'],
    });
  });
  it.each([
    ['description: d', { meta_description: 'd' }],
    ['metaDescription: m\ndescription: d', { meta_description: 'm', excerpt: 'd' }],
    ['seo:\n  description: m\ndescription: d', { meta_description: 'm', excerpt: 'd' }],
    ['metaDescription: ""\ndescription: d', { meta_description: 'd' }],
    ['metaDescription: m\ndescription: m', { meta_description: 'm' }],
    ['metaDescription: m\ndescription: d\nexcerpt: ""', { meta_description: 'm', excerpt: 'd' }],
  ])('take the description as excerpt beside a meta description: %j', (lines, fields) => {
    expect(withFront('title: A', lines)).toMatchObject({ notes: [] });
    expect(withFront('title: A', lines).fields).toEqual({ title: 'A', ...fields });
  });
  it('have a description only once beside an excerpt and a meta description', () => {
    const { fields, notes } = withFront('title: A', 'excerpt: e', 'metaDescription: m', 'description: d');
    expect(fields).toEqual({ title: 'A', excerpt: 'e', meta_description: 'm' });
    expect(notes).toEqual(['Not imported: description.']);
  });
  it('have categories and tags of Jekyll by spaces, in files with its names only', () => {
    const text = '---\ncategories: travel food\ntags: classic hollywood\n---\nText';
    expect(post('_posts/2024-01-31-labels.md', text).fields).toMatchObject({
      categories: ['travel', 'food'],
      tags: ['classic', 'hollywood'],
    });
    expect(post('labels.md', text)).toMatchObject({
      fields: { categories: ['travel food'], tags: ['classic hollywood'] },
      notes: [
        '`categories: travel food` (line 2) was read as one label. Separate several with commas.',
        '`tags: classic hollywood` (line 3) was read as one label. Separate several with commas.',
      ],
    });
    const commas = '---\ncategories: New York, Rio\ncategory: New York\ntags: [a b]\n---\nText';
    expect(post('_posts/2024-01-31-labels.md', commas).fields).toMatchObject({
      categories: ['New York', 'Rio'],
      tags: ['a b'],
    });
  });
  it('name old addresses, but no patterns of them', () => {
    expect(withFront('aliases: [/old/, /older/]', 'redirect_from: /x', 'permalink: /:title/').notes).toEqual([
      'Old URLs to redirect at your host: /old/ (aliases), /older/ (aliases), /x (redirect_from).',
      'Not imported: permalink.',
    ]);
  });
});

describe('whether a post is a draft', () => {
  it.each([
    ...[
      'draft: true',
      "draft: 'true'",
      'Draft: TRUE',
      'draft: yes',
      'draft: "on"',
      'draft: 1',
      'draft: maybe',
      'draft:',
    ],
    ...['isDraft: true', 'draft: [true]', 'draft: { is: true }', 'published: false', 'publish: false', 'publish: no'],
    ...['public: false', 'status: draft', 'status: pending', 'status: Private', 'status:', 'post_status: future'],
    ...[
      'private: true',
      'unlisted: true',
      'hidden: true',
      'visibility: private',
      'visibility: members',
      'access: paid',
    ],
    ...[
      'wip: true',
      'password: secret',
      'eleventyExcludeFromCollections: true',
      'permalink: false',
      'params.draft: true',
    ],
    ...[
      'params:\n  draft: true',
      'build:\n  list: never',
      '_build:\n  render: false',
      'draftStatus: new',
      'layout: draft',
    ],
    ...['expiryDate: 2025-06-01', 'expires: 2025-06-01', 'expiryDate: soon', 'unpublishDate: 2025-06-01'],
    ...['date: soon', 'date: 07/08/2022', 'pubDate: 2022-13-01', 'publishDate: [2022-01-01]', 'date: 1969-12-31'],
    ...['published: perhaps', 'date: 2050-01-01', 'draft: false\npublished: false'],
    ...['releaseDate: 2026-03-03', 'goLive: 2026-03-03', 'active: false', 'isLive: false', 'approved: no'],
  ])('%j keeps it one, and a note says why, and on which line', (lines) => {
    const { isDraft, notes } = withFront('title: A', lines);
    expect([isDraft, notes[0]]).toEqual([true, expect.stringMatching(/^Kept as a draft: `.+` \(line [34]\)/)]);
  });

  it.each([
    ...['draft: false', 'draft: no', 'published: true', 'publish: true', 'status: published', 'status: Publish'],
    ...['visibility: public', 'private: false', 'unlisted: false', 'hidden: off', 'password:', 'noindex: true', ''],
    ...['build:\n  list: always', 'hideToc: true', 'publisher: Ada', 'date:', 'created: 2024-01-01', 'updated: never'],
    ...['published: 2024-01-01', 'expiryDate: 2099-01-01', 'expires: false'],
    ...['cover:\n  hidden: true', 'type: page'],
    ...['releaseDate: 2025-03-03', 'release: 2.0', 'active: true', 'interactive: false', 'ready: soon'],
  ])('%j does not make it one', (lines) => {
    const { isDraft, notes } = withFront('title: A', lines);
    expect([isDraft, notes.filter((note) => note.startsWith('Kept'))]).toEqual([false, []]);
  });

  it('is said as the state of the post in its export, not by lines of a file that the command line has made', () => {
    const state = 'exported_state: "it is private in WordPress"';
    expect(withFront('title: A', 'draft: true', state)).toMatchObject({
      isDraft: true,
      notes: ['Kept as a draft: it is private in WordPress.'],
    });
    expect(withFront('title: A', 'draft: false', 'date: 1950-01-01', state)).toMatchObject({
      isDraft: true,
      notes: [expect.stringMatching(/^Kept as a draft: `date: 1950-01-01` in the export is /)],
    });
    expect(withFront('title: A', 'draft: false', 'date: 2026-05-01', state)).toMatchObject({
      isDraft: false,
      notes: ['`date: 2026-05-01` in the export is in the future: publishing schedules the post for then.'],
    });
    expect(withFront('title: A', 'draft: false', 'exported_state: it is a draft')).toMatchObject({ notes: [] });
  });

  it('is also said by a folder of drafts and by a name', () => {
    for (const path of ['_drafts/a.md', 'content/drafts/a.md', 'a.draft.md', 'blog/_a.md']) {
      expect(post(path, 'x')).toMatchObject({ isDraft: true, notes: [expect.stringMatching(/^Kept as a draft: it/)] });
    }
  });

  it.each(['', '\n\n', '<!-- later -->', '<div>\n</div>'])('it is one without content: %j', (content) => {
    for (const path of ['a.md', 'a.html']) {
      expect(post(path, `---\ntitle: A\n---\n${content}`)).toMatchObject({
        isDraft: true,
        notes: ['Kept as a draft: it has no content.'],
      });
    }
  });

  it.each([
    'Text',
    '![](https://x.example/a.png)',
    '<img src="https://x.example/a.png">',
    '<https://x.example>',
    '<p>a',
  ])('it is none with content: %j', (content) => {
    expect(post('a.md', `---\ntitle: A\n---\n${content}`).isDraft).toBe(false);
  });
});

describe('the date of a post', () => {
  const AT = new Date('2022-07-08T00:00:00Z');
  it.each([
    ...['date: 2022-07-08', 'pubDate: Jul 08 2022', "pubDate: 'Jul 08 2022'", 'publishDate: 2022-07-08T02:00:00+02:00'],
    ...['publishedAt: 2022-07-08', 'published_at: 2022/7/8', 'datePublished: 8 July 2022', 'published: 2022-07-08'],
    ...['created: 2022-07-08', 'date: 2021-01-01\npublishDate: 2022-07-08', 'created: soon\ndate: 2022-07-08'],
  ])('is read from %j', (lines) => {
    expect(withFront(lines)).toMatchObject({ date: AT, isDraft: false });
  });

  it('is else that of the name of the file', () => {
    expect(post('2022-07-08-tea.md', 'x').date).toEqual(AT);
    expect(post('2022-07-08-tea.md', '---\ndate: 2021-01-01\n---\nx').date).toEqual(new Date('2021-01-01T00:00:00Z'));
    expect(withFront('title: x').date).toBeNull();
    expect(post('2022-13-08-tea.md', 'x')).toMatchObject({
      date: null,
      isDraft: true,
      notes: [expect.stringMatching(/the date in the file name, 2022-13-08, is not a readable date/)],
    });
  });

  it('may be in the future, the latest of them, and that is said', () => {
    const ahead = new Date('2026-05-01T09:00:00Z');
    expect(withFront('date: 2025-01-01', 'publishDate: 2026-05-01T09:00:00Z')).toMatchObject({
      date: ahead,
      isDraft: false,
      notes: [
        '`publishDate: 2026-05-01T09:00:00Z` (line 3) is in the future: publishing schedules the post for then.',
        'Not imported: date.',
      ],
    });
    expect(withFront('status: scheduled', 'date: 2026-05-01T09:00:00Z')).toMatchObject({ date: ahead, isDraft: false });
    expect(post('2026-05-01-tea.md', 'x')).toMatchObject({
      date: new Date('2026-05-01T00:00:00Z'),
      isDraft: false,
      notes: [expect.stringContaining('is in the future')],
    });
  });

  it('says when a post ends that is not to end yet', () => {
    expect(withFront('expiryDate: 2099-01-01').notes).toEqual([
      'Not imported: `expiryDate: 2099-01-01` (line 2). Posts do not expire here.',
    ]);
  });
});

it('refuses content of more than 500,000 characters', () => {
  expect(readPost({ path: 'a.md', format: 'markdown', text: 'x'.repeat(500_001) }, NOW)).toEqual({
    problem: 'has more than 500000 characters of content',
  });
});
