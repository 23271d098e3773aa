import { randomUUID } from 'node:crypto';
import type { ClaimedDelivery, LeasedDelivery } from '../src/queue/claim-statements.ts';
import type { AttemptRecord } from '../src/queue/result-statements.ts';
import { startWorker, type Worker, type WorkerOptions } from '../src/attempt/delivery-worker.ts';
import { servedEvent, testBlog } from './events.ts';
import { openTestQueue, type TestQueue } from './queue.ts';
import { recordingLogger } from './recording-logger.ts';

/** Workers on a queue of the file's own, which is empty before each test; they are stopped after it. */
export function prepareWorkers() {
  let queue: TestQueue;
  const workers: Worker[] = [];
  beforeAll(async () => {
    queue = await openTestQueue();
  });
  beforeEach(async () => {
    await queue.clear();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop(0)));
  });
  afterAll(async () => {
    await queue[Symbol.asyncDispose]();
  });

  const { logger, lines } = recordingLogger();
  return {
    /** The queue, once it is open. */
    queueOf: () => queue,
    logger,
    /** What the workers have logged. */
    lines,
    start: (
      attempt: (...delivery: Parameters<WorkerOptions['deliver']>) => Promise<unknown>,
      options: Partial<WorkerOptions> = {},
    ): Worker => {
      const deliver: WorkerOptions['deliver'] = (claimed, lease) => attempt(claimed, lease).then(() => undefined);
      const sizes = { concurrency: 16, perProject: 16, perIntegration: 8, leaseMs: 10_000, pollIntervalMs: 50 };
      const others = {
        budget: { freeSlots: () => new Map() },
        endUnsendable: () => Promise.reject(new Error('none is')),
      };
      const worker = startWorker({ store: queue.deliveries, deliver, logger, ...others, ...sizes, ...options });
      workers.push(worker);
      return worker;
    },
    /** Records a delivery as succeeded. */
    record: async (claimed: ClaimedDelivery): Promise<void> => {
      await queue.deliveries.record(claimed, successOf(claimed));
    },
    /** Plans a post each for one integration of a new project; answers with what acknowledges them. */
    planMany: async (count: number, servedWaitMs = 0, triggers: readonly ('manual' | 'autopilot')[] = ['manual']) => {
      const projectId = randomUUID();
      await queue.addIntegration(projectId);
      const events = Array.from({ length: count }, (_, index) => {
        const trigger = triggers[index % triggers.length] ?? 'manual';
        return testBlog(projectId).published({ trigger });
      });
      await queue.plans.plan(events, { servedWaitMs });
      return events.map((event) => servedEvent(event).data);
    },
    /** How many deliveries have not ended. */
    countUnfinished: async (): Promise<number | undefined> => {
      const rows = await queue.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM delivery WHERE finished_at IS NULL`,
      );
      return rows[0]?.count;
    },
  };
}

/** What is recorded of a delivery that its receiver took. */
export const successOf = (claimed: LeasedDelivery): AttemptRecord => ({
  verdict: { kind: 'succeeded' },
  event: claimed.event,
  endedAt: new Date(),
  statusCode: 200,
  liveUrl: null,
  externalId: null,
  leavesSlug: 'tea-and-coffee',
  exchange: null,
});
