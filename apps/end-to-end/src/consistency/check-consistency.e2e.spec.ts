import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicBlogList } from '@blog-content/payload-schemas';
import { eventually, startReceiver, type Receiver } from '@blog-content/testing';
import pg from 'pg';
import { createProject, listAllPublishes, type TestProject } from '../project.ts';
import { startStack, type Stack } from '../stack.ts';
import { runCheck, startCheck, type CheckResult } from './run-check.ts';

const SECRET = 'end-to-end-secret-0123456789';

let stack: Stack;
let receiver: Receiver;
let pools: Record<'content-service' | 'public-read-service' | 'webhook-dispatcher' | 'event-log', pg.Pool>;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-consistency-'));
  receiver = await startReceiver({ secret: SECRET });
  stack = await startStack();
  const open = (name: keyof typeof pools) => new pg.Pool({ connectionString: stack.local.databaseUrls[name], max: 1 });
  pools = {
    'content-service': open('content-service'),
    'public-read-service': open('public-read-service'),
    'webhook-dispatcher': open('webhook-dispatcher'),
    'event-log': open('event-log'),
  };
}, 120_000);
afterAll(async () => {
  await Promise.all(Object.values(pools ?? {}).map((pool) => pool.end()));
  await stack?.[Symbol.asyncDispose]();
  await receiver?.close();
  await rm(folder, { recursive: true, force: true });
});

let project: TestProject;
beforeEach(async () => {
  project = await createProject(stack.owner, {
    siteUrl: 'https://site.example',
    receiverUrls: [receiver.url],
    secret: SECRET,
  });
  receiver.clear();
});

const path = () => `projects/${project.id}/blogs`;

/** Publishes posts, and waits until readers and the receiver have them. */
async function publish(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const title = `Post ${at}`;
    ids.push((await stack.owner.post<{ id: string }>(path(), { title, content: '<p>x</p>' })).id);
    await stack.owner.post(`${path()}/${ids.at(-1)}/publish`);
  }
  await everythingEnded();
  return ids;
}

const everythingEnded = () =>
  eventually(async () => {
    const publishes = await listAllPublishes(stack.owner, project.id);
    expect(publishes.filter(({ status }) => status === 'pending')).toEqual([]);
  });

/** What the read API shows, by the ids. */
async function shown(): Promise<Map<string, { title: string; slug: string }>> {
  const answer = await fetch(`${stack.local.origin}/blog/api/v1/public/blogs?limit=100`, {
    headers: { authorization: `Bearer ${project.publicKey}` },
  });
  const { blogs } = (await answer.json()) as PublicBlogList;
  return new Map(blogs.map((blog) => [blog.id, blog]));
}

/** What the receiver got of a post, in order. */
const received = (blogId: string) =>
  receiver.requests
    .map((request) => request.json<{ event: string; blog_id: string }>())
    .flatMap(({ event, blog_id }) => (blog_id === blogId ? [event] : []));

/** The lost transactions of a fail-over: content-service knows the posts no more. */
async function forget(...ids: string[]): Promise<void> {
  for (const statement of [
    'DELETE FROM publish WHERE blog_id = ANY ($1)',
    'DELETE FROM blog_link WHERE blog_id = ANY ($1)',
    'DELETE FROM slug_claim WHERE blog_id = ANY ($1)',
    'DELETE FROM blog WHERE id = ANY ($1)',
  ]) {
    await pools['content-service'].query(statement, [ids]);
  }
}

const check = (...args: string[]): Promise<CheckResult> => runCheck(stack.local, '--project', project.id, ...args);

const differencesOf = ({ findings }: CheckResult, blogId: string | null) =>
  findings
    .filter(({ blog_id, undecided }) => blog_id === blogId && undecided === null)
    .flatMap(({ differences }) => differences.map(({ where, kind }) => `${where} ${kind}`))
    .toSorted();

