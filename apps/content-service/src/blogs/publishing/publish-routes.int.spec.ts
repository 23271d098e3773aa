import { randomUUID } from 'node:crypto';
import { extras, type PublishedRevision } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import { addExampleAuthor, startOwner, type Owner } from '../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../test/running-service.ts';

const unpublish = (blog: { id: string }) => owner.post(`/blogs/${blog.id}/unpublish`);

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

describe('publishing (contract §3.1)', () => {
  it('refuses a title of which nothing would be public with 422, also one that was saved long ago', async () => {
    const blog = await owner.newBlog();
    await service.query('update blog set title = $2 where id = $1', [blog.id, '[INTERNAL:tea]']);
    const { status, body } = await owner.publish(blog);
    expect([status, body.errors?.[0].field]).toEqual([422, 'title']);
    expect(await owner.show(blog)).toMatchObject({ state: 'draft' });
    expect(await owner.eventsOf(blog)).toEqual([]);
  });

  it('answers 202 with a pending manual publish, and the whole revision goes out', async () => {
    const target = await owner.newBlog({ title: 'Target' });
    await owner.publish(target);
    const blog = await owner.newBlog({
      title: 'First',
      content: `<p>See <a href="[INTERNAL:${target.slug}]">it</a> and [INTERNAL:nothing].</p>`,
      tags: ['a'],
      keyword: 'k',
      language: 'en',
    });
    const answer = await owner.publish(blog);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      blog_id: blog.id,
      blog_title: 'First',
      blog_language: 'en',
      blog_state: 'published',
      trigger: 'manual',
      status: 'pending',
      revision: 1,
    });
    expect((await owner.get(`/publishes/${answer.body.id}`)).body).toEqual(answer.body);
    const [event] = await owner.eventsOf(blog);
    expect(event).toMatchObject({
      event: 'blog.published',
      blog_event_number: 1,
      trigger: 'manual',
      publish_id: answer.body.id,
      site_url: 'https://site.example',
      revision: { number: 1, title: 'First', slug: 'first', tags: ['a'], keyword: 'k', excerpt: 'See it and .' },
      published_link_targets: [{ slug: target.slug, title: 'Target' }],
    });
    expect(event).toHaveProperty('revision.content', expect.stringContaining(`[INTERNAL:${target.slug}]`));
  });

  it('every field that an author writes goes out', async () => {
    const everything = {
      title: 'Everything',
      content: '<p>one</p>',
      excerpt: 'x',
      meta_title: 'm',
      meta_description: 'd',
      featured_image_url: 'https://cdn.example/a.jpg',
      categories: ['c'],
      tags: ['t'],
      keyword: 'k',
      ...extras.examples,
    } satisfies Required<Omit<PublishedRevision, 'number' | 'slug' | 'library_images'>>;
    await addExampleAuthor(owner);
    const blog = await owner.newBlog(everything);
    await owner.publish(blog);
    expect((await owner.eventsOf(blog))[0]).toMatchObject({ revision: everything });
  });

  it('an edit changes the working copy only, until it is published again', async () => {
    const blog = await owner.newBlog({ title: 'Before' });
    await owner.publish(blog);
    await owner.patch(`/blogs/${blog.id}`, { title: 'After' });
    expect(await owner.show(blog)).toMatchObject({ title: 'After', state: 'published', has_unpublished_changes: true });
    expect(await owner.eventsOf(blog)).toHaveLength(1);
    await owner.publish(blog);
    expect(await owner.show(blog)).toMatchObject({ has_unpublished_changes: false });
    expect((await owner.eventsOf(blog))[1]).toMatchObject({
      blog_event_number: 2,
      revision: { number: 2, title: 'After' },
    });
  });

  it('an edit that changes nothing leaves nothing unpublished', async () => {
    const blog = await owner.newBlog({ title: 'Same', tags: ['a'], content: '<p>x</p>' });
    await owner.publish(blog);
    const before = await owner.show(blog);
    for (const same of [{}, { title: 'Same', tags: ['a'], content: '<p>x</p>', slug: blog.slug }]) {
      expect((await owner.patch(`/blogs/${blog.id}`, same)).body).toEqual(before);
    }
  });

  it('the publishes of a blog that does not exist, is deleted, or is another project’s are 404', async () => {
    const [gone, foreign] = [await owner.newBlog(), await (await owner.inNewProject()).newBlog()];
    await owner.publish(gone);
    await owner.remove(`/blogs/${gone.id}`);
    for (const id of [gone.id, foreign.id, randomUUID()]) {
      expect((await owner.get(`/blogs/${id}/publishes`)).status).toBe(404);
    }
  });

  it('a publish again and a sync keep when the publication began; an unpublish ends it', async () => {
    const blog = await owner.newBlog();
    await owner.publish(blog);
    const began = (await owner.show(blog)).published_at;
    expect((await owner.post(`/blogs/${blog.id}/sync`)).status).toBe(202);
    expect((await owner.show(blog)).published_at).toBe(began);
    expect((await unpublish(blog)).body).toMatchObject({ state: 'unpublished', published_at: null });
    await owner.publish(blog);
    const events = await owner.eventsOf(blog);
    expect(events.map(({ event, blog_event_number }) => [event, blog_event_number])).toEqual([
      ['blog.published', 1],
      ['blog.published', 2],
      ['blog.unpublished', 3],
      ['blog.published', 4],
    ]);
    const [first, synced, , again] = events as { publication_began_at: string; published_at: string }[];
    expect(synced?.publication_began_at).toBe(first?.publication_began_at);
    expect(again?.publication_began_at).toBe(again?.published_at);
  });

  it('a sync or an unpublish of what is not published is 409 and sends nothing', async () => {
    const blog = await owner.newBlog();
    expect((await owner.post(`/blogs/${blog.id}/sync`)).status).toBe(409);
    expect((await unpublish(blog)).status).toBe(409);
    expect(await owner.eventsOf(blog)).toEqual([]);
  });

  it('deleting a draft or an unpublished blog sends nothing, a published one blog.deleted', async () => {
    const [draft, unpublished, published] = [
      await owner.newBlog(),
      await owner.newBlog(),
      await owner.newBlog({ title: 'Gone' }),
    ];
    await owner.publish(unpublished);
    await unpublish(unpublished);
    await owner.publish(published);
    for (const blog of [draft, unpublished, published]) {
      expect((await owner.remove(`/blogs/${blog.id}`)).status).toBe(204);
      expect((await owner.get(`/blogs/${blog.id}`)).status).toBe(404);
      expect((await owner.publish(blog)).status).toBe(404);
      expect((await owner.remove(`/blogs/${blog.id}`)).status).toBe(404);
    }
    expect(await owner.eventsOf(draft)).toEqual([]);
    expect((await owner.eventsOf(unpublished)).map(({ event }) => event)).toEqual([
      'blog.published',
      'blog.unpublished',
    ]);
    expect((await owner.eventsOf(published))[1]).toMatchObject({
      event: 'blog.deleted',
      blog_event_number: 2,
      title: 'Gone',
    });
  });

  it('deletion leaves a tombstone and none of the content', async () => {
    const blog = await owner.newBlog({ content: '<p>secret</p>', tags: ['t'] });
    await owner.publish(blog);
    await owner.remove(`/blogs/${blog.id}`);
    const [row] = await service.query<Record<string, unknown>>('select * from blog where id = $1', [blog.id]);
    expect(row).toMatchObject({ id: blog.id, project_id: owner.project, title: '', content: '', slug: '', tags: [] });
    expect(row?.['deleted_at']).toBeInstanceOf(Date);
    expect(await service.query('select 1 from blog_revision where blog_id = $1', [blog.id])).toEqual([]);
  });

  it('concurrent publishes of one blog are numbered one after the other, one event each', async () => {
    const blog = await owner.newBlog();
    const answers = await Promise.all(Array.from({ length: 10 }, () => owner.publish(blog)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(202));
    expect((await owner.eventsOf(blog)).map(({ blog_event_number }) => blog_event_number)).toEqual(
      Array.from({ length: 10 }, (_, index) => index + 1),
    );
    const { items } = (await owner.get(`/blogs/${blog.id}/publishes`)).body;
    expect(items).toHaveLength(10);
  });

  it('takes placeholders out of all plain text that goes out, and leaves the working copy as it was written', async () => {
    const text = 'a [INTERNAL:x] %5binternal:y%5d b';
    const fields = { title: text, excerpt: text, meta_description: text, meta_title: '[INTERNAL:x]', keyword: text };
    const blog = await owner.newBlog({ ...fields, categories: [text], tags: ['&#91;INTERNAL:x&#93;', text] });
    await owner.publish(blog);
    await owner.remove(`/blogs/${blog.id}`);
    const [published, deleted] = await owner.eventsOf(blog);
    expect(published).toMatchObject({
      revision: {
        title: 'a b',
        excerpt: 'a b',
        meta_description: 'a b',
        meta_title: null,
        keyword: 'a b',
        categories: ['a b'],
        tags: ['a b'],
      },
    });
    expect(deleted).toMatchObject({ event: 'blog.deleted', title: 'a b' });
  });

  it('publishes no hero whose URL has a placeholder, of a draft from before they were refused', async () => {
    const blog = await owner.newBlog();
    const url = 'https://cdn.example/%5BINTERNAL:tea%5D.png';
    await service.query(`update blog set generated_images = array['${url}'] where id = '${blog.id}'`);
    expect((await owner.show(blog)).hero_image_url).toBeNull();
    await owner.publish(blog);
    expect((await owner.eventsOf(blog))[0]).toMatchObject({ revision: { featured_image_url: null } });
  });

  it('makes an excerpt without placeholders that tags kept apart', async () => {
    const blog = await owner.newBlog({ content: '<p>a <b>[</b>INTERNAL:missing] b</p><p>[INTER<em>NAL</em>:x] c</p>' });
    await owner.publish(blog);
    expect((await owner.eventsOf(blog))[0]).toMatchObject({ revision: { excerpt: 'a b c' } });
  });

  it('takes the hero’s duplicate out of what is published, not out of the working copy', async () => {
    const hero = 'https://cdn.example/hero.jpg';
    const blog = await owner.newBlog({
      featured_image_url: hero,
      content: `<p><img src="${hero}" alt="" /></p><p>Text</p>`,
    });
    await owner.publish(blog);
    expect((await owner.eventsOf(blog))[0]).toMatchObject({
      revision: { content: '<p>Text</p>', featured_image_url: hero },
    });
    expect((await owner.show(blog)).content).toContain(hero);
  });
});

