import { once } from 'node:events';
import { get } from 'node:http';
import type { RequestHandler } from 'express';
import { serveApp, type ServedApp } from '../../../test/serve-app.ts';
import { queueByAccount, queueByToken, queueRequests } from './queue-requests.ts';

const ofOwner = (waitingEach?: number) =>
  queueRequests(
    () => 'owner',
    [{ has: () => true, atOnce: 2, refusal: 'Too many.', ...(waitingEach !== undefined && { waitingEach }) }],
  );

/** Answers of requests that are held until they are let go, and how many are held. */
function holding() {
  const held: (() => void)[] = [];
  const hold: RequestHandler = (_request, response) => void held.push(() => response.end('done'));
  const letGo = () => {
    for (const answer of held.splice(0)) answer();
  };
  const untilHeld = async (count: number) => {
    while (held.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { held, hold, letGo, untilHeld };
}

let served: ServedApp;
let held: ReturnType<typeof holding>;
let left = 0;
beforeAll(async () => {
  held = holding();
  served = await serveApp((app) => {
    // As a look-up of a session may take so long that its client leaves meanwhile.
    app.use('/left', async (_request, response, next) => {
      await once(response, 'close');
      left += 1;
      next();
    });
    const gates = Array.from({ length: 12 }, () => ofOwner());
    let listeners = 0;
    app.get('/gates', (_request, response, next) => {
      listeners = response.listenerCount('close');
      next();
    });
    app.get('/gates', ...gates, (_request, response) => {
      response.json(response.listenerCount('close') - listeners);
    });
    app.use('/short', ofOwner(1), held.hold);
    app.use(
      '/by-token',
      queueByToken(({ path }) => path === '/events'),
      held.hold,
    );
    app.use(
      '/by-account',
      queueByAccount(({ headers }) => headers['x-account'] as string | undefined),
      held.hold,
    );
    app.use(ofOwner(), (_request, response) => void response.end('read'));
  });
});
afterAll(() => served[Symbol.asyncDispose]());

it('A read whose client has left before it asked for a slot takes no slot from the others', async () => {
  const asked = Array.from({ length: 3 }, () => get(`${served.origin}/left`).on('error', () => undefined));
  await Promise.all(asked.map((request) => once(request, 'socket').then(([socket]) => once(socket, 'connect'))));
  for (const request of asked) request.destroy();
  while (left < 3) await new Promise((resolve) => setImmediate(resolve));
  const answer = await served.http.get('read');
  expect([answer.statusCode, answer.body]).toEqual([200, 'read']);
});

it('A request that passes many gates listens once for its end, and then gives all its slots back', async () => {
  // More of them, one after the other, than may run concurrently.
  for (let time = 0; time < 4; time += 1) expect((await served.http.get('gates')).body).toBe('1');
});

it('Of more than may run and wait, the last get 429 immediately, with Retry-After', async () => {
  const asked = Array.from({ length: 4 }, () => served.http.get('short'));
  const refused = await Promise.race(asked);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2']);
  await held.untilHeld(2);
  held.letGo();
  await held.untilHeld(1);
  held.letGo();
  expect((await Promise.all(asked)).map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 200, 429]);
});

it.each([
  ['by-token', 'authorization', 'POST', '', 5],
  ['by-token', 'authorization', 'GET', '', 2],
  ['by-token', 'authorization', 'GET', '?q=x', 1],
  ['by-token', 'authorization', 'GET', '?limit=51', 1],
  ['by-account', 'x-account', 'POST', '', 6],
  ['by-account', 'x-account', 'GET', '', 2],
  ['by-account', 'x-account', 'GET', '?q=x', 1],
] as const)('%s, the same %s: %s %s runs with this concurrency, and others do not wait for it', async (...row) => {
  const [path, header, method, query, atOnce] = row;
  const ask = (of: string) => served.http(`${path}${query}`, { method, headers: { [header]: of } });
  const asked = Array.from({ length: atOnce + 2 }, () => ask('Bearer one'));
  await held.untilHeld(atOnce);
  asked.push(ask('Bearer other'));
  await held.untilHeld(atOnce + 1);
  expect(held.held).toHaveLength(atOnce + 1);
  const answered = Promise.all(asked);
  let isAnswered = false;
  void answered.then(() => (isAnswered = true));
  while (!isAnswered) {
    held.letGo();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(new Set((await answered).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
});

it.each(['GET', 'POST'] as const)('Long answers take no slot from the others: %s', async (method) => {
  const asked = Array.from({ length: 6 }, () =>
    served.http('by-token/events', { method, headers: { authorization: 'Bearer one' } }),
  );
  await held.untilHeld(6);
  held.letGo();
  await Promise.all(asked);
});
