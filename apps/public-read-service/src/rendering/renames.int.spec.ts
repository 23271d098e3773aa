import type { PublicBlog, PublicBlogList } from '@blog-content/payload-schemas';
import { randomUUID } from 'node:crypto';
import { eachInNewProject, type TestProject, type TestService } from '../../test/test-service.ts';

let service: TestService;
let project: TestProject;
let target: string;

eachInNewProject((ground) => ({ service, project } = ground), { siteUrl: 'https://tea.example' });
beforeEach(() => {
  target = randomUUID();
});

const LINK = '<a href="[INTERNAL:old-name]#how">it</a> [INTERNAL:old-name]';
const shownAt = (slug: string, title = 'Target') =>
  `<a href="https://tea.example/blog/${slug}/#how">it</a> <a href="https://tea.example/blog/${slug}/">${title}</a>`;

const publishTarget = (slug: string, aliases: string[] = [], title = 'Target') =>
  project.publish({ slug, title }, { id: target, aliases });
const publishLinker = (bound?: Record<string, string>, slug = 'linker') =>
  project.publish({ slug, content: LINK }, bound ? { bound } : {});
const content = async (slug = 'linker') => (await project.read<PublicBlog>(`/blogs/${slug}`)).content;

describe('a placeholder that is bound to a blog', () => {
  beforeEach(() => publishLinker({ 'old-name': target }));

  it('follows the blog through renames and shows its present title', async () => {
    await publishTarget('old-name');
    expect(await content()).toBe(shownAt('old-name'));
    await publishTarget('new-name', ['old-name']);
    expect(await content()).toBe(shownAt('new-name'));
    await publishTarget('newest-name', ['new-name', 'old-name'], 'Renamed');
    expect(await content()).toBe(shownAt('newest-name', 'Renamed'));
  });

  it('never leads to another blog that takes the old slug', async () => {
    await publishTarget('old-name');
    await publishTarget('new-name');
    await project.publish({ slug: 'old-name', title: 'Quite another thing' });
    expect(await content()).toBe(shownAt('new-name'));
    const [linker] = (await project.read<PublicBlogList>('/blogs?include_content=1')).blogs.filter(
      ({ slug }) => slug === 'linker',
    );
    expect(linker?.content).toBe(shownAt('new-name'));
  });

  it('follows two blogs that exchange their slugs', async () => {
    const other = await project.publish({ slug: 'second', title: 'Second' });
    await project.publish(
      { slug: 'both', content: '[INTERNAL:old-name] [INTERNAL:second]' },
      { bound: { 'old-name': target, second: other } },
    );
    await publishTarget('second');
    await project.publish({ slug: 'old-name', title: 'Second' }, { id: other });
    expect(await content('both')).toBe(
      '<a href="https://tea.example/blog/second/">Target</a> <a href="https://tea.example/blog/old-name/">Second</a>',
    );
  });

  it('shows nothing while its blog is hidden, even if another blog was published under a slug in between', async () => {
    await publishTarget('old-name');
    await publishTarget('new-name', ['old-name']);
    await project.publish({ slug: 'old-name', title: 'Another' });
    await project.unpublish(target);
    expect(await content()).toBe('it ');
    await publishTarget('new-name');
    expect(await content()).toBe(shownAt('new-name'));
  });

  it('is resolved literally by the last slug of a blog that is hidden or deleted', async () => {
    await publishTarget('new-name');
    await project.unpublish(target);
    const heir = await project.publish({ slug: 'new-name', title: 'Heir' });
    expect(await content()).toBe(shownAt('new-name', 'Heir'));
    await project.changeSlugs(target, 'hidden-name');
    expect(await content()).toBe('it ');
    await project.publish({ slug: 'hidden-name', title: 'Second heir' }, { id: heir });
    expect(await content()).toBe(shownAt('hidden-name', 'Second heir'));
    await project.delete(target);
    expect(await content()).toBe(shownAt('hidden-name', 'Second heir'));
  });

  it('is resolved literally by the slug in the content when no event has named the blog', async () => {
    await project.publish({ slug: 'old-name', title: 'Heir' });
    expect(await content()).toBe(shownAt('old-name', 'Heir'));
  });

  it('does not follow an alias of another blog', async () => {
    await project.publish({ slug: 'elsewhere' }, { aliases: ['old-name'] });
    expect(await content()).toBe('it ');
  });

  it('is dropped when it leads to the post itself', async () => {
    const id = randomUUID();
    await project.publish({ slug: 'self', content: LINK }, { id, bound: { 'old-name': id } });
    expect(await content('self')).toBe('it ');
  });

  it('does not lead to a blog of another project', async () => {
    const other = await service.createProject();
    await other.publish({ slug: 'old-name', title: 'Theirs' }, { id: target });
    expect(await content()).toBe('it ');
  });
});

