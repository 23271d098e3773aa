import { randomUUID } from 'node:crypto';
import { attemptsOn, FAILED } from '../../test/attempts.ts';
import { testBlog } from '../../test/events.ts';
import { openTestQueue, type TestQueue } from '../../test/queue.ts';

let queue: TestQueue;
beforeAll(async () => {
  queue = await openTestQueue();
});
beforeEach(() => queue.clear());
afterAll(() => queue[Symbol.asyncDispose]());

const { plan, claim, record } = attemptsOn(() => queue);

const RECEIVERS = 20;
const CLIENTS = 8;
const POSTS = 12;

/**
 * SQLSTATEs of statements that PostgreSQL refused: `40P01` is a deadlock, which always costs one side its transaction.
 */
const refusalsOf = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work)).flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as { code?: string }).code ?? String(result.reason)] : [],
  );

it('publishing beside failing receivers makes no deadlock: all transactions lock receivers in one order', async () => {
  const project = randomUUID();
  for (let receiver = 0; receiver < RECEIVERS; receiver += 1) await queue.addIntegration(project);
  const publishing = Array.from({ length: CLIENTS }, async () => {
    for (let post = 0; post < POSTS; post += 1) await plan(testBlog(project).published({ trigger: 'autopilot' }));
  });
  let arePublishing = true;
  const published = Promise.allSettled(publishing).then(() => {
    arePublishing = false;
  });
  // Two dispatchers: each records what ends together by one statement.
  const failing = [queue.deliveries, queue.otherReplica()].map(async (deliveries) => {
    for (;;) {
      const isLast = !arePublishing;
      const claimed = await claim();
      await Promise.all(
        claimed.map((held) =>
          deliveries.record(held, {
            verdict: FAILED,
            event: 'blog.published',
            endedAt: new Date(),
            statusCode: 401,
            liveUrl: null,
            externalId: null,
            leavesSlug: 'tea-and-coffee',
            exchange: null,
          }),
        ),
      );
      if (isLast && claimed.length === 0) return;
    }
  });
  expect(await refusalsOf([...publishing, ...failing, published])).toEqual([]);
  expect(await queue.query(`SELECT status, count(*)::int FROM delivery GROUP BY status`)).toEqual([
    { status: 'failed', count: RECEIVERS * CLIENTS * POSTS },
  ]);
});

it('deleting a project beside its failing receivers makes no deadlock', async () => {
  for (let round = 0; round < 5; round += 1) {
    const project = randomUUID();
    for (let receiver = 0; receiver < RECEIVERS; receiver += 1) await queue.addIntegration(project);
    await plan(...Array.from({ length: 5 }, () => testBlog(project).published({ trigger: 'autopilot' })));
    const claimed = await claim({ limit: 50 });
    const deletion = { event: 'project.deleted' as const, project_id: project, project_event_number: 2 };
    const ends = claimed.toReversed().map((held) => record(held, FAILED));
    const deleted = queue.projects.apply([deletion]).then(queue.clearRetired);
    expect(await refusalsOf([...ends, deleted])).toEqual([]);
  }
  expect(await queue.query(`SELECT DISTINCT status FROM delivery`)).toEqual([{ status: 'failed' }]);
});
