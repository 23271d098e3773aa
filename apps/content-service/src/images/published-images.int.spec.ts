import { eventually } from '@blog-content/testing';
import pg from 'pg';
import { animation, jpeg, picture, upload } from '../../test/images.ts';
import { startOwner, type Owner } from '../../test/owner.ts';
import { IMAGE_BASE_URL, startRunningService, type RunningService } from '../../test/running-service.ts';

let service: RunningService;
let owner: Owner;

beforeAll(async () => {
  service = await startRunningService();
  owner = await startOwner(service);
});
afterAll(() => service?.[Symbol.asyncDispose]());

interface UploadedImage {
  readonly id: string;
  readonly url: string;
}

const uploaded = async (bytes: Buffer, query = '', of = owner): Promise<UploadedImage> =>
  (await upload(of, bytes, query)).body;

/** The content that readers and receivers get. */
const publishedContent = async (blog: { id: string }): Promise<string> => {
  expect((await owner.publish(blog)).status).toBe(202);
  const event = (await owner.eventsOf(blog)).at(-1);
  if (event?.event !== 'blog.published') throw new Error('It is not published.');
  return event.revision.content;
};

describe('the images of a post', () => {
  it('are told of in its published form only, with their addresses as the author wrote them', async () => {
    const images = await Promise.all(
      [1, 2, 3, 4, 5].map(async (seed) => uploaded(await jpeg(seed, 600, 400), `alt=I${seed}`)),
    );
    const content = images.map(({ url }) => `<p><img src="${url}" /></p>`).join('');
    const blog = await owner.newBlog({ content });
    const published = await publishedContent(blog);
    expect((await owner.show(blog)).content).toBe(content);
    const srcs = [...published.matchAll(/<img src="([^"]*)"/g)].map(([, src]) => src);
    expect(srcs).toEqual(images.map(({ url }) => url));
    expect(published.match(/<picture><source type="image\/avif"/g)).toHaveLength(5);
    expect(published.match(/width="600" height="400" loading="lazy"/g)).toHaveLength(5);
    expect([...published.matchAll(/ alt="(I\d)"/g)].map(([, alt]) => alt)).toEqual(['I1', 'I2', 'I3', 'I4', 'I5']);
  });

  it('are left as they are when they are another project’s', async () => {
    const other = await owner.inNewProject();
    const { url } = await uploaded(await jpeg(10), 'alt=Theirs', other);
    const content = `<p><img src="${url}" /></p>`;
    expect(await publishedContent(await owner.newBlog({ content }))).toBe(content);
  });

  it('do not stay as a picture when one is the hero', async () => {
    const [hero, other] = [await uploaded(await jpeg(11)), await uploaded(await jpeg(12))];
    const content = `<p><picture><img src="${hero.url}" /></picture></p><p><img src="${other.url}" /></p>`;
    const published = await publishedContent(await owner.newBlog({ content, featured_image_url: hero.url }));
    expect(published).not.toContain(hero.url.slice(0, -4));
    expect(published).toContain(`<img src="${other.url}"`);
  });

  it('have the alt text that the library has when the post is published', async () => {
    const { id, url } = await uploaded(await jpeg(13), 'alt=Before');
    const blog = await owner.newBlog({ content: `<p><img src="${url}" /></p>${'<p>More text.</p>'.repeat(1_000)}` });
    expect(await publishedContent(blog)).toContain('alt="Before"');
    await owner.patch(`/images/${id}`, { alt: 'After "all" [INTERNAL:x]' });
    const after = await publishedContent(blog);
    expect(after).toContain('alt="After &quot;all&quot; [INTERNAL:x]"');
  });

  it('are told of with their sizes where the post is shown with them, and are in use there', async () => {
    const [hero, og] = [await uploaded(await jpeg(14)), await uploaded(await jpeg(15, 1200, 630), 'alt=Og')];
    const blog = await owner.newBlog({ featured_image_url: hero.url, og_image_url: og.url });
    await publishedContent(blog);
    const event = (await owner.eventsOf(blog)).at(-1);
    if (event?.event !== 'blog.published') throw new Error('It is not published.');
    const known = { url: og.url, type: 'image/jpeg', width: 1200, height: 630, alt: 'Og' };
    expect(event.revision.library_images).toContainEqual(known);
    expect(event.revision.library_images).toHaveLength(2);
    const { items } = (await owner.get(`/images/${og.id}/uses`)).body;
    expect(items).toMatchObject([{ blog_id: blog.id, working_copy: true, published: true }]);
  });

  it('keep moving', async () => {
    for (const format of ['gif', 'webp'] as const) {
      const answer = await upload(owner, await animation(format, 3));
      expect(answer.body).toMatchObject({ animated: true, width: 20, height: 10, variants: { wanted: 0 } });
      const content = `<img src="${answer.body.url}" alt="x" />`;
      expect(await publishedContent(await owner.newBlog({ content }))).toBe(
        content.replace(' />', ' width="20" height="10" loading="lazy" decoding="async" />'),
      );
    }
  });
});

