import { eventually } from '@blog-content/testing';
import { startOwner, type Owner } from '../../../../test/owner.ts';
import { startRunningService, type RunningService } from '../../../../test/running-service.ts';
import { blogsOf, finishedImport, holdSlug, sendImport } from '../../../../test/transfer/imports.ts';

let service: RunningService;
let owner: Owner;
beforeAll(async () => {
  service = await startRunningService({ WORK_POLL_MS: '50' });
  owner = await startOwner(service);
});
afterAll(() => service[Symbol.asyncDispose]());

describe('a worker that is cut off in the middle of a file', () => {
  it('has done nothing of it, and the file happens once', async () => {
    const to = await owner.inNewProject();
    const held = await holdSlug(service, to, 'b');
    const { body } = await sendImport(to, { 'a.md': 'x', 'b.md': '[a](a.md)', 'c.md': 'x' }, '?publish=true');
    const pids = await eventually(async () => {
      const found = await workersOf(service);
      expect(found).toHaveLength(1);
      expect((await to.get(`/imports/${body.id}`)).body).toMatchObject({ created: 1, waiting: 2 });
      return found;
    });
    await service.query('select pg_terminate_backend($1)', [pids[0]]);
    await held[Symbol.asyncDispose]();
    expect(await finishedImport(to, body.id as string)).toMatchObject({ created: 3, failed: 0 });
    await expectEachOnce(to, ['a', 'b', 'c']);
  });
});

describe('several workers', () => {
  it('make each file once, also while they are cut off again and again', async () => {
    const replicas = [await service.startReplica(), await service.startReplica()];
    const to = await owner.inNewProject();
    const names = Array.from({ length: 60 }, (_, index) => `post-${index}`);
    const next = { name: 'next', label: 'Next', kind: 'post' };
    expect((await to.call('PUT', '/data-fields', { json: { fields: [next] } })).status).toBe(200);
    const text = `${'text '.repeat(1_000)} [x](post-1.md)`;
    // Half of them refer to the post that comes after them, the last of these to the first.
    const nextOf = (index: number) => `---\ndata:\n  next: post-${(index + 1) % names.length}\n---\n`;
    const files = Object.fromEntries(
      names.map((name, index) => [`${name}.md`, `${index % 2 === 1 ? nextOf(index) : ''}${text}`]),
    );
    const { body } = await sendImport(to, files, '?publish=true');
    let cutOff = 0;
    for (let round = 0; round < 40; round += 1) {
      for (const pid of await workersOf(service)) {
        await service.query('select pg_terminate_backend($1)', [pid]);
        cutOff += 1;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(cutOff).toBeGreaterThan(0);
    expect(await finishedImport(to, body.id as string)).toMatchObject({ created: 60, failed: 0 });
    await expectEachOnce(to, names);
    const blogs = new Map((await blogsOf(to)).map((blog) => [String(blog['slug']), blog]));
    for (const [index, name] of names.entries()) {
      const target = blogs.get(`post-${(index + 1) % names.length}`)?.['id'];
      expect(blogs.get(name)?.['data']).toEqual(index % 2 === 1 ? { next: { post_id: target } } : {});
    }
    for (const replica of replicas) await replica.stop();
  });

  it('that meet at one slug make one blog of it', async () => {
    const replicas = [await service.startReplica(), await service.startReplica()];
    const to = await owner.inNewProject();
    const sent = [];
    for (let time = 0; time < 2; time += 1) sent.push(await sendImport(to, { 'a.md': 'x', 'b.md': 'x', 'c.md': 'x' }));
    let [created, skipped] = [0, 0];
    for (const { body } of sent) {
      const end = await finishedImport(to, body.id as string);
      created += end.created as number;
      skipped += end.skipped as number;
    }
    expect([created, skipped]).toEqual([3, 3]);
    for (const replica of replicas) await replica.stop();
  });
});

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
