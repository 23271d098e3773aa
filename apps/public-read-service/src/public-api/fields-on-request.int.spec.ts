import { extras, publicBlog, publicBlogListItem, type PublicBlogList } from '@blog-content/payload-schemas';
import { eachInNewProject, type TestProject } from '../../test/test-service.ts';

let project: TestProject;

eachInNewProject((ground) => ({ project } = ground));

const names = extras.namesOnRequest('public');
// The project of these tests has no authors.
const examples = { ...extras.requested('public', names, extras.examples), authors: [] };
const defaults = extras.requested('public', names, {});

describe('fields on request', () => {
  it('are in lists, single blogs and changes that name them, with their defaults where nobody set them', async () => {
    await project.publish({ slug: 'set', ...extras.examples }, { began: '2026-01-02T08:00:00.000Z' });
    await project.publish({ slug: 'unset' }, { began: '2026-01-01T08:00:00.000Z' });
    const fields = `fields=slug,${names.join()}`;
    const [set, unset] = [
      { slug: 'set', ...examples },
      { slug: 'unset', ...defaults },
    ];
    const { blogs } = await project.read<PublicBlogList>(`/blogs?${fields}`);
    expect(blogs).toEqual([set, unset]);
    for (const blog of blogs) publicBlogListItem.partial().parse(blog);
    const { changes } = await project.read<{ changes: object[] }>(`/blogs?since=0&${fields}`);
    expect(changes).toEqual([set, unset]);
    const one = await project.read(`/blogs/set?${fields}`);
    expect(one).toEqual(set);
    publicBlog.partial().parse(one);
    expect(await project.read('/blogs/unset?fields=noindex')).toEqual({ noindex: false });
  });

  it('are the structured data of one blog, of what its content has', async () => {
    await project.publish({ slug: 'faq', content: '<details><summary>Hot?</summary><p>Yes.</p></details>' });
    const answer = { '@type': 'Answer', text: 'Yes.' };
    expect(await project.read('/blogs/faq?fields=structured_data')).toEqual({
      structured_data: [
        {
          '@context': 'https://schema.org',
          '@type': 'FAQPage',
          mainEntity: [{ '@type': 'Question', name: 'Hot?', acceptedAnswer: answer }],
        },
      ],
    });
    expect(await project.read('/blogs/faq')).not.toHaveProperty('structured_data');
    expect((await project.get('/blogs?fields=structured_data')).statusCode).toBe(400);
  });

  it('are the images of a post with what the library knows of them', async () => {
    const [hero, og] = ['https://img.example/hero.png', 'https://img.example/og.jpg'];
    const about = { type: 'image/jpeg', width: 1200, height: 630, alt: 'A cup\0' } as const;
    const sharing = { featured_image_url: hero, og_image_url: og };
    await project.publish({ slug: 'set', ...sharing, library_images: [{ url: og, ...about }] });
    await project.publish({ slug: 'unset', featured_image_url: null });
    const fields = 'fields=featured_image,og_image,x_image';
    const known = { url: og, ...about, alt: 'A cup' };
    const unknown = { url: hero, type: null, width: null, height: null, alt: null };
    const set = { featured_image: unknown, og_image: known, x_image: known };
    expect(await project.read(`/blogs/set?${fields}`)).toEqual(set);
    const unset = { featured_image: null, og_image: null, x_image: null };
    expect((await project.read<PublicBlogList>(`/blogs?${fields}`)).blogs).toEqual(
      expect.arrayContaining([unset, set]),
    );
    expect((await project.get('/blogs')).body).not.toContain('library_images');
  });

  it('are nowhere else', async () => {
    await project.publish({ slug: 'set', tags: ['a'], ...extras.examples });
    await project.publish({ slug: 'other', tags: ['a'] });
    for (const path of [
      '/blogs',
      '/blogs?include_content=true',
      '/blogs?since=0',
      '/blogs/set',
      '/blogs/other/related',
    ]) {
      const { body } = await project.get(path);
      for (const name of names) expect([path, name, body.includes(`"${name}"`)]).toEqual([path, name, false]);
    }
  });
});

describe('a post with noindex', () => {
  it('is left out of sitemap.xml and llms.txt, and stays everywhere else', async () => {
    await project.publish({ slug: 'hidden-one', noindex: true });
    await project.publish({ slug: 'shown-one', noindex: false });
    await project.publish({ slug: 'unset-one' });
    for (const path of ['/sitemap.xml', '/llms.txt']) {
      const { statusCode, body } = await project.get(path);
      const found = ['hidden-one', 'shown-one', 'unset-one'].filter((slug) => body.includes(`/blog/${slug}/`));
      expect([path, statusCode, found]).toEqual([path, 200, ['shown-one', 'unset-one']]);
    }
    for (const path of ['/blogs', '/blogs/sitemap', '/blogs/hidden-one', '/feed.xml', '/feed.json']) {
      const { statusCode, body } = await project.get(path);
      expect([path, statusCode, body.includes('hidden-one')]).toEqual([path, 200, true]);
    }
    const sitemap = await project.read<{ total: number }>('/blogs/sitemap');
    expect(sitemap.total).toBe(3);
  });

  it('comes back when its noindex is taken back', async () => {
    const id = await project.publish({ slug: 'tea', noindex: true });
    expect((await project.get('/sitemap.xml')).body).not.toContain('/blog/tea/');
    await project.publish({ slug: 'tea', noindex: false }, { id });
    expect((await project.get('/sitemap.xml')).body).toContain('/blog/tea/');
  });
});