describe('what an agent generated', () => {
  it('gives the hero when the post has no dedicated one (contract §2.4.2), and leaves the body', async () => {
    const [first, second] = ['https://cdn.example/1.jpg', 'https://cdn.example/2.jpg'];
    const content = `<p><img src="${first}" alt="" /></p><p><img src="${second}" alt="" /></p>`;
    const blog = await owner.newBlog({ generated_images: [first, second], content });
    expect(await owner.show(blog)).toMatchObject({ featured_image_url: null, hero_image_url: first });
    await owner.publish(blog);
    expect((await owner.eventsOf(blog))[0]).toMatchObject({
      revision: { featured_image_url: first, content: `<p><img src="${second}" alt="" /></p>` },
    });
    await owner.patch(`/blogs/${blog.id}`, { featured_image_url: second });
    expect((await owner.show(blog)).hero_image_url).toBe(second);
  });
});

describe('history', () => {
  it('keeps the newest 1,000 revisions and publishes of a blog', async () => {
    const blog = await owner.newBlog();
    await owner.publish(blog);
    await service.query('update blog set revision = 1000 where id = $1', [blog.id]);
    await service.query('update blog_revision set number = 1000 where blog_id = $1', [blog.id]);
    await service.query(
      `insert into blog_revision (blog_id, number, title, slug, content, published_at)
       select $1::uuid, number, 'Old', 'old', '', now() from generate_series(1, 999) as number`,
      [blog.id],
    );
    expect((await owner.publish(blog)).status).toBe(202);
    const [kept] = await service.query<{ count: string; oldest: number }>(
      'select count(*), min(number) as oldest from blog_revision where blog_id = $1',
      [blog.id],
    );
    expect(kept).toEqual({ count: '1000', oldest: 2 });
    expect((await owner.get(`/blogs/${blog.id}/publishes`)).body.items).toHaveLength(1);
  });
});