describe('where an image is used', () => {
  it('is told by post: its working copy, what is published of it, and its revisions', async () => {
    const { id, url } = await uploaded(await jpeg(20));
    const uses = async () => (await owner.get(`/images/${id}/uses`)).body.items;
    expect(await uses()).toEqual([]);
    const inContent = await owner.newBlog({ title: 'One', content: `<p><img src="${url}" /></p>` });
    const asHero = await owner.newBlog({ title: 'Two', featured_image_url: url });
    const inMarkdown = await owner.newBlog({ title: 'Three', content_markdown: `![A cup](${url})` });
    await owner.newBlog({ title: 'None', content: '<p>None</p>' });
    expect((await uses()).map(({ title }: { title: string }) => title)).toEqual(['Three', 'Two', 'One']);

    await owner.publish(inContent);
    await owner.publish(inContent);
    await owner.patch(`/blogs/${inContent.id}`, { content: '<p>Gone</p>' });
    expect((await uses()).at(-1)).toMatchObject({ working_copy: false, published: true, revisions: 2 });
    await owner.publish(inContent);
    expect((await uses()).at(-1)).toMatchObject({ working_copy: false, published: false, revisions: 2 });
    await owner.remove(`/blogs/${asHero.id}`);
    expect((await uses()).map(({ blog_id: blog }: { blog_id: string }) => blog)).toEqual([inMarkdown.id, inContent.id]);

    const first = (await owner.get(`/images/${id}/uses?limit=1`)).body;
    const second = (await owner.get(`/images/${id}/uses?limit=1&cursor=${first.next_cursor}`)).body;
    expect([first.items[0].blog_id, second.items[0].blog_id]).toEqual([inMarkdown.id, inContent.id]);
    expect(second.next_cursor).toBeNull();
  });

  it.each(['blog', 'blog_revision'])('is looked up in an index of %s', async (table) => {
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    try {
      // A planner that sees a handful of rows reads them all.
      await client.query('set enable_seqscan = off');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain select from ${table} where image_hashes @> array[repeat('a', 64)]`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`${table}_image_hashes_idx`);
    } finally {
      await client.end();
    }
  });

  it('keeps an image that a published post shows from being deleted, unless that is asked for', async () => {
    const { id, url } = await uploaded(await jpeg(21));
    const blog = await owner.newBlog({ content: `<p><img src="${url}" /></p>` });
    await owner.publish(blog);
    const refused = await owner.remove(`/images/${id}`);
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('force=true')]);
    expect((await owner.remove(`/images/${id}?force=true`)).status).toBe(204);
    expect((await owner.get(`/images/${id}`)).status).toBe(404);
    expect(await publishedContent(blog)).toBe(`<p><img src="${url}" /></p>`);
  });

  it('lets an image go that is in a draft only', async () => {
    const { id, url } = await uploaded(await picture(30, 30, 22).png().toBuffer());
    await owner.newBlog({ content: `<p><img src="${url}" /></p>` });
    expect((await owner.remove(`/images/${id}`)).status).toBe(204);
    expect(url.startsWith(IMAGE_BASE_URL)).toBe(true);
  });
});

it('an image is not deleted while a post that shows it is being published', async () => {
  const { id, url } = await uploaded(await jpeg(77));
  const blog = await owner.newBlog({ content: `<p><img src="${url}" /></p>` });
  const waiting = () =>
    service.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`);
  await using blocker = await holding('LOCK TABLE publish IN SHARE MODE');
  const publishing = owner.publish(blog);
  // It has read the image, and is not committed.
  await eventually(async () => expect(await waiting()).toHaveLength(1));
  let isAnswered = false;
  const deleting = owner.remove(`/images/${id}`).finally(() => (isAnswered = true));
  await eventually(async () => expect(isAnswered || (await waiting()).length === 2).toBe(true));
  await blocker.end();
  expect([(await publishing).status, (await deleting).status]).toEqual([202, 409]);
  expect((await owner.get(`/images/${id}`)).status).toBe(200);
});

/** A transaction that holds what a statement locks, until it ends. */
async function holding(statement: string): Promise<AsyncDisposable & { end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query(statement);
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= client.query('ROLLBACK').then(() => client.end()));
  return { end, [Symbol.asyncDispose]: end };
}
