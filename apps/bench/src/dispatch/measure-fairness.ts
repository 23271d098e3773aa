import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../percentiles.ts';
import { row, tableHead } from '../publish/table.ts';
import { verdict } from '../read/ratio-table.ts';
import { atRate } from './at-rate.ts';
import { makePosts, servedEnvelopes } from './posts.ts';
import type { BenchProject, DispatchSetUp } from './start-dispatcher.ts';

const RATE = 50;
const OTHERS = 5;
const WARM_UP_EVENTS = 150;
/** Longer than it takes a silent receiver's attempts to time out. */
const EVENTS = 2_000;
const SILENT_RECEIVERS = 20;
const SILENT_POSTS = 40;

const HOOK_RATE = 5;
const SITES = 20;
const HOOK_EVENTS = 200;
const HOSTILE_SITES = 20;

const SILENT_MS = 3_600_000;
const TIMEOUT_MS = 60_000;
const NEED_OF_ALONE = 1.5;

/** What a project with 20 silent receivers and 800 deliveries costs other projects. */
export async function measureFairness(setUp: DispatchSetUp): Promise<void> {
  const hostile = await setUp.addProject(SILENT_RECEIVERS);
  const others: BenchProject[] = [];
  for (let added = 0; added < OTHERS; added += 1) others.push(await setUp.addProject(1));
  const measure = () => deliveriesOf(setUp, others);
  const alone = await measure();
  await silence(setUp, [hostile]);
  const posts = makePosts(SILENT_POSTS, { id: hostile.id, trigger: 'autopilot' });
  await setUp.eventLog.append(posts.flatMap((post) => [post.envelope, ...servedEnvelopes([post])]));
  const beside = await measure();
  console.log(`\n${RATE} events/s of ${OTHERS} projects with a receiver each: event appended → first byte`);
  report({
    alone,
    beside,
    whom: `a project with ${SILENT_RECEIVERS} silent receivers, ${SILENT_RECEIVERS * SILENT_POSTS} due`,
  });
}

/** What an account with 20 hanging deploy hooks costs another one. */
export async function measureHookFairness(setUp: DispatchSetUp): Promise<void> {
  const [hostileAccount, account] = [randomUUID(), randomUUID()];
  const sitesOf = async (accountId: string, count: number) => {
    const sites: BenchProject[] = [];
    for (let added = 0; added < count; added += 1) sites.push(await setUp.addSite(accountId));
    return sites;
  };
  const sites = await sitesOf(account, SITES);
  const hostile = await sitesOf(hostileAccount, HOSTILE_SITES);
  const alone = await hooksOf(setUp, sites);
  await silence(setUp, hostile);
  for (const { id } of hostile) {
    const posts = makePosts(1, { id, trigger: 'manual' });
    await setUp.eventLog.append([...posts.map(({ envelope }) => envelope), ...servedEnvelopes(posts)]);
  }
  const beside = await hooksOf(setUp, sites);
  console.log(
    `\n${HOOK_RATE} changes/s of ${SITES} projects of one account: event appended → first byte of the deploy hook`,
  );
  report({ alone, beside, whom: `an account with ${HOSTILE_SITES} hanging deploy hooks` });
}

function report({ alone, beside, whom }: { alone: readonly number[]; beside: readonly number[]; whom: string }): void {
  const ratio = percentile(beside, 99) / percentile(alone, 99);
  const need = `p99 × ${ratio.toFixed(2)}, need ≤ ${NEED_OF_ALONE.toFixed(2)}  ${verdict(ratio <= NEED_OF_ALONE)}`;
  console.log(tableHead);
  console.log(row('by themselves', alone));
  console.log(`${row(`beside ${whom}`, beside)}  ${need}`);
}

async function silence(setUp: DispatchSetUp, projects: readonly BenchProject[]): Promise<void> {
  for (const { firstReceiver, urls } of projects) {
    for (const place of urls.keys()) {
      await setUp.askReceivers({ kind: 'hang', receiver: firstReceiver + place, forMs: SILENT_MS });
    }
  }
}

/** One delivery for each event, projects in turns. */
async function deliveriesOf(setUp: DispatchSetUp, projects: readonly BenchProject[]): Promise<number[]> {
  await setUp.askReceivers({ kind: 'forget' });
  const posts = inTurns(projects, WARM_UP_EVENTS + EVENTS);
  const appended = new Map<string, number>();
  await atRate(RATE, posts, async (post) => {
    appended.set(post.event.blog_id, now());
    await setUp.eventLog.append([post.envelope, ...servedEnvelopes([post])]);
  });
  const measured = new Set(posts.slice(WARM_UP_EVENTS).map(({ event }) => event.blog_id));
  for (const deadline = Date.now() + TIMEOUT_MS; ; await pause(200)) {
    const latencies = (await setUp.arrivals(0, TIMEOUT_MS))
      .filter(({ blogId }) => measured.has(blogId))
      .map(({ blogId, at }) => at - (appended.get(blogId) ?? Number.NaN));
    if (latencies.length >= measured.size) return latencies;
    if (Date.now() > deadline) throw new Error(`${latencies.length} of ${measured.size} deliveries arrived.`);
  }
}

/** From each change to the next request after it: changes of a project that come together are one. */
async function hooksOf(setUp: DispatchSetUp, sites: readonly BenchProject[]): Promise<number[]> {
  await setUp.askReceivers({ kind: 'forget' });
  const posts = inTurns(sites, HOOK_EVENTS);
  const receiverOf = new Map(sites.map(({ id, firstReceiver }) => [id, firstReceiver]));
  const changes = await atRate(HOOK_RATE, posts, async (post) => {
    const change = { receiver: receiverOf.get(post.event.project_id) ?? -1, at: now() };
    await setUp.eventLog.append([post.envelope, ...servedEnvelopes([post])]);
    return change;
  });
  for (const deadline = Date.now() + TIMEOUT_MS; ; await pause(200)) {
    const arrivals = await setUp.arrivals(0, TIMEOUT_MS);
    const latencies = changes.flatMap(({ receiver, at }) => {
      const next = arrivals.find((arrival) => arrival.receiver === receiver && arrival.at >= at);
      return next === undefined ? [] : [next.at - at];
    });
    if (latencies.length === changes.length) return latencies;
    if (Date.now() > deadline) throw new Error(`${latencies.length} of ${changes.length} changes were told of.`);
  }
}

function inTurns(projects: readonly BenchProject[], count: number) {
  return Array.from({ length: count }, (_, index) => projects[index % projects.length]).flatMap((project) =>
    makePosts(1, { id: project?.id ?? '', trigger: 'manual' }),
  );
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
