import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Receiver, startReceiver } from '@blog-content/testing';
import { servedEvent, testBlog } from '../../test/events.ts';
import { withRawServer } from '../../test/http-clients.ts';
import { startRelay } from '../../test/relay.ts';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../../test/running-dispatcher.ts';

const owner = randomUUID();
let ground: TestGround;
let dispatcher: RunningDispatcher;
let receiver: Receiver;
beforeAll(async () => {
  ground = await prepareTestGround();
  dispatcher = await runDispatcher(ground, { env: { DELIVERY_TIMEOUT_MS: '10000' } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await dispatcher[Symbol.asyncDispose]();
  await receiver.close();
  await ground[Symbol.asyncDispose]();
});

async function newProject(port: number) {
  const projectId = randomUUID();
  await addProject(ground, dispatcher, projectId, owner);
  const webhooks = `/projects/${projectId}/webhooks`;
  const url = `http://127.0.0.1:${port}/hook`;
  const created = await dispatcher.call<{ id: string }>('POST', webhooks, owner, { url });
  const publish = async (trigger: 'manual' | 'autopilot') => {
    const event = testBlog(projectId).published({ trigger });
    await ground.append(event, servedEvent(event));
    const [outcome] = await ground.finished(event.id);
    return outcome;
  };
  return { projectId, webhook: `${webhooks}/${created.body.id}`, publish };
}

it.each(['closing', 'silence'] as const)(
  'no manual publish is lost to a relay that forgets idle connections after 20 to 80 ms, by %s',
  async (by) => {
    let forgotten = 0;
    await using relay = await startRelay(receiver.port, {
      forgets: { afterMs: () => 20 + ((forgotten++ * 17) % 60), by },
    });
    const { publish } = await newProject(relay.port);
    for (let published = 0; published < 10; published += 1) {
      expect(await publish('manual')).toMatchObject({ outcome: 'succeeded', reason: null });
      await sleep(10 * published);
    }
    expect(relay.connections).toBe(10);
  },
);

it('a redelivery, Test Connection and Sample Payload have a connection of their own each', async () => {
  await using relay = await startRelay(receiver.port);
  const { projectId, webhook, publish } = await newProject(relay.port);
  const delivery = await publish('autopilot');
  await dispatcher.call('POST', `/projects/${projectId}/deliveries/${delivery?.delivery_id}/redeliver`, owner);
  await receiver.waitFor((request) => request.index === receiver.requests.length - 1);
  expect(await dispatcher.call('POST', `${webhook}/test`, owner)).toMatchObject({ body: { success: true } });
  expect(await dispatcher.call('POST', `${webhook}/sample`, owner)).toMatchObject({ body: { success: true } });
  const kinds = receiver.requests.slice(-4).map(({ headers }) => headers.connection);
  expect(kinds).toEqual(['keep-alive', 'close', 'close', 'close']);
  expect(relay.connections).toBe(4);
});

it('autopilot deliveries share a connection', async () => {
  await using relay = await startRelay(receiver.port);
  const { projectId } = await newProject(relay.port);
  const events = Array.from({ length: 40 }, () => testBlog(projectId).published({ trigger: 'autopilot' }));
  await ground.append(...events, ...events.map((event) => servedEvent(event)));
  for (const event of events) expect(await ground.finished(event.id)).toMatchObject([{ outcome: 'succeeded' }]);
  expect(relay.connections).toBeLessThan(events.length);
});

it('a kept connection that its receiver has closed costs an autopilot delivery no attempt', () =>
  withRawServer(
    (socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
        socket.once('data', () => socket.resetAndDestroy());
      }),
    async (url) => {
      const { publish } = await newProject(Number(new URL(url).port));
      for (let published = 0; published < 2; published += 1) {
        expect(await publish('autopilot')).toMatchObject({ outcome: 'succeeded', attempts: 1 });
      }
    },
  ));
