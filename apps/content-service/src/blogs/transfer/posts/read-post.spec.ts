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
    ['中文文章.md', '', 'zhong-wen-wen-zhang', 'title'],
    ['🎉.md', '', 'tada', 'title'],
    ['C++.md', '', 'c', 'title'],
    ['Привет мир.md', '', 'privet-mir', 'slug'],
    ['Café – crème.md'.replace('–', '-'), '', 'cafe-creme', 'slug'],
    ['….md', 'title: Green tea', 'green-tea', 'slug'],
    ['….md', 'slug: 茶', 'cha', 'title'],
    ['a.md', 'slug: cha\nslug_made: true', 'cha', 'title'],
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
      notes: [expect.stringContaining('was made “blog-gruner-tee”')],
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
  it('prefer the names of the API', () => {
    expect(
      withFront('summary: s', 'excerpt: e', 'image: https://x.example/b', 'featured_image_url: https://x.example/a')
        .fields,
    ).toMatchObject({
      excerpt: 'e',
      featured_image_url: 'https://x.example/a',
    });
  });
  it.each(['/a.jpg', 'a.jpg', '//x.example/a.jpg', 'data:image/png;base64,', 'javascript:x'])(
    'leave out the image %s, and say so',
    (url) => {
      const { fields, notes } = withFront(`image: "${url}"`);
      expect(fields).not.toHaveProperty('featured_image_url');
      expect(notes).toEqual(['image is not an absolute http(s) URL: left out.']);
    },
  );
  it('leave out an image with a link placeholder, and say so', () => {
    const { fields, notes } = withFront('image: "https://x.example/%5BINTERNAL:tea%5D.png"');
    expect(fields).not.toHaveProperty('featured_image_url');
    expect(notes).toEqual(['image has a link placeholder: left out.']);
  });
  it('do not have what is not known', () => {
    expect(withFront('layout: post', '__proto__: x', 'permalink: /a').fields).toEqual({ title: 'A' });
  });
});

describe('whether a post is a draft', () => {
  it.each([
    ['draft: true', true],
    ['draft: false', false],
    ['published: false', true],
    ['published: true', false],
    ['draft: false\npublished: false', true],
    ['', false],
  ])('%p: %p', (lines, isDraft) => {
    expect(withFront(lines).isDraft).toBe(isDraft);
  });
  it('is also said by the folder _drafts', () => {
    expect(post('_drafts/a.md', 'x').isDraft).toBe(true);
    expect(post('_drafts/a.md', '---\ndraft: false\n---\n').isDraft).toBe(false);
  });
});

describe('the date of a post', () => {
  it('is the front matter’s, else the file name’s', () => {
    expect(withFront('date: 2024-01-31 10:00:00 +0100').date).toEqual(new Date('2024-01-31T09:00:00Z'));
    expect(withFront('published_at: 2024-01-31').date).toEqual(new Date('2024-01-31T00:00:00Z'));
    expect(post('2024-01-31-tea.md', 'x').date).toEqual(new Date('2024-01-31T00:00:00Z'));
    expect(withFront('title: x').date).toBeNull();
  });
  it('is left out when it is in the future or not readable, and that is said', () => {
    expect(withFront('date: 2026-01-02')).toMatchObject({
      date: null,
      notes: ['The date is in the future: left out.'],
    });
    expect(withFront('date: 1969-12-31')).toMatchObject({
      date: null,
      notes: ['The date is before 1970: left out.'],
    });
    expect(withFront('date: 1970-01-01').date).toEqual(new Date(0));
    expect(withFront('date: soon')).toMatchObject({ date: null, notes: [expect.stringContaining('can be read')] });
  });
});

it('refuses content of more than 500,000 characters', () => {
  expect(readPost({ path: 'a.md', format: 'markdown', text: 'x'.repeat(500_001) }, NOW)).toEqual({
    problem: 'has more than 500000 characters of content',
  });
});