/** Replaces a text in the newest event of a post in the log. */
const forgetInLog = (blogId: string) =>
  pools['event-log'].query(`DELETE FROM event_log.messages WHERE topic = 'blog.lifecycle' AND key = $1`, [blogId]);

it('finds nothing where nothing differs', async () => {
  const [kept, unpublished, deleted] = await publish(3);
  await stack.owner.post(`${path()}/${unpublished}/unpublish`);
  await fetch(`${stack.local.origin}/blog/api/v1/owner/${path()}/${deleted}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${stack.owner.token}` },
  });
  await stack.owner.post(path(), { title: 'Draft', content: '' });
  await eventually(() => expect(received(deleted!)).toContain('blog.deleted'));
  await eventually(() => expect(received(unpublished!)).toContain('blog.unpublished'));
  const result = await check();
  expect(result).toMatchObject({ code: 0, findings: [], summary: { projects: 1, posts: 4, found: 0 } });
  expect(received(kept!)).toEqual(['blog.published']);
});

it('names each kind of difference, changes nothing, and repairs all of them', async () => {
  const ids = await publish(8);
  const [missing, stale, unowned, hidden, ahead, unplanned, notInLog, intact] = ids as [string, ...string[]];
  await stack.owner.patch(`${path()}/${ahead}`, { title: 'Lost' });
  await stack.owner.post(`${path()}/${ahead}/publish`);
  await everythingEnded();
  const { 'content-service': content, 'public-read-service': read, 'webhook-dispatcher': dispatcher } = pools;
  await read.query('DELETE FROM published_blog WHERE id = $1', [missing]);
  await read.query(`UPDATE published_blog SET title = 'Damaged' WHERE id = $1`, [stale]);
  await read.query(`UPDATE project SET site_url = 'https://old.example' WHERE id = $1`, [project.id]);
  await forget(unowned!);
  await content.query(
    `UPDATE blog SET state = 'unpublished', publication_began_at = NULL, event_number = 2 WHERE id = $1`,
    [hidden],
  );
  // The second publish of it is lost.
  await content.query('DELETE FROM publish WHERE blog_id = $1 AND revision = 2', [ahead]);
  await content.query('DELETE FROM blog_revision WHERE blog_id = $1 AND number = 2', [ahead]);
  await content.query(`UPDATE blog SET event_number = 1, revision = 1, title = 'Post 4' WHERE id = $1`, [ahead]);
  await dispatcher.query('DELETE FROM receiver_blog WHERE blog_id = $1', [unplanned]);
  await dispatcher.query('DELETE FROM lifecycle_event WHERE blog_id = $1', [unplanned]);
  await forgetInLog(notInLog!);

  const found = await check();
  expect(found.code).toBe(1);
  const expected = {
    [missing]: ['read_model missing'],
    [stale!]: ['read_model stale'],
    [unowned!]: ['deliveries held', 'log unowned', 'read_model unowned'],
    [hidden!]: ['deliveries held', 'log not_published', 'read_model behind', 'read_model not_published'].filter(
      (text) => text !== 'read_model behind',
    ),
    [ahead!]: ['deliveries ahead', 'log ahead', 'read_model ahead', 'read_model stale'],
    [unplanned!]: ['deliveries missing'],
    [notInLog!]: ['log missing'],
    [intact!]: [],
  };
  for (const [id, differences] of Object.entries(expected)) {
    expect([ids.indexOf(id), differencesOf(found, id)]).toEqual([ids.indexOf(id), differences]);
  }
  expect(differencesOf(found, null)).toEqual(['read_model stale']);
  expect(found.summary).toMatchObject({ found: 8, undecided: 0, remaining: 8 });
  expect(await check()).toEqual(found);

  receiver.clear();
  const repaired = await check('--repair');
  expect(repaired.summary).toMatchObject({ found: 8, remaining: 2 });
  const posts = await shown();
  expect([...posts.keys()].toSorted()).toEqual([missing, stale, ahead, unplanned, notInLog, intact].toSorted());
  expect([posts.get(stale!)?.title, posts.get(ahead!)?.title]).toEqual(['Post 1', 'Post 4']);
  await eventually(() => expect(received(unplanned!)).toEqual(['blog.published']));
  await eventually(() => expect(received(ahead!)).toEqual(['blog.updated']));
  for (const id of [missing, stale, unowned, hidden, notInLog, intact]) expect(received(id!)).toEqual([]);

  // Only receivers have what is left: nobody asked to tell them.
  const left = await check();
  expect(left.findings.flatMap(({ blog_id }) => differencesOf(left, blog_id))).toEqual([
    'deliveries held',
    'deliveries held',
  ]);
  expect(await check('--repair', '--tell-receivers')).toMatchObject({ code: 0, summary: { found: 2, remaining: 0 } });
  await eventually(() => expect(received(unowned!)).toEqual(['blog.deleted']));
  await eventually(() => expect(received(hidden!)).toEqual(['blog.unpublished']));
  for (const id of [missing, stale, notInLog, intact]) expect(received(id!)).toEqual([]);
  expect(await check()).toMatchObject({ code: 0, findings: [] });

  // What comes next is taken.
  for (const id of [missing, stale, ahead, unplanned, notInLog]) {
    await stack.owner.patch(`${path()}/${id}`, { title: 'Next' });
    await stack.owner.post(`${path()}/${id}/publish`);
  }
  await everythingEnded();
  await eventually(async () =>
    expect([...(await shown()).values()].map(({ title }) => title).toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'Next'),
      'Post 7',
    ]),
  );
  expect(await check()).toMatchObject({ code: 0, findings: [] });
}, 120_000);

