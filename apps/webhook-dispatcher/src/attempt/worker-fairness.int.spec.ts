import { randomUUID } from 'node:crypto';
import { eventually } from '@blog-content/testing';
import { UNLIMITED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { createBodyBudget } from '../concurrency/slots.ts';
import type { ClaimOptions } from '../queue/claim-store.ts';
import type { ClaimedDelivery } from '../queue/claim-statements.ts';
import type { WorkerOptions } from './delivery-worker.ts';
import { prepareWorkers } from '../../test/workers.ts';

const { queueOf, start, record, planMany, countUnfinished } = prepareWorkers();

describe('projects beside each other', () => {
  /** Delivers, but never ends an attempt for one of these projects before the test does. */
  const startBeside = (silentProjects: readonly string[], options: Partial<WorkerOptions>) => {
    const hanging: ClaimedDelivery[] = [];
    const delivered: string[] = [];
    const over = new AbortController();
    const worker = start(async (claimed) => {
      if (silentProjects.includes(claimed.projectId)) {
        hanging.push(claimed);
        if (!over.signal.aborted) await new Promise((resolve) => over.signal.addEventListener('abort', resolve));
      } else delivered.push(claimed.projectId);
      await record(claimed);
    }, options);
    return { hanging, delivered, worker, end: () => over.abort() };
  };
  const planFor = async (projectId: string, receivers: number, posts: number) => {
    for (let added = 0; added < receivers; added += 1) await queueOf().addIntegration(projectId);
    const events = Array.from({ length: posts }, () => testBlog(projectId).published());
    await queueOf().plans.plan(events, { servedWaitMs: 0 });
  };

  it('a project whose receivers say nothing fills no more than its slots, and another’s delivery goes while none of its has ended', async () => {
    const [hostile, other] = [randomUUID(), randomUUID()];
    await planFor(hostile, 20, 10);
    const never = { slowAfterMs: 3_600_000 };
    const { hanging, delivered, end } = startBeside([hostile], { concurrency: 16, perProject: 4, ...never });
    await eventually(() => hanging.length === 4);
    await planFor(other, 2, 3);
    await eventually(() => delivered.length === 6);
    expect(hanging).toHaveLength(4);
    end();
  });

  it('an attempt that takes long gives its slot back, and as many again of its project go at most', async () => {
    const [hostile, other] = [randomUUID(), randomUUID()];
    await planFor(hostile, 20, 1);
    const { hanging, delivered, worker, end } = startBeside([hostile], {
      concurrency: 2,
      perProject: 2,
      slowAfterMs: 100,
      pollIntervalMs: 60_000,
    });
    await eventually(() => hanging.length === 4 && worker.countSlow() === 4);
    await planFor(other, 1, 3);
    worker.wake();
    await eventually(() => delivered.length === 3);
    expect(hanging).toHaveLength(4);
    end();
  });

  it('a slot that becomes free goes to the project with the fewest running attempts', async () => {
    const [hostile, other] = [randomUUID(), randomUUID()];
    await planFor(hostile, 20, 1);
    const { hanging, delivered, worker, end } = startBeside([hostile], { concurrency: 4, perProject: 3 });
    await eventually(() => hanging.length === 3);
    worker.stopClaiming();
    await planFor(other, 1, 1);
    const projects = new Map([[hostile, { running: 3, free: 3 }]]);
    const [next] = (await queueOf().deliveries.claim({ ...UNLIMITED, limit: 1, projects })).deliveries;
    expect(next?.projectId).toBe(other);
    expect(delivered).toEqual([]);
    end();
  });
});

describe('bodies that find no room', () => {
  it('are given back once, and from then on their project is claimed from as far as there is room', async () => {
    const MIB = 1024 * 1024;
    const budget = createBodyBudget({ inAll: 100 * MIB, perProject: 9 * MIB });
    const attempts: PromiseWithResolvers<void>[] = [];
    const claims: number[] = [];
    let givenBack = 0;
    const claim = async (options: ClaimOptions) => {
      const claimed = await queueOf().deliveries.claim(options);
      claims.push(claimed.deliveries.length);
      return claimed;
    };
    await planMany(14);
    const worker = start(
      async (claimed, { interrupted }) => {
        const bytes = budget.take(claimed.projectId, MIB);
        if (bytes === null) {
          givenBack += 1;
          await queueOf().deliveries.release(claimed);
          return;
        }
        const attempt = Promise.withResolvers<void>();
        attempts.push(attempt);
        interrupted.addEventListener('abort', () => attempt.resolve());
        await attempt.promise;
        bytes.release();
        await record(claimed);
      },
      { budget, perIntegration: 16, store: { ...queueOf().deliveries, claim } },
    );
    await eventually(() => givenBack === 10 && worker.countRunning() === 4);
    const before = claims.length;
    await eventually(() => claims.length > before + 5);
    expect(attempts).toHaveLength(4);
    for (let ended = 0; ended < 14; ended += 1) {
      await eventually(() => attempts.length > ended);
      attempts[ended]?.resolve();
    }
    await eventually(async () => expect(await countUnfinished()).toBe(0));
    expect(givenBack).toBe(10);
    expect(await queueOf().query('SELECT DISTINCT attempts FROM delivery')).toEqual([{ attempts: 1 }]);
  });
});
