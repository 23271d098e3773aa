import { startKafka, startPostgres } from '@blog-content/local-infrastructure';
import { createLocalSettings, signIn, startLocalServices, whenProjectIsKnown } from '@blog-content/local-services';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBenchReceiver } from './bench-receiver.ts';
import { benchCost } from './cost/bench-cost.ts';
import { describeStages, readStages } from './read-stages.ts';
import { row, tableHead } from './table.ts';
import { watchVisibility } from './watch-visibility.ts';

const WARM_UP = 40;
const SECRET = 'bench-secret-0123456789abcdef';
const SETTLE_MS = 30_000;

/** Times are milliseconds on one clock: everything runs on this machine. */
interface Sample {
  readonly publishId: string;
  readonly calledAt: number;
  readonly acceptedAt: number;
  readonly visibleAt: number;
  readonly firstByteAt: number;
}

/**
 * Publishes posts at an even rate and prints how long each stage takes, for each event log; then what a publish costs
 * with the PostgreSQL one.
 */
export async function benchPublish(options: {
  publishes: number;
  rate: number;
  /** Of each service, where the cost is measured. */
  replicas: number;
  eventLogs: readonly ('postgres' | 'kafka')[];
  /** Only the parts whose names contain this. */
  only: string | undefined;
}): Promise<void> {
  console.log(
    `publish: ${options.publishes} publishes at ${options.rate}/s after ${WARM_UP} to warm up; ` +
      `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`,
  );
  const isWanted = (part: string) => part.includes(options.only ?? '');
  if (isWanted('latency')) for (const eventLog of options.eventLogs) await measure(eventLog, options);
  if (isWanted('cost') && options.eventLogs.includes('postgres')) await benchCost(options);
}

async function measure(eventLog: 'postgres' | 'kafka', options: { publishes: number; rate: number }): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-bench-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  console.error(`· ${eventLog}: starting the stack …`);
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  resources.defer(() => postgres.stop());
  const kafka = eventLog === 'kafka' ? await startKafka({ dataDir: join(folder, 'kafka') }) : null;
  if (kafka) resources.defer(() => kafka.stop());
  const settings = await createLocalSettings();
  const local = await startLocalServices({
    databaseUrl: (database) => postgres.url(database),
    databasePrefix: 'bench_',
    ...(kafka && { kafkaBrokers: kafka.brokers }),
    settings,
    logFolder: join(folder, 'logs'),
    imageFolder: join(folder, 'images'),
    environment: { all: { LOG_LEVEL: 'warn' } },
  });
  resources.defer(() => local.stop());
  const receiver = await startBenchReceiver();
  resources.defer(() => receiver.close());

  const owner = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  const { id: projectId } = await owner.post<{ id: string }>('projects', {
    name: 'Bench',
    site_url: 'https://site.example',
  });
  const { public_key: publicKey } = await whenProjectIsKnown(() =>
    owner.post<{ public_key: string }>(`projects/${projectId}/public-key`),
  );
  await whenProjectIsKnown(() => owner.post(`projects/${projectId}/webhooks`, { url: receiver.url, secret: SECRET }));

  const total = WARM_UP + options.publishes;
  console.error(`· ${eventLog}: writing ${total} posts …`);
  const blogs: { id: string; slug: string }[] = [];
  for (let index = 0; index < total; index += 1) {
    const slug = `post-${index}`;
    const content = bodyOf(index);
    blogs.push(await owner.post(`projects/${projectId}/blogs`, { title: `Post ${index}`, slug, content }));
  }

  console.error(`· ${eventLog}: publishing …`);
  const samples: Sample[] = [];
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  for (const [index, blog] of blogs.entries()) {
    const dueIn = startedAt + (index * 1000) / options.rate - performance.now();
    if (dueIn > 0) await new Promise((resolve) => setTimeout(resolve, dueIn));
    running.push(
      (async () => {
        const visible = watchVisibility({ origin: local.origin, publicKey, slug: blog.slug });
        const calledAt = now();
        const publish = await owner.post<{ id: string }>(`projects/${projectId}/blogs/${blog.id}/publish`);
        const acceptedAt = now();
        const [visibleAt, firstByteAt] = await Promise.all([visible, receiver.firstByteOf(blog.id, SETTLE_MS)]);
        if (index >= WARM_UP) samples.push({ publishId: publish.id, calledAt, acceptedAt, visibleAt, firstByteAt });
      })(),
    );
  }
  await Promise.all(running);
  const stages = await readStages(local.databaseUrls, samples);

  console.log(`\nEvent log: ${eventLog === 'kafka' ? `Apache Kafka (${kafka?.how ?? ''})` : 'PostgreSQL'}`);
  console.log(tableHead);
  console.log(
    row(
      'publish → visible on the read API',
      samples.map((s) => s.visibleAt - s.calledAt),
    ),
  );
  console.log(
    row(
      'publish → first byte at the receiver',
      samples.map((s) => s.firstByteAt - s.calledAt),
    ),
  );
  console.log(
    row(
      '  of these: the publish call, to its 202',
      samples.map((s) => s.acceptedAt - s.calledAt),
    ),
  );
  for (const { name, durationsMs } of describeStages(stages)) console.log(row(`  ${name}`, durationsMs));
}

/** About 10 kB of ordinary post with links to its neighbours. */
function bodyOf(index: number): string {
  const paragraph =
    '<p>Most of what a post says is plain text such as this, a few sentences long, with now and then a word set in <em>italics</em> and here a <a href="[INTERNAL:post-' +
    `${index === 0 ? 1 : index - 1}">link to another post</a> of the same project.</p>`;
  return `<h2>Post ${index}</h2>${paragraph.repeat(40)}`;
}

/** Milliseconds since the epoch with fractions, comparable with the databases' clocks on this machine. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
