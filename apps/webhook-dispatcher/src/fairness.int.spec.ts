import { randomUUID } from 'node:crypto';
import { eventually, type Receiver, startReceiver } from '@blog-content/testing';
import { servedEvent, testBlog } from '../test/events.ts';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../test/running-dispatcher.ts';

const owner = randomUUID();
let ground: TestGround;
let dispatcher: RunningDispatcher;
let silent: Receiver;
let quick: Receiver;
beforeAll(async () => {
  ground = await prepareTestGround();
  dispatcher = await runDispatcher(ground, {
    env: {
      DELIVERY_CONCURRENCY: '4',
      DELIVERY_CONCURRENCY_PER_PROJECT: '2',
      DEPLOY_HOOK_CONCURRENCY: '4',
      DEPLOY_HOOK_CONCURRENCY_PER_ACCOUNT: '2',
      DEPLOY_HOOK_QUIET_MS: '10',
      DELIVERY_TIMEOUT_MS: '600000',
      SHUTDOWN_TIMEOUT_MS: '500',
    },
  });
  silent = await startReceiver({ respond: () => ({ hang: true }) });
  quick = await startReceiver();
});
afterAll(async () => {
  await silent.close();
  await dispatcher[Symbol.asyncDispose]();
  await quick.close();
  await ground[Symbol.asyncDispose]();
});

const newProject = async (ownerId = owner) => {
  const projectId = randomUUID();
  await addProject(ground, dispatcher, projectId, ownerId);
  return projectId;
};
const post = async (projectId: string) => {
  const event = testBlog(projectId).published();
  await ground.append(event, servedEvent(event));
  return event;
};

it('one project’s silent receivers hold their slots, and another’s delivery is made while none of them has ended', async () => {
  const [hostile, other] = [await newProject(), await newProject()];
  const addReceiver = async (projectId: string, { url }: Receiver) => {
    const created = await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, { url });
    expect(created.status).toBe(201);
  };
  for (let receivers = 0; receivers < 5; receivers += 1) await addReceiver(hostile, silent);
  await addReceiver(other, quick);
  for (let posts = 0; posts < 4; posts += 1) await post(hostile);
  await eventually(() => silent.requests.length >= 2);
  const { id } = await post(other);
  expect(await ground.finished(id)).toMatchObject([{ outcome: 'succeeded' }]);
  expect(
    await ground.query(`SELECT 1 FROM delivery WHERE project_id = $1 AND finished_at IS NOT NULL`, [hostile]),
  ).toEqual([]);
});

it('one account’s hanging deploy hooks hold their slots, and another’s is requested while none of them has ended', async () => {
  const [hostileOwner, other] = [randomUUID(), await newProject()];
  const saveHook = async (projectId: string, ownerId: string, { url }: Receiver) => {
    const saved = await dispatcher.call('PUT', `/projects/${projectId}/deploy-hook`, ownerId, { url });
    expect(saved.status).toBeLessThan(300);
  };
  silent.clear();
  quick.clear();
  for (let hooks = 0; hooks < 8; hooks += 1) {
    const projectId = await newProject(hostileOwner);
    await saveHook(projectId, hostileOwner, silent);
    await post(projectId);
  }
  await saveHook(other, owner, quick);
  await eventually(() => silent.requests.length >= 2);
  await post(other);
  await quick.waitFor(({ path }) => path === '/hook', 30_000);
  expect(
    await ground.query(
      `SELECT 1 FROM deploy_hook_attempt a JOIN deploy_hook_request r ON r.id = a.request_id
    WHERE r.project_id <> $1 AND a.ended_at IS NOT NULL`,
      [other],
    ),
  ).toEqual([]);
});
