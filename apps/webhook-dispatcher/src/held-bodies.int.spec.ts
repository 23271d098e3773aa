import { randomUUID } from 'node:crypto';
import { eventually, type Receiver, type ReceiverAnswer, startReceiver } from '@blog-content/testing';
import { servedEvent, testBlog } from '../test/events.ts';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../test/running-dispatcher.ts';
import { MAX_HELD_BYTES_OF_PROJECT } from './concurrency/slots.ts';
import { MAX_ANSWER_BYTES } from './http/exchange.ts';

const POSTS = 40;
const CHARACTERS = 490_000;

const owner = randomUUID();
const answer = Promise.withResolvers<ReceiverAnswer>();
let ground: TestGround;
let dispatcher: RunningDispatcher;
let slow: Receiver;
let quick: Receiver;
beforeAll(async () => {
  ground = await prepareTestGround();
  dispatcher = await runDispatcher(ground, {
    env: { DELIVERY_CONCURRENCY_PER_RECEIVER: '200', DELIVERY_TIMEOUT_MS: '600000' },
  });
  slow = await startReceiver({ respond: () => answer.promise });
  quick = await startReceiver();
});
afterAll(async () => {
  answer.resolve({});
  await dispatcher[Symbol.asyncDispose]();
  await slow.close();
  await quick.close();
  await ground[Symbol.asyncDispose]();
});

const newProject = async ({ url }: Receiver) => {
  const projectId = randomUUID();
  await addProject(ground, dispatcher, projectId, owner);
  const created = await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, { url });
  expect(created.status).toBe(201);
  return projectId;
};
const heldBytes = async () => Number(/^webhook_delivery_held_bytes\S* (\d+)$/m.exec(await dispatcher.metrics())?.[1]);

it('one project’s large posts to a slow receiver are sent as far as its share of memory goes, another’s delivery is made meanwhile, and all arrive in the end, each by one attempt', async () => {
  const [hostile, other] = [await newProject(slow), await newProject(quick)];
  const large = Array.from({ length: POSTS }, (_, index) =>
    testBlog(hostile).published({ revision: { content: `<p>${index} ${'x'.repeat(CHARACTERS)}</p>` } }),
  );
  for (const event of large) await ground.append(event, servedEvent(event));
  const [first] = [await slow.waitFor(() => true)];
  const bytesOfOne = 2 * first.body.byteLength + MAX_ANSWER_BYTES;
  const most = Math.floor(MAX_HELD_BYTES_OF_PROJECT / bytesOfOne);
  expect(most).toBeLessThan(POSTS);
  await eventually(() => slow.requests.length >= most);

  const small = testBlog(other).published();
  await ground.append(small, servedEvent(small));
  expect(await ground.finished(small.id)).toMatchObject([{ outcome: 'succeeded', attempts: 1 }]);
  expect(slow.requests).toHaveLength(most);
  expect(await heldBytes()).toBeGreaterThan((most - 1) * bytesOfOne);
  expect(await heldBytes()).toBeLessThanOrEqual(MAX_HELD_BYTES_OF_PROJECT);

  answer.resolve({});
  for (const event of large) {
    expect(await ground.finished(event.id)).toMatchObject([{ outcome: 'succeeded', attempts: 1 }]);
  }
  expect(slow.requests).toHaveLength(POSTS);
  expect(await heldBytes()).toBe(0);
});
