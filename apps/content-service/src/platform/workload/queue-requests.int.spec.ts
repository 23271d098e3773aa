import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@blog-content/testing';
import express from 'express';
import { queueReadsOf } from './queue-requests.ts';

let server: Server;
let left = 0;
beforeAll(async () => {
  const app = express();
  // As a look-up of a session may take so long that its client leaves meanwhile.
  app.use('/left', async (_request, response, next) => {
    await once(response, 'close');
    left += 1;
    next();
  });
  const gates = Array.from({ length: 12 }, () => queueReadsOf(() => 'owner'));
  let listeners = 0;
  app.get('/gates', (_request, response, next) => {
    listeners = response.listenerCount('close');
    next();
  });
  app.get('/gates', ...gates, (_request, response) => {
    response.json(response.listenerCount('close') - listeners);
  });
  app.use(queueReadsOf(() => 'owner'));
  app.use((_request, response) => void response.end('read'));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

it('A read whose client has left before its turn was asked for takes no turn of the others', async () => {
  const asked = Array.from({ length: 3 }, () => get(`${origin()}/left`).on('error', () => undefined));
  await Promise.all(asked.map((request) => once(request, 'socket').then(([socket]) => once(socket, 'connect'))));
  for (const request of asked) request.destroy();
  await eventually(() => expect(left).toBe(3));
  const answer = await fetch(`${origin()}/read`);
  expect([answer.status, await answer.text()]).toEqual([200, 'read']);
});

it('A request that passes many gates listens once for its end, and then gives all its turns back', async () => {
  // More of them, one after the other, than may run at once.
  for (let time = 0; time < 4; time += 1) {
    const answer = await fetch(`${origin()}/gates`);
    expect(await answer.json()).toBe(1);
  }
});
