import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../percentiles.ts';
import { row, tableHead } from '../publish/table.ts';
import { verdict } from '../read/ratio-table.ts';
import { atRate } from './at-rate.ts';
import { makePosts, servedEnvelopes } from './posts.ts';
import type { BenchProject, DispatchSetUp } from './start-dispatcher.ts';

const RATE = 50;
const RECEIVERS = 10;
const EVENTS = 750;
const WARM_UP_EVENTS = 150;
const HANG_MS = 30_000;
const ROUNDS = 2;
const NEED_OF_HEALTHY = 1.5;
const TIMEOUT_MS = 30_000;

/** What one of ten receivers that hangs costs the nine others. */
export async function measureIsolation(setUp: DispatchSetUp): Promise<void> {
  const project = await setUp.addProject(RECEIVERS);
  const hanging = project.firstReceiver;
  const healthy: number[] = [];
  const beside: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    healthy.push(...(await latencies(setUp, project, hanging)));
    await setUp.askReceivers({ kind: 'hang', receiver: hanging, forMs: HANG_MS });
    beside.push(...(await latencies(setUp, project, hanging)));
    await setUp.askReceivers({ kind: 'hang', receiver: hanging, forMs: 0 });
    await setUp.allEnded(HANG_MS + TIMEOUT_MS);
  }

  const ratio = percentile(beside, 99) / percentile(healthy, 99);
  console.log(`\n${RATE} events/s to each of ${RECEIVERS} receivers: nine of them, event appended → first byte`);
  console.log(tableHead);
  console.log(row('all answer', healthy));
  const need = `p99 × ${ratio.toFixed(2)}, need ≤ ${NEED_OF_HEALTHY.toFixed(2)}  ${verdict(ratio <= NEED_OF_HEALTHY)}`;
  console.log(`${row(`the tenth hangs for ${HANG_MS / 1_000} s, each time`, beside)}  ${need}`);
}

async function latencies(setUp: DispatchSetUp, project: BenchProject, without: number): Promise<number[]> {
  await setUp.askReceivers({ kind: 'forget' });
  const posts = makePosts(EVENTS, { id: project.id, trigger: 'manual' });
  const appended = new Map<string, number>();
  await atRate(RATE, posts, async (post) => {
    const at = performance.timeOrigin + performance.now();
    await setUp.eventLog.append([post.envelope, ...servedEnvelopes([post])]);
    appended.set(post.event.blog_id, at);
  });
  const measured = new Set(posts.slice(WARM_UP_EVENTS).map(({ event }) => event.blog_id));
  const expected = measured.size * (RECEIVERS - 1);
  for (const deadline = Date.now() + TIMEOUT_MS; ; await pause(200)) {
    const arrivals = await setUp.arrivals(expected, TIMEOUT_MS);
    const found = arrivals
      .filter(({ receiver, blogId }) => receiver !== without && measured.has(blogId))
      .map(({ blogId, at }) => at - (appended.get(blogId) ?? Number.NaN));
    if (found.length >= expected) return found;
    if (Date.now() > deadline) throw new Error(`${found.length} of ${expected} deliveries arrived.`);
  }
}
