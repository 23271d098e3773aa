import { verdict } from '../read/ratio-table.ts';
import { makePosts, servedEnvelopes } from './posts.ts';
import type { DispatchSetUp } from './start-dispatcher.ts';

const POSTS = 500;
const RECEIVERS = 10;
/** Of the 5,000: how many have arrived when the service is killed. */
const KILLED_AFTER = 1_500;
const NEED_RESUMED_MS = 3_000;
const TIMEOUT_MS = 90_000;

/** Kills the service in a burst: what is lost, and how long after its start again the next delivery arrives. */
export async function measureRestart(setUp: DispatchSetUp): Promise<void> {
  const project = await setUp.addProject(RECEIVERS);
  await setUp.askReceivers({ kind: 'forget' });
  const posts = makePosts(POSTS, { id: project.id, trigger: 'autopilot' });
  await setUp.eventLog.append(posts.map(({ envelope }) => envelope));
  await setUp.eventLog.append(servedEnvelopes(posts));
  await setUp.arrivals(KILLED_AFTER, TIMEOUT_MS);
  await setUp.dispatcher.kill();
  const before = await setUp.askReceivers<number>({ kind: 'count' });
  const startedAt = Date.now();
  await setUp.startAgain();
  const { at: resumedAt = Number.NaN } = (await setUp.arrivals(before + 1, TIMEOUT_MS))[before] ?? {};
  const ended = await setUp.allEnded(TIMEOUT_MS);
  const arrivals = await setUp.arrivals(POSTS * RECEIVERS, TIMEOUT_MS);
  const arrived = new Set(arrivals.map(({ receiver, blogId }) => `${receiver} ${blogId}`)).size;

  const resumedMs = resumedAt - startedAt;
  const isMet = arrived === POSTS * RECEIVERS && resumedMs <= NEED_RESUMED_MS;
  console.log(`\nSIGKILL after ${before} of ${POSTS * RECEIVERS} autopilot deliveries`);
  console.log(
    `started again → next delivery arrived: ${(resumedMs / 1_000).toFixed(1)} s, need ≤ ${NEED_RESUMED_MS / 1_000} s; ` +
      `lost: ${POSTS * RECEIVERS - arrived}; arrived twice: ${arrivals.length - arrived}; ` +
      `ended: ${JSON.stringify(ended)}  ${verdict(isMet)}`,
  );
}
