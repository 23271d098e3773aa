import { UnreadableExport, type ExportedPost } from './exported-post.ts';
import { writeFiles } from './write-files.ts';

const post = (given: Partial<ExportedPost>): ExportedPost => ({
  id: '7',
  slug: null,
  isSlugMade: false,
  title: 'Soup: a “plan”',
  html: '<p>x</p>',
  isDraft: false,
  state: 'it is published in WordPress',
  wasLive: true,
  publishedAt: null,
  excerpt: null,
  metaTitle: null,
  metaDescription: null,
  keyword: null,
  sharing: {},
  featuredImageUrl: null,
  featuredImageAlt: null,
  categories: [],
  tags: [],
  authors: [],
  url: null,
  otherUrls: [],
  ...given,
});

describe('the files of an import', () => {
  it('have front matter that is safe for any title', () => {
    const { files } = writeFiles([
      post({ title: 'A: "b"\n---\n# c', slug: 'a', tags: ['x, y'], authors: ['ada', 'bob'] }),
    ]);
    expect(files.get('posts/a.html')).toBe(
      '---\ntitle: "A: \\"b\\"\\n---\\n# c"\nslug: "a"\ndraft: false\nexported_state: "it is published in WordPress"\ncategories: []\ntags: ["x, y"]\nauthors: ["ada","bob"]\n---\n\n<p>x</p>',
    );
  });

  it('get a slug from the title, else from the number, and never a duplicate or reserved one', () => {
    const { files } = writeFiles([
      post({ id: '1', title: 'Crème brûlée' }),
      post({ id: '2', title: 'Creme Brulee' }),
      post({ id: '3', title: '湯' }),
      post({ id: '4', slug: 'sitemap' }),
      post({ id: '5', title: '…' }),
    ]);
    expect([...files.keys()]).toEqual([
      'posts/export/4/sitemap-4.html',
      'posts/export/1/creme-brulee-1.html',
      'posts/export/2/creme-brulee-2.html',
      'posts/export/3/tang-3.html',
      'posts/export/5/post-5.html',
    ]);
  });

  it('have the same slugs in the next export, even if others come before them there', () => {
    const [old, newer] = [post({ id: '1', title: 'Soup' }), post({ id: '2', title: 'Soup' })];
    const keys = [...writeFiles([newer, old]).files.keys()];
    expect(keys).toEqual(expect.arrayContaining([...writeFiles([old]).files.keys()]));
    expect(keys).toEqual(['posts/export/2/soup-2.html', 'posts/export/1/soup-1.html']);
  });

  it('have unique slugs, even if another has a title that ends in a number', () => {
    const { files } = writeFiles([post({ slug: 'soup-7' }), post({ slug: 'post-7' }), post({ title: 'Soup' })]);
    expect([...files.keys()]).toEqual(['posts/soup-7.html', 'posts/post-7.html', 'posts/export/7/post-7-7.html']);
  });

  it('are refused for posts that cannot be distinguished', () => {
    expect(() => writeFiles(Array.from({ length: 9 }, () => post({ title: 'Soup' })))).toThrow(UnreadableExport);
    expect(() => writeFiles([post({ id: '' })])).toThrow(/“Soup: a “plan”” has no ID/);
    expect(writeFiles([post({ id: '', slug: 'soup' })]).files.size).toBe(1);
  });

  it('leave a slug to the published post that has it, even if a draft before it has the same', () => {
    const { files } = writeFiles([
      post({ slug: 'soup', isDraft: true }),
      post({ slug: 'soup', html: 'Mine.', id: '8' }),
    ]);
    expect(files.get('posts/soup.html')).toContain('Mine.');
    expect(files.has('posts/export/7/soup-7.html')).toBe(true);
  });

  it('mark slugs that other posts may have, and have unique paths', () => {
    const { files } = writeFiles([
      post({ slug: 'soup' }),
      post({ slug: 'zhang', isSlugMade: true, id: '1', url: 'https://old.example:8080/x/' }),
      post({ slug: 'zhang', isSlugMade: true, id: '2' }),
      post({ title: '…', id: '3' }),
    ]);
    const made = [...files].map(([path, text]) => [path, text.includes('slug_made: true')]);
    expect(made).toEqual([
      ['posts/soup.html', false],
      ['posts/old.example-8080/1/zhang.html', true],
      ['posts/export/2/zhang-2.html', true],
      ['posts/export/3/post-3.html', true],
    ]);
  });

  it('have redirects and links for posts with restricted readers, and none for private ones', () => {
    const html = ['members', 'draft'].map((path) => `<a href="https://old.example/${path}/">x</a>`).join('');
    const { files, redirects, notes } = writeFiles([
      post({ slug: 'soup', html }),
      post({ slug: 'members', isDraft: true, url: 'https://old.example/members/', title: 'Mine' }),
      post({ slug: 'draft', isDraft: true, wasLive: false, url: 'https://old.example/draft/' }),
    ]);
    expect(files.get('posts/soup.html')).toContain(
      '<a href="[INTERNAL:members]">x</a><a href="[INTERNAL:draft]">x</a>',
    );
    expect(redirects).toEqual([{ from: '/members/', to: '/blog/members/' }]);
    expect(notes).toEqual([expect.stringMatching(/^1 post was live .* once you publish it: Mine\.$/)]);
  });

  it('leave a slug to the post that has it, even if a draft before it has that title', () => {
    const { files } = writeFiles([post({ title: 'Soup' }), post({ slug: 'soup', html: '<p>Mine.</p>' })]);
    expect(files.get('posts/soup.html')).toContain('Mine.');
    expect(files.has('posts/export/7/soup-7.html')).toBe(true);
  });

  it('link to each other by placeholders for any spelling of the old URL, and leave other links alone', () => {
    const links = [
      'https://www.old.example/2024/bread/',
      'http://old.example/2024/bread#crust',
      'https://old.example/elsewhere/',
    ];
    const html = links.map((url) => `<a class="x" href="${url}">y</a>`).join('');
    const { files } = writeFiles([
      post({ slug: 'soup', html }),
      post({ slug: 'bread', url: 'https://old.example/2024/bread/' }),
    ]);
    expect(files.get('posts/soup.html')).toContain(
      '<a class="x" href="[INTERNAL:bread]">y</a><a class="x" href="[INTERNAL:bread]#crust">y</a><a class="x" href="https://old.example/elsewhere/">y</a>',
    );
  });

  it('come with redirects for posts whose path changed', () => {
    const { redirects } = writeFiles([
      post({ slug: 'soup', url: 'https://old.example/2024/soup/' }),
      post({ slug: 'tea', url: 'https://old.example/blog/tea/' }),
      post({ slug: 'salt', url: 'https://old.example/?p=7' }),
    ]);
    expect(redirects).toEqual([{ from: '/2024/soup/', to: '/blog/soup/' }]);
  });

  it('link to and redirect from URLs in other scripts in any encoding', () => {
    const links = ['/%E5%91%B3/', '/味/', '/100%/'].map((path) => `<a href="https://old.example${path}">y</a>`);
    const { files, redirects } = writeFiles([
      post({ slug: 'soup', html: links.join('') }),
      post({ slug: 'miso', url: 'https://old.example/%e5%91%b3/', otherUrls: ['https://old.example/味/'] }),
      post({ slug: 'whole', url: 'https://old.example/100%/' }),
    ]);
    const [miso, whole] = ['miso', 'whole'].map((slug) => `<a href="[INTERNAL:${slug}]">y</a>`);
    expect(files.get('posts/soup.html')).toContain(`${miso}${miso}${whole}`);
    expect(redirects).toEqual([
      { from: '/%e5%91%b3/', to: '/blog/miso/' },
      { from: '/100%/', to: '/blog/whole/' },
    ]);
  });

  it('escape quotes in links', () => {
    const html = `<a href='https://old.example/tea/#&#39; onclick=&quot;x&amp;y'>y</a>`;
    const { files } = writeFiles([post({ slug: 'tea', url: 'https://old.example/tea/', html })]);
    expect(files.get('posts/tea.html')).toContain(`<a href="[INTERNAL:tea]#'%20onclick=%22x&amp;y">y</a>`);
  });

  it('do not redirect from the path of a post', () => {
    const { redirects } = writeFiles([
      post({ slug: 'soup', url: 'https://old.example/blog/tea/', otherUrls: ['https://old.example/blog/salt'] }),
      post({ slug: 'tea', url: 'https://old.example/blog/soup/' }),
      post({ slug: 'salt', isDraft: true }),
    ]);
    expect(redirects).toEqual([]);
  });

  it('redirect from the other URLs of a post, unless another post is there', () => {
    const html = '<a href="https://old.example/?p=3">y</a><a href="https://old.example/green/">y</a>';
    const { files, redirects } = writeFiles([
      post({ slug: 'soup', html }),
      post({
        ...{ slug: 'tea', url: 'https://old.example/tea/' },
        otherUrls: ['https://old.example/?p=3', 'https://old.example/green/', 'https://old.example/leaves/'],
      }),
      post({ slug: 'green', url: 'https://old.example/green/' }),
    ]);
    expect(files.get('posts/soup.html')).toContain('<a href="[INTERNAL:tea]">y</a><a href="[INTERNAL:green]">y</a>');
    expect(redirects).toEqual([
      { from: '/tea/', to: '/blog/tea/' },
      { from: '/green/', to: '/blog/green/' },
      { from: '/leaves/', to: '/blog/tea/' },
    ]);
  });

  it('list the old URLs that are lost', () => {
    const html = '<a href="https://old.example/menu.pdf">y</a><img src="https://old.example/x.png">';
    const elsewhere = '<a href="https://other.example/menu.pdf">y</a>';
    const { notes } = writeFiles([
      post({ title: 'Salt', url: 'https://old.example/?p=7', html: elsewhere }),
      post({ title: 'Menu', url: 'https://old.example/menu/', html }),
    ]);
    expect(notes).toEqual([
      '1 post has a URL with a query string, which hosts can’t redirect: Salt.',
      '1 post uses files that stay on the old site: Menu.',
    ]);
  });
});