describe('a placeholder that is bound to nothing', () => {
  beforeEach(() => publishLinker());

  it('leads to the published blog that had the slug before', async () => {
    await publishTarget('new-name', ['old-name']);
    expect(await content()).toBe(shownAt('new-name'));
    await project.changeSlugs(target, 'new-name', []);
    expect(await content()).toBe('it ');
  });

  it('prefers a published slug to an alias', async () => {
    await publishTarget('new-name', ['old-name']);
    await project.publish({ slug: 'old-name', title: 'Literal' });
    expect(await content()).toBe(shownAt('old-name', 'Literal'));
  });

  it('does not lead to a hidden blog that had the slug, nor to the post itself', async () => {
    await publishTarget('new-name', ['old-name']);
    await project.unpublish(target);
    expect(await content()).toBe('it ');
    await project.publish({ slug: 'self', content: LINK }, { id: target, aliases: ['old-name'] });
    expect(await content('self')).toBe('it ');
  });
});

it('resolves the same slug to different blogs in one answer, wherever contents are shown', async () => {
  const other = await project.publish({ slug: 'other-name', title: 'Other' });
  await publishTarget('new-name', ['old-name']);
  await publishLinker({ 'old-name': target }, 'to-target');
  await publishLinker({ 'old-name': other }, 'to-other');
  await publishLinker(undefined, 'to-alias');
  const expected = { 'to-target': 'new-name', 'to-other': 'other-name', 'to-alias': 'new-name' };
  const titles = { 'new-name': 'Target', 'other-name': 'Other' } as Record<string, string>;
  const { blogs } = await project.read<PublicBlogList>('/blogs?include_content=1');
  const { changes } = await project.read<{ changes: PublicBlogList['blogs'] }>('/blogs?since=0&include_content=1');
  const { items } = await project.read<{ items: { url: string; content_html: string }[] }>('/feed.json');
  const { body: rss } = await project.get('/feed.xml');
  for (const [linker, slug] of Object.entries(expected)) {
    const html = shownAt(slug, titles[slug]);
    expect(await content(linker)).toBe(html);
    expect(blogs.find((blog) => blog.slug === linker)?.content).toBe(html);
    expect(changes.find((blog) => blog.slug === linker)?.content).toBe(html);
    expect(items.find(({ url }) => url.endsWith(`/${linker}/`))?.content_html).toBe(html);
    expect(rss).toContain(`https://tea.example/blog/${slug}/`);
  }
});

it('resolves bound placeholders of pages that are made in chunks', async () => {
  await publishTarget('new-name');
  const filler = `<p>${'word '.repeat(250_000)}</p>`;
  for (const slug of ['large-1', 'large-2', 'large-3']) {
    await project.publish({ slug, content: filler + LINK }, { bound: { 'old-name': target } });
  }
  const { blogs } = await project.read<PublicBlogList>('/blogs?include_content=1');
  const large = blogs.filter(({ slug }) => slug.startsWith('large'));
  expect(large.map((blog) => blog.content?.endsWith(shownAt('new-name')))).toEqual([true, true, true]);
});
