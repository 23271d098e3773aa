import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@blog-content/testing';
import pg from 'pg';
import { fromBufferPromise } from 'yauzl';
import { makeArchive } from '../../../test/make-archive.ts';
import { ownerOfNewProject, startOwner, type Owner } from '../../../test/owner.ts';
import { newPerson } from '../../../test/people.ts';
import { startRunningService, type Answer, type RunningService } from '../../../test/running-service.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService({ IMPORT_POLL_MS: '50' });
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

type Files = Readonly<Record<string, string | Buffer>>;
const ZIP = { 'content-type': 'application/zip' };

async function send(to: Owner, files: Files, query = '', headers = {}): Promise<Answer> {
  return to.call('POST', `/imports${query}`, { body: await makeArchive(files), headers: { ...ZIP, ...headers } });
}

/** Imports and waits until it has finished. */
async function importAll(
  to: Owner,
  files: Files,
  query = '',
): Promise<{ id: string; status: string } & Record<string, number>> {
  const answer = await send(to, files, query);
  expect([answer.status, answer.body]).toEqual([202, expect.objectContaining({ finished_at: null })]);
  return finished(to, answer.body.id as string);
}

async function finished(to: Owner, id: string) {
  return eventually(
    async () => {
      const { body } = await to.get(`/imports/${id}`);
      expect(body.status).toBe('finished');
      return body;
    },
    // On a busy machine sixty files that are cut off again and again take a while.
    { timeoutMs: 120_000 },
  );
}

async function filesOf(to: Owner, id: string) {
  return (await to.get(`/imports/${id}/files?limit=100`)).body.items as Record<string, unknown>[];
}

async function blogsOf(to: Owner): Promise<Record<string, never>[]> {
  return (await to.get('/blogs?limit=100')).body.items;
}
const bySlug = async (to: Owner, slug: string) => {
  const found = (await blogsOf(to)).find((blog) => blog['slug'] === slug);
  return (await to.get(`/blogs/${String(found?.['id'])}`)).body;
};

describe('an import', () => {
  it('makes a blog of each file, with its front matter and links, and publishes what is no draft', async () => {
    const to = await owner.inNewProject();
    const answer = await send(
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
    expect(await finished(to, answer.body.id as string)).toMatchObject({
      files: 4,
      waiting: 0,
      created: 2,
      failed: 1,
      skipped: 1,
    });

    const green = await bySlug(to, 'green-tea');
    expect(green).toMatchObject({
      title: 'Green tea',
      state: 'published',
      tags: ['tea'],
      content: '<p>Not <a href="[INTERNAL:black]#x">black</a>.</p>\n',
      content_markdown: 'Not [black]([INTERNAL:black]#x).',
      published_at: '2024-01-31T00:00:00.000Z',
    });
    const black = await bySlug(to, 'black');
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
    const { body } = await send(to, { 'a.md': '+++\n' });
    expect(body).toMatchObject({ status: 'finished', failed: 1, finished_at: expect.any(String) });
  });

  it('happens once for an Idempotency-Key', async () => {
    const to = await owner.inNewProject();
    const headers = { 'idempotency-key': randomUUID() };
    const answers = [await send(to, { 'a.md': 'x' }, '', headers), await send(to, { 'a.md': 'x' }, '', headers)];
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(
      [202, 202].map((status) => [status, answers[0]?.body.id]),
    );
    expect((await to.get('/imports')).body.items).toHaveLength(1);
    expect((await send(to, { 'b.md': 'x' }, '', headers)).status).toBe(422);
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
    ['more than 32 MiB', Buffer.alloc(32 * 1024 * 1024 + 1), ZIP, '', 413],
  ])('are refused for %s', async (_what, body, headers, query, status) => {
    const answer = await owner.call('POST', `/imports${query}`, { body, headers });
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([status, status === 422 ? 'body' : undefined]);
  });

  it('are at most ten under way in a project', async () => {
    const to = await owner.inNewProject();
    await using _held = await holdSlug(to, 'held');
    // Each of them is held: one that is tried again later lets the next begin.
    const sent: Awaited<ReturnType<typeof send>>[] = [];
    while (sent.length < 10) sent.push(await send(to, { 'held.md': 'x' }));
    expect((await send(to, { 'more.md': 'x' })).status).toBe(409);
    await _held[Symbol.asyncDispose]();
    let created = 0;
    for (const { body } of sent) {
      const job = await finished(to, body.id as string);
      expect(job).toMatchObject({ files: 1, failed: 0, waiting: 0 });
      created += Number(job['created']);
    }
    expect(created).toBe(1);
    expect((await send(to, { 'more.md': 'x' })).status).toBe(202);
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
      const refused = await send(other, { '+++.md': '+++' });
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10']);
    });
    const another = await ownerOfNewProject(service, (await newPerson(service, owner.token)).token);
    expect((await send(another, { 'a.md': 'x' })).status).toBe(202);
    slow.abort();
    expect(await uploading).toBeUndefined();
    await eventually(async () => expect((await send(other, { 'a.md': 'x' })).status).toBe(202));
  });

  it('end with their project', async () => {
    const to = await owner.inNewProject();
    const { id } = await importAll(to, { 'a.md': 'x' });
    expect((await to.call('DELETE', `projects/${to.project}`)).status).toBe(204);
    expect(await service.query('select 1 from import where id = $1', [id])).toEqual([]);
  });
});

