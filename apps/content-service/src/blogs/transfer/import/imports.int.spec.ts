import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import { makeArchive } from '../../../../test/transfer/make-archive.ts';
import { ownerOfNewProject, startOwner, type Owner } from '../../../../test/owner.ts';
import { newPerson } from '../../../../test/people.ts';
import { startRunningService, type RunningService } from '../../../../test/running-service.ts';
import {
  blogBySlug,
  blogsOf,
  finishedImport,
  holdSlug,
  importAll,
  sendImport,
  ZIP,
} from '../../../../test/transfer/imports.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService({ WORK_POLL_MS: '50' });
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

async function filesOf(to: Owner, id: string) {
  return (await to.get(`/imports/${id}/files?limit=100`)).body.items as Record<string, unknown>[];
}

describe('an import', () => {
  it('makes a blog of each file, with its front matter and links, and publishes what is no draft', async () => {
    const to = await owner.inNewProject();
    const answer = await sendImport(
      to,
      {
        '_posts/2024-01-31-green-tea.md': '---\ntitle: Green tea\ntags: [tea]\n---\nNot [black](black.html#x).',
        '_posts/black.html': '---\ntitle: Black tea\ndraft: true\nimage: /a.png\n---\n<p onclick="x()">Black</p>',
        'broken.md': '---\ntitle: [\n---\n',
        'images/a.png': 'x',
      },
      '?publish=true',
    );
    expect(answer.status).toBe(202);
    expect(answer.headers['location']).toBe(`/blog/api/v1/owner/projects/${to.project}/imports/${answer.body.id}`);
    expect(answer.body).toMatchObject({
      status: 'running',
      files: 4,
      waiting: 2,
      failed: 1,
      skipped: 1,
      finished_at: null,
    });
    expect(await finishedImport(to, answer.body.id as string)).toMatchObject({
      files: 4,
      waiting: 0,
      created: 2,
      failed: 1,
      skipped: 1,
    });

    const green = await blogBySlug(to, 'green-tea');
    expect(green).toMatchObject({
      title: 'Green tea',
      state: 'published',
      tags: ['tea'],
      content: '<p>Not <a href="[INTERNAL:black]#x">black</a>.</p>\n',
      content_markdown: 'Not [black]([INTERNAL:black]#x).',
      published_at: '2024-01-31T00:00:00.000Z',
    });
    const black = await blogBySlug(to, 'black');
    expect(black).toMatchObject({ state: 'draft', content: '<p>Black</p>', content_markdown: null });
    expect(await to.eventsOf(green)).toMatchObject([{ event: 'blog.published', trigger: 'manual' }]);
    expect(await filesOf(to, answer.body.id as string)).toEqual([
      { number: 1, path: '_posts/2024-01-31-green-tea.md', status: 'created', message: null, blog_id: green.id },
      {
        number: 2,
        path: '_posts/black.html',
        status: 'created',
        message: expect.stringContaining('image'),
        blog_id: black.id,
      },
      { number: 3, path: 'broken.md', status: 'failed', message: expect.stringContaining('YAML'), blog_id: null },
      { number: 4, path: '*.png', status: 'skipped', message: expect.stringContaining('Not imported'), blog_id: null },
    ]);
  });

  it('publishes nothing unless it is asked to', async () => {
    const to = await owner.inNewProject();
    await importAll(to, { 'a.md': 'x' });
    expect(await blogsOf(to)).toMatchObject([{ slug: 'a', state: 'draft' }]);
  });

  it('skips a file whose slug a blog has', async () => {
    const to = await owner.inNewProject();
    const blog = await to.newBlog({ slug: 'tea', content: '<p>mine</p>' });
    const { id, skipped } = await importAll(to, { 'tea.md': 'other' }, '?publish=true');
    expect([skipped, await filesOf(to, id)]).toMatchObject([
      1,
      [{ status: 'skipped', blog_id: blog.id, message: expect.stringContaining('tea') }],
    ]);
    expect(await to.show(blog)).toMatchObject({ content: '<p>mine</p>', state: 'draft', version: 1 });
  });

  it('edits the blog with the slug when it is asked to, and publishes it once', async () => {
    const to = await owner.inNewProject();
    const blog = await to.newBlog({ slug: 'tea', content: '<p>old</p>', keyword: 'kept' });
    for (const round of [1, 2]) {
      const { id } = await importAll(to, { 'tea.md': '---\ntitle: New\n---\nnew' }, '?existing=update&publish=true');
      expect([round, await filesOf(to, id)]).toMatchObject([round, [{ status: 'updated', blog_id: blog.id }]]);
    }
    expect(await to.show(blog)).toMatchObject({
      title: 'New',
      content_markdown: 'new',
      keyword: 'kept',
      state: 'published',
    });
    expect(await to.eventsOf(blog)).toHaveLength(1);
  });

  it('fails a file whose slug is held by what a blog has published', async () => {
    const to = await owner.inNewProject();
    const blog = await to.newBlog({ slug: 'old-tea' });
    await to.publish(blog);
    await to.patch(`/blogs/${blog.id}`, { slug: 'new-tea' });
    const { id } = await importAll(to, { 'old-tea.md': 'x', 'z.md': 'y' });
    expect(await filesOf(to, id)).toMatchObject([
      { status: 'failed', message: expect.stringContaining('old-tea') },
      { status: 'created' },
    ]);
  });

  it('binds links to posts that come later, so that they follow drafts that are renamed', async () => {
    const to = await owner.inNewProject();
    await importAll(to, {
      'first.md': '[second](second.md) and [third](third.md)',
      'second.md': '[first](first.md)',
      'third.md': 'x',
    });
    const [first, second, third] = [
      await blogBySlug(to, 'first'),
      await blogBySlug(to, 'second'),
      await blogBySlug(to, 'third'),
    ];
    await to.patch(`/blogs/${second.id}`, { slug: 'moved' });
    await to.patch(`/blogs/${third.id}`, { slug: 'second' });
    await to.patch(`/blogs/${first.id}`, { slug: 'third' });
    expect((await to.show(first)).content_markdown).toBe('[second]([INTERNAL:moved]) and [third]([INTERNAL:second])');
    expect((await to.show(second)).content_markdown).toBe('[first]([INTERNAL:third])');
  });

  it('fails a file whose slug is an alias, and says of which post', async () => {
    const to = await owner.inNewProject();
    const blog = await to.newBlog({ title: 'Tea', slug: 'old-tea' });
    await to.publish(blog);
    await to.patch(`/blogs/${blog.id}`, { slug: 'new-tea' });
    await to.publish(blog);
    const { id } = await importAll(to, { 'old-tea.md': 'x' });
    expect(await filesOf(to, id)).toMatchObject([
      {
        status: 'failed',
        message: 'The slug “old-tea” is an alias of “Tea”: change the file’s slug, or release the alias.',
      },
    ]);
    expect((await to.show(blog)).aliases).toEqual(['old-tea']);
  });

  it('fails a file whose content is refused once it is made', async () => {
    const to = await owner.inNewProject();
    const { id } = await importAll(to, { 'deep.md': `${'>'.repeat(300)} x`, 'fine.md': 'x' });
    expect(await filesOf(to, id)).toMatchObject([
      { status: 'failed', message: expect.stringContaining('100 levels') },
      { status: 'created' },
    ]);
  });

  it('has finished at once when there is nothing to make', async () => {
    const to = await owner.inNewProject();
    const { body } = await sendImport(to, { 'a.md': '+++\n' });
    expect(body).toMatchObject({ status: 'finished', failed: 1, finished_at: expect.any(String) });
  });

  it('happens once for an Idempotency-Key', async () => {
    const to = await owner.inNewProject();
    const headers = { 'idempotency-key': randomUUID() };
    const answers = [
      await sendImport(to, { 'a.md': 'x' }, '', headers),
      await sendImport(to, { 'a.md': 'x' }, '', headers),
    ];
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(
      [202, 202].map((status) => [status, answers[0]?.body.id]),
    );
    expect((await to.get('/imports')).body.items).toHaveLength(1);
    expect((await sendImport(to, { 'b.md': 'x' }, '', headers)).status).toBe(422);
  });
});

