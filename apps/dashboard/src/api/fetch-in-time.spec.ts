import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainError } from '../parts/explain-error.ts';
import { toApiError } from './api-error.ts';
import { fetchInTime } from './fetch-in-time.ts';

const TIMEOUT_MS = 50;
let server: Server;
let answer: RequestListener;
const request = (init?: RequestInit) =>
  new Request(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, init);

beforeAll(async () => {
  server = createServer((asked, response) => answer(asked, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('a call to a service that hangs', () => {
  it.each<[string, RequestListener]>([
    ['does not answer', () => undefined],
    [
      'does not end its answer',
      (_asked, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).write('{'),
    ],
  ])('ends where it %s, and says so', async (_what, hang) => {
    answer = hang;
    const error: unknown = await fetchInTime(request(), TIMEOUT_MS)
      .then((response) => response.text())
      .catch((caught: unknown) => caught);
    expect(explainError(toApiError(error, undefined))).toMatchObject({
      title: 'The service didn’t respond in time',
      mayPass: true,
    });
  });

  it('ends when its caller aborts it', async () => {
    answer = () => undefined;
    const left = new AbortController();
    const call = fetchInTime(request({ signal: left.signal }), 3_600_000);
    left.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('what takes as long as it takes', () => {
  // The head of the answer has to come in time, on a busy machine, too.
  const LIMIT_MS = 1_000;

  it('a stream goes on beyond the limit', async () => {
    answer = (_asked, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      void sleep(2 * LIMIT_MS).then(() => response.end('told'));
    };
    expect(await (await fetchInTime(request(), LIMIT_MS)).text()).toBe('told');
  });

  it('an upload has no limit', async () => {
    answer = (asked, response) => {
      asked.resume();
      void sleep(3 * TIMEOUT_MS).then(() => response.end('kept'));
    };
    const upload = request({ method: 'POST', headers: { 'Content-Type': 'image/png' }, body: 'png' });
    expect(await (await fetchInTime(upload, TIMEOUT_MS)).text()).toBe('kept');
  });
});