describe('the metrics of publishes', () => {
  it('count those of people and of agents by outcome', async () => {
    const replica = await service.startReplica();
    const own = await owner.inNewProject();
    const { key } = (await own.post('/agent-keys', { name: 'Writer' })).body;
    const [blog, untitled] = [await own.newBlog(), await own.newBlog()];
    await service.query('update blog set title = $2 where id = $1', [untitled.id, '[INTERNAL:tea]']);
    const publish = async (by: 'agent' | `owner/projects/${string}`, { id }: { id: string }, ifMatch = '*') => {
      const token = by === 'agent' ? key : own.token;
      const headers = { authorization: `Bearer ${token}`, 'if-match': ifMatch };
      const url = `${replica.origin}/blog/api/v1/${by}/blogs/${id}/publish`;
      return (await fetch(url, { method: 'POST', headers })).status;
    };
    expect(await publish('agent', blog)).toBe(202);
    expect(await publish(`owner/projects/${own.project}`, blog, '"99"')).toBe(412);
    expect(await publish('agent', untitled)).toBe(422);
    const text = await (await fetch(`http://127.0.0.1:${replica.adminPort}/metrics`)).text();
    const counted = (trigger: string, outcome: string) =>
      `content_publishes_total{trigger="${trigger}",outcome="${outcome}",service="content-service"} 1`;
    expect(text).toContain(counted('autopilot', 'accepted'));
    expect(text).toContain(counted('manual', 'changed'));
    expect(text).toContain(counted('autopilot', 'error'));
    await replica.stop();
  });
});

describe('the event log', () => {
  it('gets every outbox row', async () => {
    await eventually(async () => {
      const [row] = await service.query<{ waiting: string }>(
        'select count(*) as waiting from outbox where published_at is null',
      );
      expect(Number(row?.waiting)).toBe(0);
    });
  });
});
