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
  app.use(queueReadsOf(() => 'owner'));
  app.use((_request, response) => void response.end('read'));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

it('A read whose client has left before its turn was asked for takes no turn of the others', async () => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asked = Array.from({ length: 3 }, () => get(`${origin}/left`).on('error', () => undefined));
  await Promise.all(asked.map((request) => once(request, 'socket').then(([socket]) => once(socket, 'connect'))));
  for (const request of asked) request.destroy();
  await eventually(() => expect(left).toBe(3));
  const answer = await fetch(`${origin}/read`);
  expect([answer.status, await answer.text()]).toEqual([200, 'read']);
});