it('removes a project that content-service does not know, once its receivers were told', async () => {
  const [post] = await publish(1);
  await forget(post!);
  await pools['content-service'].query('DELETE FROM project WHERE id = $1', [project.id]);
  const found = await check();
  expect(differencesOf(found, null)).toEqual(['deliveries unowned', 'log unowned', 'read_model unowned']);
  receiver.clear();
  expect((await check('--repair')).code).toBe(1);
  expect(received(post!)).toEqual([]);
  expect((await check('--repair', '--tell-receivers')).code).toBe(0);
  expect(received(post!)).toEqual(['blog.deleted']);
  const answer = await fetch(`${stack.local.origin}/blog/api/v1/public/blogs`, {
    headers: { authorization: `Bearer ${project.publicKey}` },
  });
  expect(answer.status).toBe(401);
  expect(await check()).toMatchObject({ code: 0, findings: [] });
}, 60_000);

it('names and removes nothing that is being published, changed and unpublished during the check', async () => {
  let isDone = false;
  const ids: string[] = await publish(3);
  const work = (async () => {
    for (let at = 0; !isDone; at++) {
      const { id } = await stack.owner.post<{ id: string }>(path(), { title: `Live ${at}`, content: '<p>x</p>' });
      ids.push(id);
      await stack.owner.post(`${path()}/${id}/publish`);
      const other = ids[at % ids.length]!;
      await stack.owner.patch(`${path()}/${other}`, { title: `Again ${at}` });
      await stack.owner.post(`${path()}/${other}/publish`);
      if (at % 5 === 4) await stack.owner.post(`${path()}/${id}/unpublish`);
    }
  })();
  try {
    for (let round = 0; round < 3; round++) {
      const result = await check('--repair', '--tell-receivers');
      expect([result.findings, result.code]).toEqual([[], 0]);
    }
  } finally {
    isDone = true;
    await work;
  }
  await everythingEnded();
  expect(await check()).toMatchObject({ code: 0, findings: [], summary: { posts: ids.length } });
  const { rows } = await pools['content-service'].query<{ id: string }>(
    `SELECT id FROM blog WHERE project_id = $1 AND state = 'published'`,
    [project.id],
  );
  expect([...(await shown()).keys()].toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
}, 120_000);

it('continues where it was killed, and a repair that was killed is completed by the next', async () => {
  const ids = await publish(30);
  await forget(...ids.slice(0, 20));
  const progress = join(folder, randomUUID());
  const { child, ended, output } = startCheck(stack.local, '--json', '--repair', '--progress', progress);
  // The first repairs are under way.
  await eventually(() => expect(output.stdout).toContain('"unowned"'), { timeoutMs: 60_000 });
  child.kill('SIGKILL');
  await ended;
  const again = await runCheck(stack.local, '--repair', '--progress', progress);
  expect(again.summary).toMatchObject({ undecided: 0 });
  expect(existsSync(progress)).toBe(false);
  await eventually(async () => expect([...(await shown()).keys()].toSorted()).toEqual(ids.slice(20).toSorted()));
  for (const id of ids.slice(0, 20)) expect(received(id)).toEqual(['blog.published']);

  const half = startCheck(stack.local, '--progress', progress);
  await eventually(() => expect(existsSync(progress)).toBe(true), { timeoutMs: 60_000 });
  half.child.kill('SIGKILL');
  await half.ended;
  const rest = await runCheck(stack.local, '--progress', progress);
  const { rows } = await pools['content-service'].query<{ count: number }>('SELECT count(*)::int FROM project');
  expect(rows[0]!.count).toBeLessThanOrEqual(Number(rest.summary?.['projects']));
}, 120_000);

it('judges nothing while a service has not processed what is in the log', async () => {
  await publish(1);
  await stack.local.services['public-read-service'].stop();
  const { id } = await stack.owner.post<{ id: string }>(path(), { title: 'Later', content: '' });
  await stack.owner.post(`${path()}/${id}/publish`);
  const result = await check('--repair');
  expect(result.code).toBe(1);
  expect(result.findings.map(({ blog_id, undecided }) => [blog_id, undecided])).toEqual([
    [id, expect.stringMatching(/^public-read-service has \d+ events to process$/)],
  ]);
  await stack.local.services['public-read-service'].start();
  await everythingEnded();
  expect(await check()).toMatchObject({ code: 0, findings: [] });
}, 120_000);

it('prints differences for people, its usage, and what is wrong with a call', async () => {
  const [post] = await publish(1);
  await pools['public-read-service'].query('DELETE FROM published_blog WHERE id = $1', [post]);
  const { code, stdout, stderr } = await startCheck(stack.local, '--project', project.id).ended;
  expect(code).toBe(1);
  expect(stdout).toContain(`Post ${post} “Post 0” of project ${project.id}\n`);
  expect(stdout).toMatch(/content-service {2}published, event 1, as “post-0”, revision of .*Z\n/);
  expect(stdout).toMatch(/read model {7}not public, event 1 {2}← lacks it\n/);
  expect(stderr).toContain('Checked 1 project and 1 post: 1 differs.');
  expect((await startCheck(stack.local, '--help').ended).stdout).toContain('Usage: npm run check-consistency');
  for (const args of [
    ['--what'],
    ['--tell-receivers'],
    ['--project', 'mine'],
    ['--progress', ''],
    ['--project', randomUUID()],
  ]) {
    const wrong = await startCheck(stack.local, ...args).ended;
    expect([args, wrong.code]).toEqual([args, 2]);
    expect(wrong.stderr).toContain('Usage:');
  }
  const unreachable = {
    databaseUrls: { ...stack.local.databaseUrls, 'webhook-dispatcher': 'postgresql://127.0.0.1:1/x' },
  };
  expect((await runCheck(unreachable)).code).toBe(3);
  const nameless = { databaseUrls: { ...stack.local.databaseUrls, 'webhook-dispatcher': 'nothing' } };
  expect((await runCheck(nameless)).code).toBe(78);
}, 60_000);
