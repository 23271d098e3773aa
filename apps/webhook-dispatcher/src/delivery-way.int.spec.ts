import { randomUUID } from 'node:crypto';
import { Session } from 'node:inspector/promises';
import { startReceiver } from '@blog-content/testing';
import { servedEvent, testBlog } from '../test/events.ts';
import { addProject, prepareTestGround, runDispatcher } from '../test/running-dispatcher.ts';

/** Most source files that an event goes through, from the event log to the stored result of its delivery. */
const MAX_FILES = 22;
/** Other kinds of jobs hear the same event, and claim their own. */
const OTHER_KINDS = /^(?:(?:deploy-hooks|index-now|link-healing)\/|database\/busy-accounts-store\.ts)/;
/** What timers start is not on the way of each delivery. */
const DELIVERIES = 3;

it('takes an event from the event log to its recorded delivery through at most 22 source files', async () => {
  await using ground = await prepareTestGround();
  await using dispatcher = await runDispatcher(ground);
  const receiver = await startReceiver();
  const session = new Session();
  session.connect();
  try {
    const [owner, projectId] = [randomUUID(), randomUUID()];
    await addProject(ground, dispatcher, projectId, owner);
    const created = await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, {
      url: receiver.url,
      secret: 'a secret of some length',
    });
    expect(created.status).toBe(201);
    const deliver = async () => {
      const event = testBlog(projectId).published();
      await ground.append(event, servedEvent(event));
      expect(await ground.finished(event.id)).toMatchObject([{ outcome: 'succeeded' }]);
    };
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const entered = async (): Promise<Set<string>> => {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const files = result.flatMap(({ url, functions }) => {
        const file = /webhook-dispatcher\/src\/((?!generated\/).+(?<!\.spec)\.ts)$/.exec(url)?.[1];
        const isEntered = functions.some(({ ranges }) => ranges.some(({ count }) => count > 0));
        return file !== undefined && isEntered && !OTHER_KINDS.test(file) ? [file] : [];
      });
      return new Set(files);
    };
    // What only a first delivery needs is no part of the way.
    await deliver();
    await entered();
    const ways: Set<string>[] = [];
    while (ways.length < DELIVERIES) {
      await deliver();
      ways.push(await entered());
    }
    expect(receiver.requests).toHaveLength(1 + DELIVERIES);
    const way = [...(ways[0] ?? [])].filter((file) => ways.every((files) => files.has(file))).sort();
    expect(way).toEqual(expect.arrayContaining(['consume.ts', 'http/send-webhook.ts', 'queue/record-store.ts']));
    // Where there are more, the message names them.
    expect(way.length > MAX_FILES ? way : []).toEqual([]);
  } finally {
    session.disconnect();
    await receiver.close();
  }
});