describe('a worker that is cut off in the middle of a file', () => {
  it('has done nothing of it, and the file happens once', async () => {
    const to = await owner.inNewProject();
    const held = await holdSlug(to, 'b');
    const { body } = await send(to, { 'a.md': 'x', 'b.md': '[a](a.md)', 'c.md': 'x' }, '?publish=true');
    const pids = await eventually(async () => {
      const found = await workersOf(service);
      expect(found).toHaveLength(1);
      expect((await to.get(`/imports/${body.id}`)).body).toMatchObject({ created: 1, waiting: 2 });
      return found;
    });
    await service.query('select pg_terminate_backend($1)', [pids[0]]);
    await held[Symbol.asyncDispose]();
    expect(await finished(to, body.id as string)).toMatchObject({ created: 3, failed: 0 });
    await expectEachOnce(to, ['a', 'b', 'c']);
  });
});

describe('several workers', () => {
  it('make each file once, also while they are cut off again and again', async () => {
    const replicas = [await service.startReplica(), await service.startReplica()];
    const to = await owner.inNewProject();
    const names = Array.from({ length: 60 }, (_, index) => `post-${index}`);
    const files = Object.fromEntries(names.map((name) => [`${name}.md`, `${'text '.repeat(1_000)} [x](post-1.md)`]));
    const { body } = await send(to, files, '?publish=true');
    let cutOff = 0;
    for (let round = 0; round < 40; round += 1) {
      for (const pid of await workersOf(service)) {
        await service.query('select pg_terminate_backend($1)', [pid]);
        cutOff += 1;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(cutOff).toBeGreaterThan(0);
    expect(await finished(to, body.id as string)).toMatchObject({ created: 60, failed: 0 });
    await expectEachOnce(to, names);
    for (const replica of replicas) await replica.stop();
  });

  it('that meet at one slug make one blog of it', async () => {
    const replicas = [await service.startReplica(), await service.startReplica()];
    const to = await owner.inNewProject();
    const sent = [];
    for (let time = 0; time < 2; time += 1) sent.push(await send(to, { 'a.md': 'x', 'b.md': 'x', 'c.md': 'x' }));
    let [created, skipped] = [0, 0];
    for (const { body } of sent) {
      const end = await finished(to, body.id as string);
      created += end.created as number;
      skipped += end.skipped as number;
    }
    expect([created, skipped]).toEqual([3, 3]);
    for (const replica of replicas) await replica.stop();
  });
});

describe('an export', () => {
  const written: Files = {
    'green.md':
      '---\ntitle: "Green: tea"\ndate: 2024-01-31T10:20:30.123Z\ntags: [a, "b, c"]\nexcerpt: x\n---\n# One\r\n\r\n[black](black.html)',
    'black.html':
      '---\ntitle: Black tea\nimage: https://x.example/a.png\ngenerated_images: [https://x.example/b.png]\n---\n<p>a</p>\n',
    'draft.md': '---\ndraft: true\nkeyword: "007"\nmeta_title: ""\n---\n',
  };

  it('imported into an empty project gives the same posts', async () => {
    const from = await owner.inNewProject();
    await importAll(from, written, '?publish=true');
    const first = await exportOf(from);
    const to = await owner.inNewProject();
    const answer = await to.call('POST', '/imports?publish=true', { body: first.bytes, headers: ZIP });
    await finished(to, answer.body.id as string);
    const again = await exportOf(to);
    const posts = ({ files }: typeof first) => Object.entries(files).filter(([path]) => path.startsWith('posts/'));
    expect(posts(first)).toHaveLength(3);
    expect(posts(again)).toEqual(posts(first));
    expect((await bySlug(to, 'green')).published_at).toBe('2024-01-31T10:20:30.123Z');
    expect((await bySlug(to, 'draft')).state).toBe('draft');
  });

  it('has all data as JSON: revisions, and publishes with their deliveries', async () => {
    const from = await owner.inNewProject();
    const blog = await from.newBlog({ slug: 'tea', content: '<p>1</p>' });
    const publishes = [(await from.publish(blog)).body.id, null];
    await from.patch(`/blogs/${blog.id}`, { content_markdown: '2', publish_at: null });
    publishes[1] = (await from.publish(blog)).body.id;
    const deleted = await from.newBlog();
    await from.remove(`/blogs/${deleted.id}`);
    const { files } = await exportOf(from);
    expect(Object.keys(files)).toEqual(['posts/tea.md', 'data/project.json', 'data/blogs.jsonl']);
    expect(JSON.parse(files['data/project.json'] ?? '')).toMatchObject({ id: from.project, name: 'Site' });
    const lines = (files['data/blogs.jsonl'] ?? '').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        ...{
          id: blog.id,
          slug: 'tea',
          state: 'published',
          excerpt: null,
          content_markdown: '2',
          published_revision: 2,
        },
        revisions: [
          expect.objectContaining({ number: 1, content: '<p>1</p>', content_markdown: null }),
          expect.objectContaining({ number: 2, content_markdown: '2' }),
        ],
        publishes: publishes.map((id, index) => expect.objectContaining({ id, revision: index + 1, deliveries: [] })),
      }),
    ]);
  });

  it('is a file with a name of letters, digits and hyphens, whatever the project is called', async () => {
    const { body } = await owner.call('POST', 'projects', { json: { name: 'Tea "&\r\nSet-Cookie: a=b; Café/../' } });
    const answer = await fetchExport(body.id as string);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="tea-set-cookie-a-b-cafe-\d{4}-\d\d-\d\d\.zip"$/,
    );
    await answer.body?.cancel();
  });

  it('of a large project is made while it is read, one at a time, and ends when the client leaves', async () => {
    const from = await owner.inNewProject();
    const blog = await from.newBlog({ slug: 'tea' });
    await service.query(
      `insert into blog (id, project_id, state, title, slug, content, categories, tags)
       select gen_random_uuid(), project_id, 'draft', 'T', 'large-' || number,
         (select string_agg(md5(number::text || piece::text), '') from generate_series(1, 10000) piece), '{}', '{}'
       from blog, generate_series(1, 100) number where id = $1`,
      [blog.id],
    );
    // Held until it is given up: the body of an answer that nobody holds is cancelled by the garbage collector.
    const open = await fetchExport(from.project);
    expect(open.status).toBe(200);
    const refused = await fetchExport(from.project);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    // Neither the project nor its owner has more than one, and so there is room for others.
    const another = await ownerOfNewProject(service, (await newPerson(service, owner.token)).token);
    expect((await fetchExport(owner.project)).status).toBe(429);
    expect((await fetchExport(another.project, another.token)).status).toBe(200);
    await open.body?.cancel();
    await eventually(async () => {
      expect(
        await service.query(
          `select 1 from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`,
        ),
      ).toEqual([]);
    });
    expect(Object.keys((await exportOf(from)).files)).toHaveLength(103);
  });

  it('goes on when its client has read nothing for longer than other transactions may stand idle', async () => {
    const from = await owner.inNewProject();
    const blog = await from.newBlog({ slug: 'tea' });
    await service.query(
      `insert into blog (id, project_id, state, title, slug, content, categories, tags)
       select gen_random_uuid(), project_id, 'draft', 'T', 'large-' || number,
         (select string_agg(md5(number::text || piece::text), '') from generate_series(1, 10000) piece), '{}', '{}'
       from blog, generate_series(1, 40) number where id = $1`,
      [blog.id],
    );
    const answer = await fetchExport(from.project);
    await sleep(12_000);
    expect(Object.keys((await unpack(answer)).files)).toHaveLength(43);
  });

  it('is answered to HEAD without being made', async () => {
    const answer = await fetch(`${service.origin}/blog/api/v1/owner/projects/${owner.project}/export`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${owner.token}` },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  });
});

/** Keeps whoever makes a blog with the slug waiting, in the middle of their transaction. */
async function holdSlug(of: Owner, slug: string): Promise<AsyncDisposable> {
  const client = new pg.Client(service.databaseUrl);
  await client.connect();
  await client.query('begin');
  await client.query('insert into slug_claim (project_id, slug, blog_id) values ($1, $2, gen_random_uuid())', [
    of.project,
    slug,
  ]);
  let ended: Promise<void> | undefined;
  return { [Symbol.asyncDispose]: () => (ended ??= client.end()) };
}

/** Database connections of workers that are at a file. */
async function workersOf(running: RunningService): Promise<number[]> {
  const rows = await running.query<{ pid: number }>(
    `select distinct pid from pg_locks join pg_class on pg_class.oid = relation
     where relname = 'import_file' and mode = 'RowShareLock' and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.map(({ pid }) => pid);
}

async function expectEachOnce(of: Owner, slugs: readonly string[]): Promise<void> {
  const blogs = await blogsOf(of);
  expect(blogs.map((blog) => String(blog['slug'])).toSorted()).toEqual(slugs.toSorted());
  for (const table of ['publish', 'slug_claim']) {
    const rows = await service.query<{ blog_id: string }>(`select blog_id from ${table} where project_id = $1`, [
      of.project,
    ]);
    expect(rows.map((row) => row.blog_id).toSorted()).toEqual(blogs.map((blog) => String(blog['id'])).toSorted());
  }
  const told = await service.query(`select 1 from outbox where topic = 'blog.lifecycle' and data->>'project_id' = $1`, [
    of.project,
  ]);
  expect(told).toHaveLength(slugs.length);
}

function fetchExport(project: string, token = owner.token): Promise<Response> {
  return fetch(`${service.origin}/blog/api/v1/owner/projects/${project}/export`, {
    headers: { authorization: `Bearer ${token}` },
  });
}

/** An export, unpacked. */
const exportOf = async ({ project }: Owner) => unpack(await fetchExport(project));

async function unpack(answer: Response): Promise<{ bytes: Buffer; files: Record<string, string> }> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const files: Record<string, string> = {};
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    files[entry.fileName] = await text(await zip.openReadStreamPromise(entry));
  }
  return { bytes, files };
}
