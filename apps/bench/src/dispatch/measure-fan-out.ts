import { randomUUID } from 'node:crypto';
import { signatureHeaders } from '@blog-content/signing';
import { startChild } from '../processes/child.ts';
import type { Cores } from '../processes/cores.ts';
import { cpuTimeMs } from '../processes/process-usage.ts';
import { reuseWal } from '../processes/reuse-wal.ts';
import { percentile } from '../percentiles.ts';
import { verdict } from '../read/ratio-table.ts';
import type { BareLoop, SignedRequest } from './bare-loop.ts';
import { makePosts, servedEnvelopes, type PublishedPost } from './posts.ts';
import { SECRET, type DispatchSetUp } from './start-dispatcher.ts';

const POSTS = 500;
const RECEIVERS = 10;
/** A dispatcher runs for weeks; its code is compiled while it does. */
const WARM_UP_BURSTS = 6;
/** Concurrent requests of the bare loop. */
const CONCURRENCY = 64;
const NEED_OF_UNDICI = 0.22;
const TIMEOUT_MS = 60_000;

/**
 * Deliveries a second of a burst, against a loop that posts the same signed bodies to the same receivers. The need is
 * one of autopilot deliveries, which share connections as the loop does; manual ones, a connection each, are measured
 * beside them.
 */
export async function measureFanOut(
  setUp: DispatchSetUp,
  { cores, rounds }: { cores: Cores | null; rounds: number },
): Promise<void> {
  await reuseWal(setUp.databaseUrl('postgres'));
  const project = await setUp.addProject(RECEIVERS);
  for (let burst = 1; burst <= WARM_UP_BURSTS; burst += 1) {
    await deliverAll(setUp, makePosts(POSTS, { id: project.id, trigger: 'autopilot' }));
  }

  const rates = new Map<string, number[]>();
  const note = (name: string, perSecond: number) => rates.set(name, [...(rates.get(name) ?? []), perSecond]);
  for (let round = 1; round <= rounds; round += 1) {
    const manual = await deliverAll(setUp, makePosts(POSTS, { id: project.id, trigger: 'manual' }));
    note('manual', (POSTS * RECEIVERS) / manual.arrivedS);
    const posts = makePosts(POSTS, { id: project.id, trigger: 'autopilot' });
    const busyBefore = cpuTimeMs(setUp.dispatcher.pid);
    const { arrivedS, recordedS } = await deliverAll(setUp, posts);
    const cpuMs = cpuTimeMs(setUp.dispatcher.pid) - busyBefore;
    note('busy', cpuMs / 10 / recordedS);
    note('cost', (1_000 * cpuMs) / (POSTS * RECEIVERS));
    note('product', (POSTS * RECEIVERS) / arrivedS);
    note('recorded', (POSTS * RECEIVERS) / recordedS);
    const requests = posts.flatMap((post) => project.urls.map((url) => signedRequest(post, url)));
    note('undici', requests.length / (await runLoop(requests, cores)));
  }

  const median = (name: string) => percentile(rates.get(name) ?? [], 50);
  const undici = median('undici');
  const line = (name: string, perSecond: number, more = '') =>
    console.log(
      `${name.padEnd(52)}${perSecond.toFixed(0).padStart(8)}${(perSecond / undici).toFixed(2).padStart(9)}${more}`,
    );
  console.log(
    `\nfan-out of ${POSTS} posts to ${RECEIVERS} receivers, bodies of 10 kB, ${rounds} rounds in turns, medians`,
  );
  console.log(`${''.padEnd(52)}${'/s'.padStart(8)}${'of undici'.padStart(11)}`);
  line('bare undici loop', undici);
  const ratio = median('product') / undici;
  const need = `  need ≥ ${NEED_OF_UNDICI.toFixed(2)}  ${verdict(ratio >= NEED_OF_UNDICI)}`;
  line('autopilot deliveries: appended → last arrived', median('product'), need);
  line('autopilot deliveries: appended → last recorded', median('recorded'));
  line('manual deliveries: appended → last arrived', median('manual'));
  const share = `${median('busy').toFixed(0)} % of its core (${median('cost').toFixed(0)} µs an autopilot delivery)`;
  console.log(`The service took ${share}, its PostgreSQL what was left.`);
  const { rows } = await setUp.dispatcherDatabase.query<{ server_version: string }>('SHOW server_version');
  console.log(`PostgreSQL ${rows[0]?.server_version ?? ''}`);
}

/**
 * Publishes the posts and serves them at the same time. Gives the seconds until the last delivery arrived and until it
 * was recorded.
 */
async function deliverAll(
  setUp: DispatchSetUp,
  posts: readonly PublishedPost[],
): Promise<{ arrivedS: number; recordedS: number }> {
  await setUp.askReceivers({ kind: 'forget' });
  await setUp.eventLog.append(posts.map(({ envelope }) => envelope));
  const startedAt = Date.now();
  await setUp.eventLog.append(servedEnvelopes(posts));
  const arrivals = await setUp.arrivals(posts.length * RECEIVERS, TIMEOUT_MS);
  await setUp.allEnded(TIMEOUT_MS);
  const { rows } = await setUp.dispatcherDatabase.query<{ last: Date }>(
    'SELECT max(finished_at) AS last FROM delivery',
  );
  const lastArrivedAt = arrivals.reduce((last, { at }) => Math.max(last, at), 0);
  return {
    arrivedS: (lastArrivedAt - startedAt) / 1_000,
    recordedS: ((rows[0]?.last.getTime() ?? Number.NaN) - startedAt) / 1_000,
  };
}

async function runLoop(requests: readonly SignedRequest[], cores: Cores | null): Promise<number> {
  const child = startChild(import.meta.resolve('./bare-loop.main.ts'), cores?.server);
  try {
    const ask = () => child.ask<number>({ concurrency: CONCURRENCY, requests } satisfies BareLoop);
    await ask();
    return await ask();
  } finally {
    await child.stop();
  }
}

/** What the dispatcher sends for a post, near enough: the same fields, made and signed beforehand. */
function signedRequest({ event }: PublishedPost, url: string): SignedRequest {
  const { revision } = event;
  const body = Buffer.from(
    JSON.stringify({
      event: 'blog.published',
      blog_id: event.blog_id,
      ...revision,
      excerpt_short: revision.excerpt,
      published_at: event.published_at,
      images: [],
    }),
  );
  return {
    url,
    body,
    headers: {
      'user-agent': 'bench',
      accept: 'application/json',
      'x-webhook-delivery': randomUUID(),
      'content-type': 'application/json',
      ...signatureHeaders(body, SECRET, { legacy: true }),
    },
  };
}