describe('the plan of an import', () => {
  it('is what the import then does, and makes nothing', async () => {
    const to = await owner.inNewProject();
    await importAll(to, { 'tea.md': '---\ntitle: Tea\n---\nOld.' });
    const files = {
      'tea.md': '---\ntitle: Tea\n---\nNew.',
      'coffee.md': '---\ntitle: Coffee\n---\nBlack.',
      'draft.md': '---\ntitle: Draft\ndraft: true\n---\n',
      'broken.md': '---\ntitle: [\n---\n',
    };
    const query = '?publish=true&existing=update';
    const planned = await to.call('POST', `/imports/plan${query}`, { body: await makeArchive(files), headers: ZIP });
    expect([planned.status, planned.body]).toEqual([
      200,
      expect.objectContaining({ create: 2, update: 1, skip: 0, fail: 1, publish: 2 }),
    ]);
    expect(planned.body.items).toContainEqual(
      expect.objectContaining({ path: 'tea.md', outcome: 'update', title: 'Tea', publish: true }),
    );
    expect(await blogsOf(to)).toHaveLength(1);
    expect((await to.get('/imports')).body.items).toHaveLength(1);
    expect(await importAll(to, files, query)).toMatchObject({ created: 2, updated: 1, skipped: 0, failed: 1 });
  });

  it('waits while another plan ends or is given up, instead of being refused', async () => {
    const to = await owner.inNewProject();
    const body = await makeArchive({ 'tea.md': '---\ntitle: Tea\n---\nx' });
    const plan = async (signal: AbortSignal | null = null) => {
      const answer = await fetch(`${service.origin}/blog/api/v1/owner/projects/${to.project}/imports/plan`, {
        method: 'POST',
        headers: { ...ZIP, authorization: `Bearer ${owner.token}` },
        body,
        signal,
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    const statuses = new Set<number>();
    for (let round = 0; round < 40; round += 1) {
      // The dashboard does this when two options change quickly.
      const toggled = new AbortController();
      const first = plan(toggled.signal).catch(() => undefined);
      if (round % 2 === 1) setTimeout(() => toggled.abort(), round % 7);
      statuses.add(await plan());
      await first;
    }
    expect([...statuses]).toEqual([200]);
  });

  it('is refused for what is no archive', async () => {
    const to = await owner.inNewProject();
    expect((await to.call('POST', '/imports/plan', { body: Buffer.from('x'), headers: ZIP })).status).toBe(422);
  });
});

describe('imports', () => {
  it('are listed newest first, with their files in pages', async () => {
    const to = await owner.inNewProject();
    const first = await importAll(to, { 'a.md': 'x', 'b.md': 'x', 'c.md': 'x' });
    const second = await importAll(to, { 'd.md': 'x' });
    const page = (await to.get('/imports?limit=1')).body;
    expect(page.items).toMatchObject([{ id: second.id }]);
    expect((await to.get(`/imports?limit=1&cursor=${page.next_cursor}`)).body).toMatchObject({
      items: [{ id: first.id }],
      next_cursor: null,
    });
    const files = (await to.get(`/imports/${first.id}/files?limit=2`)).body;
    expect(files.items).toMatchObject([{ number: 1 }, { number: 2 }]);
    expect((await to.get(`/imports/${first.id}/files?limit=2&cursor=${files.next_cursor}`)).body).toMatchObject({
      items: [{ number: 3 }],
      next_cursor: null,
    });
  });

  it('are their project’s alone', async () => {
    const to = await owner.inNewProject();
    const other = await owner.inNewProject();
    const { id } = await importAll(to, { 'a.md': 'x' });
    for (const path of [`/imports/${id}`, `/imports/${id}/files`, '/imports/x', `/imports/${randomUUID()}`]) {
      expect((await other.get(path)).status).toBe(404);
    }
    expect((await service.call('GET', `projects/${to.project}/export`)).status).toBe(401);
  });

  it.each([
    ['another media type', '{}', { 'content-type': 'application/json' }, '', 415],
    ['no archive', 'x', ZIP, '', 422],
    ['an empty body', '', ZIP, '', 422],
    ['an unknown parameter value', 'x', ZIP, '?existing=delete', 400],
    ['more than 32 MB', Buffer.alloc(32 * 1024 * 1024 + 1), ZIP, '', 413],
  ])('are refused for %s', async (_what, body, headers, query, status) => {
    const answer = await owner.call('POST', `/imports${query}`, { body, headers });
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([status, status === 422 ? 'body' : undefined]);
  });

  it('are at most ten under way in a project', async () => {
    const to = await owner.inNewProject();
    await using _held = await holdSlug(service, to, 'held');
    // Each of them is held: one that is tried again later lets the next begin.
    const sent: Awaited<ReturnType<typeof sendImport>>[] = [];
    while (sent.length < 10) sent.push(await sendImport(to, { 'held.md': 'x' }));
    expect((await sendImport(to, { 'more.md': 'x' })).status).toBe(409);
    await _held[Symbol.asyncDispose]();
    let created = 0;
    for (const { body } of sent) {
      const job = await finishedImport(to, body.id as string);
      expect(job).toMatchObject({ files: 1, failed: 0, waiting: 0 });
      created += Number(job['created']);
    }
    expect(created).toBe(1);
    expect((await sendImport(to, { 'more.md': 'x' })).status).toBe(202);
  });

  it('are read one at a time for a project and for a person, so that others have room', async () => {
    const body = await makeArchive({ 'a.md': 'x' });
    const slow = new AbortController();
    const uploadSlowly = async (): Promise<number | undefined> => {
      const upload = new ReadableStream({ start: (controller) => controller.enqueue(body.subarray(0, 10)) });
      const answer = await fetch(`${service.origin}/blog/api/v1/owner/projects/${owner.project}/imports`, {
        method: 'POST',
        headers: { ...ZIP, authorization: `Bearer ${owner.token}` },
        body: upload,
        duplex: 'half',
        signal: slow.signal,
      }).catch(() => undefined);
      // When the other import came first, this one is the one too many, and comes again.
      return answer?.status === 429 ? await uploadSlowly() : answer?.status;
    };
    const uploading = uploadSlowly();
    const other = await owner.inNewProject();
    await eventually(async () => {
      const refused = await sendImport(other, { '+++.md': '+++' });
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10']);
    });
    const another = await ownerOfNewProject(service, (await newPerson(service, owner.token)).token);
    expect((await sendImport(another, { 'a.md': 'x' })).status).toBe(202);
    slow.abort();
    expect(await uploading).toBeUndefined();
    await eventually(async () => expect((await sendImport(other, { 'a.md': 'x' })).status).toBe(202));
  });

  it('end with their project', async () => {
    const to = await owner.inNewProject();
    const { id } = await importAll(to, { 'a.md': 'x' });
    expect((await to.call('DELETE', `projects/${to.project}`)).status).toBe(204);
    expect(await service.query('select 1 from import where id = $1', [id])).toEqual([]);
  });
});
