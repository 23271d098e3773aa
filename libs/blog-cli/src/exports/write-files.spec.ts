import type { ExportedPost } from './exported-post.ts';
import { writeFiles } from './write-files.ts';

const post = (given: Partial<ExportedPost>): ExportedPost => ({
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
  ...given,
});

describe('the files of an import', () => {
  it('have front matter in which no title does harm', () => {
    const { files } = writeFiles([post({ title: 'A: "b"\n---\n# c', slug: 'a', tags: ['x, y'] })]);
    expect(files.get('posts/a.html')).toBe(
      '---\ntitle: "A: \\"b\\"\\n---\\n# c"\nslug: "a"\ndraft: false\ncategories: []\ntags: ["x, y"]\n---\n\n<p>x</p>',
    );
  });

  it('have a slug of the title where the export has none, and no slug twice', () => {
    const { files } = writeFiles([
      post({ title: 'Crème brûlée' }),
      post({ title: 'Creme Brulee' }),
      post({ title: '湯' }),
    ]);
    expect([...files.keys()]).toEqual(['posts/creme-brulee.html', 'posts/creme-brulee-2.html', 'posts/post.html']);
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
      '<a class="x" href="[INTERNAL:bread]">y</a><a class="x" href="[INTERNAL:bread]">y</a><a class="x" href="https://old.example/elsewhere/">y</a>',
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
});
