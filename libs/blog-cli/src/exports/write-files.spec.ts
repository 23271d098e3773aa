import type { ExportedPost } from './exported-post.ts';
import { writeFiles } from './write-files.ts';

const post = (given: Partial<ExportedPost>): ExportedPost => ({
  id: '7',
  slug: null,
  title: 'Soup: a “plan”',
  html: '<p>x</p>',
  isDraft: false,
  publishedAt: null,
  excerpt: null,
  metaTitle: null,
  metaDescription: null,
  featuredImageUrl: null,
  categories: [],
  tags: [],
  url: null,
  otherUrls: [],
  ...given,
});

describe('the files of an import', () => {
  it('have front matter in which no title does harm', () => {
    const { files } = writeFiles([post({ title: 'A: "b"\n---\n# c', slug: 'a', tags: ['x, y'] })]);
    expect(files.get('posts/a.html')).toBe(
      '---\ntitle: "A: \\"b\\"\\n---\\n# c"\nslug: "a"\ndraft: false\ncategories: []\ntags: ["x, y"]\n---\n\n<p>x</p>',
    );
  });

  it('have a slug of the title where the export has none, else of the number, and no slug twice nor a reserved one', () => {
    const { files } = writeFiles([
      post({ title: 'Crème brûlée' }),
      post({ title: 'Creme Brulee' }),
      post({ title: '湯' }),
      post({ slug: 'sitemap' }),
    ]);
    expect([...files.keys()]).toEqual([
      'posts/creme-brulee.html',
      'posts/creme-brulee-2.html',
      'posts/post-7.html',
      'posts/sitemap-2.html',
    ]);
  });

  it('leave a slug to the post that has it, whatever a draft before it is called', () => {
    const { files } = writeFiles([post({ title: 'Soup' }), post({ slug: 'soup', html: '<p>Mine.</p>' })]);
    expect(files.get('posts/soup.html')).toContain('Mine.');
    expect(files.has('posts/soup-2.html')).toBe(true);
  });

  it('link to each other by placeholders, whichever way the old address was written, and leave other links alone', () => {
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

  it('come with the redirects of posts whose path is another one now', () => {
    const { redirects } = writeFiles([
      post({ slug: 'soup', url: 'https://old.example/2024/soup/' }),
      post({ slug: 'tea', url: 'https://old.example/blog/tea/' }),
      post({ slug: 'salt', url: 'https://old.example/?p=7' }),
    ]);
    expect(redirects).toEqual([{ from: '/2024/soup/', to: '/blog/soup/' }]);
  });

  it('lead from the other addresses of a post, unless that is where another one is', () => {
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

  it('come with what of the old addresses is lost', () => {
    const html = '<a href="https://old.example/menu.pdf">y</a><img src="https://old.example/x.png">';
    const elsewhere = '<a href="https://other.example/menu.pdf">y</a>';
    const { notes } = writeFiles([
      post({ title: 'Salt', url: 'https://old.example/?p=7', html: elsewhere }),
      post({ title: 'Menu', url: 'https://old.example/menu/', html }),
    ]);
    expect(notes).toEqual([
      '1 post has an address with a question mark, which hosts do not redirect by a path: Salt.',
      '1 post links to or plays files of the old site, which stay there: Menu.',
    ]);
  });
});
