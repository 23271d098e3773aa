import {
  extras,
  postImages,
  publicBlogListItem,
  relatedBlogs,
  type PublicBlogList,
  type RelatedBlogs,
} from '@blog-content/payload-schemas';
import { eachInNewProject, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;

eachInNewProject((ground) => ({ service, project } = ground));

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T08:00:00.000Z`;
const related = (slug: string, query = '') => project.read<RelatedBlogs>(`/blogs/${slug}/related${query}`);
const slugs = async (slug: string, query = '') => (await related(slug, query)).blogs.map((blog) => blog.slug);

describe('blogs that are related to one', () => {
  it('share tags or categories with it: those that share most first, then the newest', async () => {
    await project.publish({ slug: 'tea', tags: ['hot', 'leaf', 'green'], categories: ['Drinks'] });
    await project.publish({ slug: 'one-old', tags: ['hot'] }, { began: day(1) });
    await project.publish({ slug: 'three', tags: ['leaf', 'green'], categories: ['Drinks'] }, { began: day(2) });
    await project.publish({ slug: 'two', tags: ['hot', 'other'], categories: ['Drinks', 'Other'] }, { began: day(3) });
    await project.publish({ slug: 'one-new', categories: ['Drinks'] }, { began: day(4) });
    await project.publish({ slug: 'none', tags: ['Hot', 'Drinks'], categories: ['hot'] }, { began: day(5) });
    expect(await slugs('tea')).toEqual(['three', 'two', 'one-new', 'one-old']);
    expect((await related('tea')).total).toBe(4);
    // A label is shared once, however often it is written down.
    await project.publish({ slug: 'twice', tags: ['hot', 'hot', 'hot'] }, { began: day(6) });
    expect(await slugs('tea')).toEqual(['three', 'two', 'twice', 'one-new', 'one-old']);
  });

  it('are list items without content, and the answer has them and how many there are', async () => {
    await project.publish({ slug: 'tea', tags: ['hot'] });
    await project.publish({ slug: 'other', tags: ['hot'], content: '<p>x</p>' });
    const answer = await related('tea');
    expect(Object.keys(answer)).toEqual(['blogs', 'total']);
    relatedBlogs.parse(answer);
    const { blogs } = await project.read<PublicBlogList>('/blogs');
    expect(answer.blogs).toEqual(blogs.filter((blog) => blog.slug === 'other'));
    const asked: string[] = ['content', ...extras.namesOnRequest('public'), ...Object.keys(postImages), 'translations'];
    expect(Object.keys(answer.blogs[0]!).sort()).toEqual(
      Object.keys(publicBlogListItem.shape)
        .filter((field) => !asked.includes(field))
        .sort(),
    );
  });

  it('are five unless asked for otherwise, twenty at most, and the total counts all', async () => {
    await project.publish({ slug: 'tea', tags: ['hot'] });
    for (let number = 1; number <= 22; number += 1) {
      await project.publish({ slug: `s-${number}`, tags: ['hot'] }, { began: day(number) });
    }
    expect(await slugs('tea')).toEqual(['s-22', 's-21', 's-20', 's-19', 's-18']);
    expect(await slugs('tea', '?limit=1')).toEqual(['s-22']);
    expect(await related('tea', '?limit=20')).toMatchObject({ total: 22 });
    expect((await related('tea', '?limit=20')).blogs).toHaveLength(20);
    const answer = await project.get('/blogs/tea/related?limit=21');
    expect([answer.statusCode, answer.body]).toEqual([
      400,
      JSON.stringify({ detail: '`limit` must be between 1 and 20 (got 21).' }),
    ]);
  });

  it('are never the blog itself, one of another project or one that is not published', async () => {
    await project.publish({ slug: 'tea', tags: ['hot'] });
    await (await service.createProject()).publish({ slug: 'theirs', tags: ['hot'] });
    await project.unpublish(await project.publish({ slug: 'gone', tags: ['hot'] }));
    expect(await related('tea')).toEqual({ blogs: [], total: 0 });
  });

  it('are none for a blog without labels', async () => {
    await project.publish({ slug: 'tea' });
    await project.publish({ slug: 'other' });
    expect(await related('tea')).toEqual({ blogs: [], total: 0 });
  });

  it('are as new as what is published', async () => {
    await project.publish({ slug: 'tea', tags: ['hot'] });
    const { headers } = await project.get('/blogs/tea/related');
    const id = await project.publish({ slug: 'other', tags: ['hot'] });
    const answer = await project.get('/blogs/tea/related', { 'if-none-match': headers.etag! });
    expect(answer.statusCode).toBe(200);
    expect(await slugs('tea')).toEqual(['other']);
    expect((await project.get('/blogs/tea/related', { 'if-none-match': answer.headers.etag! })).statusCode).toBe(304);
    await project.unpublish(id);
    expect(await slugs('tea')).toEqual([]);
  });

  it.each(['none', 'sitemap', 'TEA', 'a%00b', '%ff', 'tea%2Fx'])(
    'is a 404 where %s is no published blog',
    async (slug) => {
      await project.publish({ slug: 'tea', tags: ['hot'] });
      const answer = await project.get(`/blogs/${slug}/related`);
      expect([answer.statusCode, answer.body]).toEqual([404, '{"detail":"No published post has this slug."}']);
    },
  );
});
