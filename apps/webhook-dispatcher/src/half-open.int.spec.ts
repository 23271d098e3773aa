import { randomUUID } from 'node:crypto';
import { eventually, type Receiver, type SilentRelay, startReceiver, startSilentRelay } from '@blog-content/testing';
import { servedEvent, testBlog } from '../test/events.ts';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../test/running-dispatcher.ts';

/** Longer than any time-out there is. */
const PATIENCE = { timeoutMs: 40_000 };
const owner = randomUUID();
let ground: TestGround;
let relay: SilentRelay;
let dispatcher: RunningDispatcher;
let receiver: Receiver;
beforeAll(async () => {
  ground = await prepareTestGround();
  relay = await startSilentRelay(ground.env['DATABASE_URL'] ?? '');
  dispatcher = await runDispatcher(ground, { env: { DATABASE_URL: relay.url, DEPLOY_HOOK_QUIET_MS: '10' } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await dispatcher[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
});

it('when all connections to the database fall silent, deliveries and deploy hooks continue over new ones', async () => {
  const projectId = randomUUID();
  await addProject(ground, dispatcher, projectId, owner);
  const { url } = receiver;
  await dispatcher.call('POST', `/projects/${projectId}/webhooks`, owner, { url });
  await dispatcher.call('PUT', `/projects/${projectId}/deploy-hook`, owner, { url: `${url}/built` });
  const publish = async () => {
    const event = testBlog(projectId).published();
    await ground.append(event, servedEvent(event));
    return event;
  };
  const succeeded = async (eventId: string) => {
    const sql = `SELECT 1 FROM delivery WHERE lifecycle_event_id = $1 AND status = 'succeeded'`;
    expect(await ground.query(sql, [eventId])).toHaveLength(1);
  };
  const hooks = () => receiver.requests.filter(({ path }) => path.endsWith('/built')).length;

  const before = await publish();
  await eventually(() => succeeded(before.id));
  await eventually(() => hooks() === 1);

  relay.silence();
  const after = await publish();
  await receiver.waitFor((request) => request.method === 'POST' && request.body.includes(after.data.blog_id), 40_000);
  await eventually(() => succeeded(after.id), PATIENCE);
  await eventually(() => hooks() === 2, PATIENCE);
  for (const check of Object.values(dispatcher.checks)) await check();
  await eventually(() => dispatcher.lines.some(({ event }) => event === 'database.listen_lost'), PATIENCE);
});
