import { startPostgres } from '@blog-content/local-infrastructure';
import {
  createLocalSettings,
  signIn,
  startLocalServices,
  whenProjectIsKnown,
  type ServiceProcess,
} from '@blog-content/local-services';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { queryOnce } from '../../processes/databases.ts';
import { cpuTimeMs, serverCpuTimeMs, parentOf } from '../../processes/process-usage.ts';
import { startBenchReceiver } from '../bench-receiver.ts';
import { COUNTING, readCounts, type StatementCounts } from './statement-counts.ts';

const QUIET = { LOG_LEVEL: 'warn' };
const SECRET = 'bench-secret-0123456789abcdef';
const ARRIVES_WITHIN_MS = 60_000;
/** After the first byte: the result is stored, and the publish learns of it. */
const SETTLES_IN_MS = 250;
/** A service that has too many writes waiting is asked again; the call takes that much longer. */
const ASK_AGAIN_AFTER_MS = 50;

/** Processor time in milliseconds, by process. */
export type CpuTimes = Readonly<Record<string, number>>;

/** All services on the PostgreSQL event log, a project with one webhook, and a server that counts statements. */
export interface CountedStack extends AsyncDisposable {
  /** Writes so many posts of about 5 kB; gives their ids. */
  writePosts(count: number): Promise<string[]>;
  /** Calls content-service itself, its replicas in turn: the gateway is no part of what is measured. Resolves with its response. */
  publish(blogId: string): Promise<void>;
  publishTogether(blogIds: readonly string[]): Promise<void>;
  /** Resolves when the receiver has all of them. */
  delivered(blogIds: readonly string[]): Promise<void>;
  /** Publishes one after the other, and waits each time until all of it is over. */
  publishOneByOne(blogIds: readonly string[]): Promise<void>;
  readStatements(): Promise<StatementCounts>;
  readCpu(): CpuTimes;
}

/** Starts it on a server of its own, whatever `DATABASE_URL` names, with so many replicas of each service. */
export async function startCountedStack(replicas = 1): Promise<CountedStack> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-bench-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    databaseUrl: '',
    settings: COUNTING,
    disposable: true,
  });
  undo.defer(() => postgres.stop());
  const serverUrl = postgres.url('postgres');
  await queryOnce(serverUrl, 'CREATE EXTENSION pg_stat_statements');
  const settings = await createLocalSettings();
  const environment = {
    'content-service': { ...QUIET, WRITES_PER_MINUTE: '1000000' },
    'public-read-service': QUIET,
    'webhook-dispatcher': QUIET,
  };
  const local = await startLocalServices({
    databaseUrl: (database) => postgres.url(database),
    databasePrefix: 'bench_',
    settings,
    logFolder: join(folder, 'logs'),
    imageFolder: join(folder, 'images'),
    environment,
  });
  undo.defer(() => local.stop());
  const processes: (readonly [ServiceName, readonly ServiceProcess[]])[] = [];
  for (const name of serviceNames) {
    const all = [local.services[name]];
    while (all.length < replicas) all.push(await local.startReplica(name, environment[name]));
    processes.push([name, all]);
  }
  const receiver = await startBenchReceiver();
  undo.defer(() => receiver.close());
  const [checkpointer] = await queryOnce<{ pid: number }>(
    serverUrl,
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`,
  );
  const server = parentOf(checkpointer?.pid ?? 0);

  const owner = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  const { id } = await owner.post<{ id: string }>('projects', { name: 'Bench', site_url: 'https://site.example' });
  await whenProjectIsKnown(() => owner.post(`projects/${id}/webhooks`, { url: receiver.url, secret: SECRET }));
  const contentServices = processes.find(([name]) => name === 'content-service')?.[1] ?? [];
  const call = callerOf(contentServices, owner.token);
  let written = 0;

  const publish = async (blogId: string): Promise<void> => {
    await call(`projects/${id}/blogs/${blogId}/publish`, {});
  };
  const delivered = async (blogIds: readonly string[]): Promise<void> => {
    await Promise.all(blogIds.map((blogId) => receiver.firstByteOf(blogId, ARRIVES_WITHIN_MS)));
  };
  const resources = undo.move();
  return {
    async writePosts(count) {
      const ids: string[] = [];
      for (const last = written + count; written < last; written += 1) {
        const content = `<p>As long as posts are, with a link to <a href="[INTERNAL:post-${Math.max(0, written - 1)}]">another post</a> of the same project.</p>`;
        const post = { title: `Post ${written}`, slug: `post-${written}`, content: content.repeat(40) };
        ids.push((await call<{ id: string }>(`projects/${id}/blogs`, post)).id);
      }
      return ids;
    },
    publish,
    async publishTogether(blogIds) {
      await call(`projects/${id}/blogs/publish`, { blog_ids: blogIds });
    },
    delivered,
    async publishOneByOne(blogIds) {
      for (const blogId of blogIds) {
        await publish(blogId);
        await delivered([blogId]);
        await pause(SETTLES_IN_MS);
      }
    },
    readStatements: () => readCounts(serverUrl, local.databaseUrls),
    readCpu: () => ({
      ...Object.fromEntries(
        processes.map(([name, all]) => [name, all.reduce((sum, { pid }) => sum + cpuTimeMs(pid ?? 0), 0)]),
      ),
      PostgreSQL: serverCpuTimeMs(server),
    }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Calls the replicas in turn. */
function callerOf(replicas: readonly ServiceProcess[], token: string) {
  const turns = replicas.map(({ port }) => `http://127.0.0.1:${port}/blog/api/v1/owner`);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async function call<Answer>(path: string, body: object): Promise<Answer> {
    const base = turns.shift() ?? '';
    turns.push(base);
    const answer = await request(`${base}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode === 429) {
      await pause(ASK_AGAIN_AFTER_MS);
      return call(path, body);
    }
    if (answer.statusCode >= 300) throw new Error(`POST ${path}: ${answer.statusCode} ${text.slice(0, 200)}`);
    return JSON.parse(text) as Answer;
  };
}
