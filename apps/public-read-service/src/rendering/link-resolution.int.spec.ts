import type { PublicBlog, PublicBlogList } from '@blog-content/payload-schemas';
import { randomUUID } from 'node:crypto';
import { blogPublished, projectSaved } from '../../test/events.ts';
import { eachInNewProject, type TestProject, type TestService } from '../../test/test-service.ts';

const LINKING = '<p>See <a class="x" href="[INTERNAL:oolong]#how">the <b>oolong</b></a> and [INTERNAL:sencha].</p>';

let service: TestService;
let project: TestProject;

eachInNewProject((ground) => ({ service, project } = ground), { siteUrl: 'https://tea.example/shop' });
beforeEach(async () => {
  await project.publish({ slug: 'linking', content: LINKING });
});

const content = async () => (await project.read<PublicBlog>('/blogs/linking')).content;

describe('links between posts (contract §2.4.3)', () => {
  it('keep the anchor text while the target is not published; a bare placeholder disappears', async () => {
    expect(await content()).toBe('<p>See the <b>oolong</b> and .</p>');
  });

  it('appear on the next read after the target is published, and go when it is unpublished', async () => {
    const oolong = await project.publish({ slug: 'oolong' });
    const sencha = await project.publish({ slug: 'sencha', title: 'Sencha & co' });
    expect(await content()).toBe(
      '<p>See <a class="x" href="https://tea.example/shop/blog/oolong/#how">the <b>oolong</b></a> and ' +
        '<a href="https://tea.example/shop/blog/sencha/">Sencha &amp; co</a>.</p>',
    );
    await project.unpublish(oolong);
    await project.unpublish(sencha);
    expect(await content()).toBe('<p>See the <b>oolong</b> and .</p>');
  });

  it('are in no plain text, also for events from before they were removed at save, and in no search result', async () => {
    const text = 'Pouchong [INTERNAL:hidden] %5binternal:hidden%5d';
    const featured_image_url = 'https://cdn.example/%5BINTERNAL:hidden%5D.png';
    const fields = { title: text, excerpt: text, meta_title: text, meta_description: text, featured_image_url };
    const content = '<p>a <b>[</b>INTERNAL:hidden] b [INTER<i>NAL</i>:hidden]</p>';
    await project.publish({ ...fields, slug: 'plain', categories: [text], tags: [text], content });
    expect(await project.read<PublicBlog>('/blogs/plain')).toMatchObject({
      ...{ title: 'Pouchong', excerpt: 'Pouchong', meta_title: 'Pouchong', meta_description: 'Pouchong' },
      ...{
        categories: ['Pouchong'],
        tags: ['Pouchong'],
        content: '<p>a <b></b> b <i></i></p>',
        featured_image_url: null,
      },
    });
    const found = async (q: string) => (await project.read<PublicBlogList>(`/blogs?q=${q}`)).total;
    expect([await found('pouchong'), await found('hidden'), await found('internal')]).toEqual([1, 0, 0]);
  });

  it('leave no empty SEO field where a placeholder was all of it: title and excerpt take its place', async () => {
    const given = { slug: 'plain', title: 'Pouchong', excerpt: 'A tea.' };
    await project.publish({ ...given, meta_title: '[INTERNAL:hidden]', meta_description: ' [INTERNAL:hidden] ' });
    const shown = { meta_title: 'Pouchong', meta_description: 'A tea.' };
    expect(await project.read<PublicBlog>('/blogs/plain')).toMatchObject(shown);
  });

  it('follow the target’s title and slug', async () => {
    const id = await project.publish({ slug: 'sencha', title: 'One' });
    await project.publish({ slug: 'sencha', title: 'Two' }, { id });
    expect(await content()).toContain('>Two</a>');
    await project.publish({ slug: 'sencha-2', title: 'Two' }, { id });
    expect(await content()).not.toContain('Two');
  });

  it('are resolved in the list with include_content=true as well', async () => {
    await project.publish({ slug: 'oolong', content: '[INTERNAL:linking]' });
    const { blogs } = await project.read<PublicBlogList>('/blogs?include_content=true');
    const bySlug = new Map(blogs.map((blog) => [blog.slug, blog.content]));
    expect(bySlug.get('linking')).toContain('href="https://tea.example/shop/blog/oolong/#how"');
    expect(bySlug.get('oolong')).toBe('<a href="https://tea.example/shop/blog/linking/">Green tea</a>');
  });

  it('find targets that are not on the same page', async () => {
    await project.publish({ slug: 'oolong' }, { began: '2020-01-01T00:00:00Z' });
    const { blogs } = await project.read<PublicBlogList>('/blogs?include_content=true&limit=1');
    expect(blogs[0]?.content).toContain('/blog/oolong/');
  });

  it('are root-relative while the project has no site address, and follow it when it changes', async () => {
    await project.publish({ slug: 'oolong' });
    const save = (project_event_number: number, site_url: string | null) =>
      service.applyProjects(projectSaved({ project_id: project.id, project_event_number, site_url }));
    await save(2, null);
    expect(await content()).toContain('href="/blog/oolong/#how"');
    await save(3, 'https://new.example/');
    expect(await content()).toContain('href="https://new.example/blog/oolong/#how"');
  });

  it('never lead to the post itself', async () => {
    await project.publish({ slug: 'own', content: '<a href="[INTERNAL:own]">me</a>[INTERNAL:own]' });
    expect(await project.read('/blogs/own')).toMatchObject({ content: 'me' });
  });

  it('never show a raw placeholder, however it is spelled', async () => {
    const spellings = ['[INTERNAL:x]', '[internal: X ]', '%5BINTERNAL:x%5D', '&#91;INTERNAL:x&#93;', '[INTERNAL:]'];
    const html = spellings.map((text) => `<p title="${text}"><a href="${text}">a</a> ${text}</p>`).join('');
    await project.publish({ slug: 'spelled', content: html });
    const { content: served } = await project.read<PublicBlog>('/blogs/spelled');
    expect(decodeURIComponent(served)).not.toMatch(/internal:/i);
  });

  it('are counted as the words that are served', async () => {
    expect(await project.read('/blogs/linking')).toMatchObject({ word_count: 5 });
    await project.publish({ slug: 'sencha', title: 'Two words' });
    expect(await project.read('/blogs/linking')).toMatchObject({ word_count: 6 });
  });

  it('never show half of a change, however reads and changes overlap', async () => {
    const pair = await service.createProject();
    const ids = [randomUUID(), randomUUID()];
    const change = async (number: number, content: string) => {
      const events = ids.map((blog_id, index) =>
        blogPublished({
          project_id: pair.id,
          blog_id,
          blog_event_number: number,
          revision: { slug: `${content}-${index}`, content: `[INTERNAL:${content}-${1 - index}]` },
        }),
      );
      await service.apply(...events);
    };
    await change(1, 'r1');
    let isChanging = true;
    const changing = (async () => {
      for (let number = 2; number <= 60; number += 1) await change(number, `r${number}`);
      isChanging = false;
    })();
    while (isChanging) {
      const { blogs, total } = await pair.read<PublicBlogList>('/blogs?include_content=true');
      expect(total).toBe(2);
      const revisions = blogs.map((blog) => blog.slug.split('-')[0]!);
      expect(new Set(revisions).size).toBe(1);
      for (const blog of blogs) expect(blog.content).toContain(`/blog/${revisions[0]}-`);
    }
    await changing;
  });
});
