// A receiver for smoke tests (compose.smoke.yml, k8s/overlays/smoke): accepts only what is signed with SECRET.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { SECRET, PORT = '8080' } = process.env;
if (!SECRET) throw new Error('SECRET is missing.');

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const expected = createHmac('sha256', SECRET).update(Buffer.concat(chunks)).digest();
  const given = Buffer.from(String(request.headers['x-webhook-signature'] ?? ''), 'hex');
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  const status = request.method === 'GET' ? 204 : isOurs ? 200 : 401;
  // No connection is kept: one that a stop ends might have a delivery on its way.
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
  response.end(status === 200 ? '{"ok":true}' : undefined);
  console.log(JSON.stringify({ method: request.method, delivery: request.headers['x-webhook-delivery'], status }));
}).listen(Number(PORT));

process.on('SIGTERM', () => server.close());
