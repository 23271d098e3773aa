// Writes what this release leaves behind when all of its processes are killed in the middle of their work, for the
// upgrade test of the next one (ADR 47). `node scripts/record-release.mjs` runs it.
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@blog-content/local-infrastructure';
import { createLocalSettings, signIn, startLocalServices } from '@blog-content/local-services';
import { eventually, startReceiver } from '@blog-content/testing';
import pg from 'pg';
import { createProject, publishThroughAll } from '../project.ts';
import { dumpDatabase, type RecordedPost, type RecordedState } from './recorded-state.ts';

const [target = ''] = process.argv.slice(2);
if (target === '') throw new Error('Which file?');
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8')) as {
  readonly version: string;
};
/** Soon enough for a test to wait for it, late enough for the recording to end before. */
const SCHEDULED_IN_MS = 60_000;

await using resources = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'blog-content-record-'));
await chmod(folder, 0o711);
resources.defer(() => rm(folder, { recursive: true, force: true }));
const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), databaseUrl: '' });
resources.defer(() => postgres.stop());
const hangs = new Set<string>();
const receiver = await startReceiver({
  respond: (request) => ({ hang: hangs.has(request.json<{ slug: string }>().slug) }),
});
resources.defer(() => receiver.close());
const settings = await createLocalSettings();
const local = await startLocalServices({
  databaseUrl: postgres.url,
  settings,
  logFolder: join(folder, 'logs'),
  imageFolder: join(folder, 'images'),
});
resources.defer(() => local.stop());
const owner = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
const project = await createProject(owner, { siteUrl: 'https://tea.example', receiverUrls: [receiver.url] });
const blogs = `projects/${project.id}/blogs`;
const { items } = await owner.get<{ items: { id: string }[] }>(`projects/${project.id}/webhooks`);

async function onServer(sql: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  await client.query(sql, values);
  await client.end();
}

const posts: RecordedPost[] = [];
async function post(slug: string, delivery: RecordedPost['delivery'], content = '<p>Tea</p>'): Promise<string> {
  const { id } = await owner.post<{ id: string }>(blogs, { title: slug, slug, content });
  posts.push({ id, slug, delivery });
  return id;
}
const publish = (id: string) => owner.post(`${blogs}/${id}/publish`);
const kill = (name: keyof typeof local.services) => local.services[name].kill('SIGKILL');

for (const slug of ['arrived-1', 'arrived-2']) {
  await publishThroughAll(owner, project.id, slug);
  const { items: found } = await owner.get<{ items: { id: string; slug: string }[] }>(blogs);
  posts.push({ id: found.find((blog) => blog.slug === slug)?.id ?? '', slug, delivery: 'arrived' });
}
// An event that the public API can't process, while the bug is there: it is parked.
const readDatabase = new pg.Client({ connectionString: local.databaseUrls['public-read-service'] });
await readDatabase.connect();
await readDatabase.query(`
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'A bug of before'; END $$;
  CREATE TRIGGER refuse BEFORE INSERT ON published_blog FOR EACH ROW WHEN (NEW.slug = 'parked') EXECUTE FUNCTION refuse()`);
await publish(await post('parked', 'arrived'));
await eventually(async () => {
  const { rowCount } = await readDatabase.query('SELECT FROM parked_event');
  return rowCount === 1 && receiver.requests.length === 3;
});
await readDatabase.query('DROP TRIGGER refuse ON published_blog; DROP FUNCTION refuse');
await readDatabase.end();
// An attempt that is under way.
hangs.add('interrupted');
await publish(await post('interrupted', 'interrupted'));
await eventually(() => receiver.requests.length === 4);
await kill('webhook-dispatcher');
// In the log, served, not planned.
for (const slug of ['waits-1', 'waits-2']) {
  await publish(await post(slug, 'waits', '<p><a href="[INTERNAL:arrived-1]">Tea</a></p>'));
}
await eventually(async () => {
  const answer = await fetch(`${local.origin}/blog/api/v1/public/blogs/waits-2`, {
    headers: { Authorization: `Bearer ${project.publicKey}` },
  });
  return answer.ok;
});
await kill('public-read-service');
// In the log, known to nobody.
await publish(await post('waits-unseen', 'waits'));
const scheduled = await post('scheduled', 'waits');
await owner.put(`${blogs}/${scheduled}/schedule`, {
  publish_at: new Date(Date.now() + SCHEDULED_IN_MS).toISOString(),
});
// Committed, and not in the log: nobody relays while the lock of the relay is here.
const contentDatabase = new pg.Client({ connectionString: local.databaseUrls['content-service'] });
contentDatabase.on('error', () => undefined);
await contentDatabase.connect();
await eventually(async () => {
  const { rowCount } = await contentDatabase.query('SELECT FROM outbox WHERE published_at IS NULL');
  return rowCount === 0;
});
const { rows: relays } = await contentDatabase.query<{ pid: number; lock: string }>(`
  SELECT pid, ((classid::bigint << 32) | objid::bigint)::text AS lock FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND application_name = 'outbox-relay' AND datname = current_database()`);
const [relay] = relays;
if (relay === undefined) throw new Error('There is no relay.');
const locked = contentDatabase.query('SELECT pg_advisory_lock($1)', [relay.lock]);
await onServer('SELECT pg_terminate_backend($1)', [relay.pid]);
await locked;
await publish(await post('waits-in-outbox', 'waits'));
await kill('content-service');
const { rowCount: waiting } = await contentDatabase.query('SELECT FROM outbox WHERE published_at IS NULL');
if (waiting === 0) throw new Error('Nothing waits in the outbox.');
await contentDatabase.end();

const state: RecordedState = {
  version,
  recordedAt: new Date().toISOString(),
  settings,
  projectId: project.id,
  publicKey: project.publicKey,
  integrationId: items[0]?.id ?? '',
  posts,
  databases: {
    'content-service': await dumpDatabase(local.databaseUrls['content-service']),
    'public-read-service': await dumpDatabase(local.databaseUrls['public-read-service']),
    'webhook-dispatcher': await dumpDatabase(local.databaseUrls['webhook-dispatcher']),
    'event-log': await dumpDatabase(local.databaseUrls['event-log']),
  },
};
await writeFile(target, `${JSON.stringify(state, null, 1)}\n`);
console.log(`${target} has the state of ${version}.`);
