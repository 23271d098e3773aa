import { randomUUID } from 'node:crypto';
import type { BlogSlugsChangedEvent } from '@blog-content/payload-schemas';
import { eachInNewProject, ownerOfNewProject, type Owner } from '../../../test/owner.ts';
import type { RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
eachInNewProject((ground) => ({ service, owner } = ground));

const link = (slug: string) => ({ content: `<p>[INTERNAL:${slug}]</p>` });

/** A post that was published as `old`, and is published as `new` now. */
async function renamed() {
  const post = await owner.newBlog({ title: 'Tea', slug: 'old' });
  await owner.publish(post);
  await owner.patch(`/blogs/${post.id}`, { slug: 'new' });
  await owner.publish(post);
  return post;
}

describe('the posts that link to a post', () => {
  it('are listed newest first in pages, with how many they are, in working copies and in what readers see', async () => {
    const target = await owner.newBlog({ slug: 'target', ...link('target') });
    const path = `/blogs/${target.id}/backlinks`;
    expect((await owner.get(path)).body).toEqual({ items: [], next_cursor: null, total: 0 });
    const [draft, published, edited] = [
      await owner.newBlog({ title: 'Draft', slug: 'draft', ...link('target') }),
      await owner.newBlog({ title: 'Published', slug: 'published', ...link('target') }),
      await owner.newBlog({ title: 'Edited', slug: 'edited', ...link('target') }),
    ];
    for (const post of [published, edited]) await owner.publish(post);
    await owner.patch(`/blogs/${edited.id}`, { content: '' });
    const first = (await owner.get(`${path}?limit=2`)).body;
    expect(first).toMatchObject({
      items: [
        {
          blog_id: edited.id,
          title: 'Edited',
          slug: 'edited',
          state: 'published',
          in_working_copy: false,
          in_published: true,
        },
        { blog_id: published.id, in_working_copy: true, in_published: true },
      ],
      total: 3,
    });
    expect((await owner.get(`${path}?limit=2&cursor=${first.next_cursor}`)).body).toEqual({
      items: [
        {
          blog_id: draft.id,
          title: 'Draft',
          slug: 'draft',
          state: 'draft',
          in_working_copy: true,
          in_published: false,
        },
      ],
      next_cursor: null,
      total: 3,
    });
    await owner.remove(`/blogs/${draft.id}`);
    await owner.post(`/blogs/${edited.id}/unpublish`);
    expect((await owner.get(path)).body).toMatchObject({ items: [{ blog_id: published.id }], total: 1 });
    expect((await (await owner.inNewProject()).get(path)).status).toBe(404);
  });

  it('are ten thousand without a rename that takes longer: no row of theirs is written', async () => {
    const target = await owner.newBlog({ slug: 'target' });
    await owner.publish(target);
    await service.query(
      `insert into blog_link (blog_id, is_published, slug, project_id, target_id)
       select gen_random_uuid(), n % 2 = 0, 'target', $1, $2 from generate_series(1, 10000) n`,
      [owner.project, target.id],
    );
    const before = await service.query('select xmin::text, ctid::text from blog_link where target_id = $1', [
      target.id,
    ]);
    expect((await owner.get(`/blogs/${target.id}/rename?slug=renamed`)).body).toMatchObject({ linking_posts: 10_000 });
    await owner.patch(`/blogs/${target.id}`, { slug: 'renamed' });
    await owner.publish(target);
    const after = await service.query('select xmin::text, ctid::text from blog_link where target_id = $1', [target.id]);
    expect(after).toEqual(before);
  });
});

describe('a rename, before it is done', () => {
  it('says what becomes of links and of the old URL, and who has the slug', async () => {
    const target = await renamed();
    await owner.newBlog(link('new'));
    const other = await owner.newBlog({ title: 'Other', slug: 'other' });
    const preview = async (post: { id: string }, slug: string) =>
      (await owner.get(`/blogs/${post.id}/rename?slug=${slug}`)).body;
    expect(await preview(target, 'newer')).toMatchObject({
      availability: 'free',
      linking_posts: 1,
      published_slug: 'new',
      keeps_old_url: true,
      message: expect.stringContaining('1 post links here. Its links will be updated. The old URL (“new”) redirects'),
    });
    expect(await preview(target, 'old')).toMatchObject({ availability: 'own', held_by: null });
    expect(await preview(target, 'other')).toMatchObject({
      availability: 'taken',
      held_by: { blog_id: other.id, title: 'Other' },
    });
    expect(await preview(other, 'old')).toMatchObject({ availability: 'alias', held_by: { blog_id: target.id } });
    expect((await owner.get(`/blogs/${target.id}/rename`)).body).toMatchObject({ slug: 'new', availability: 'own' });
    const refused = await owner.get(`/blogs/${target.id}/rename?slug=No%20Slug`);
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining('slug')]);
    expect((await owner.get(`/blogs/${randomUUID()}/rename?slug=x`)).status).toBe(404);
  });
});

describe('an alias that an owner releases', () => {
  it('is free for others, and readers hear of it', async () => {
    const post = await renamed();
    expect((await owner.remove(`/blogs/${post.id}/aliases/old`)).status).toBe(204);
    expect((await owner.show(post)).aliases).toEqual([]);
    const rows = await service.query<{ data: BlogSlugsChangedEvent }>('select data from outbox where key = $1', [
      `${post.id}/slugs`,
    ]);
    expect(rows.map(({ data }) => data)).toMatchObject([{ blog_event_number: 3, slug: 'new', aliases: [] }]);
    await owner.newBlog({ slug: 'old' });
    for (const slug of ['old', 'new', 'nothing', 'No%20Slug', '%00']) {
      const refused = await owner.remove(`/blogs/${post.id}/aliases/${slug}`);
      expect([slug, refused.status]).toEqual([slug, 404]);
    }
  });
});

describe('a key that may only draft', () => {
  it('takes no alias, since readers use its redirect', async () => {
    const post = await renamed();
    const { key } = (await owner.post('/agent-keys', { name: 'Drafts', permission: 'draft' })).body;
    const agent = (method: 'POST' | 'PATCH', path: string, json: object) =>
      service.callAgent(method, path, { token: key, json });
    const draft = (await agent('POST', 'blogs', { title: 'x' })).body;
    for (const refused of [
      await agent('POST', 'blogs', { title: 'y', slug: 'old', release_alias: true }),
      await agent('PATCH', `blogs/${draft.id}`, { slug: 'old', release_alias: true }),
    ]) {
      expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('Taking an alias')]);
    }
    expect((await owner.show(post)).aliases).toEqual(['old']);
  });
});

describe('another account', () => {
  it('reads no backlinks and no renames of a project that is not its own', async () => {
    const post = await renamed();
    const stranger = await ownerOfNewProject(service, owner.token);
    for (const path of [`/blogs/${post.id}/backlinks`, `/blogs/${post.id}/rename?slug=x`]) {
      expect((await stranger.get(path)).status).toBe(404);
    }
    expect((await stranger.remove(`/blogs/${post.id}/aliases/old`)).status).toBe(404);
  });
});
