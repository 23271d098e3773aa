/**
 * Sends webhooks to the URL given whose answers are never ended, and writes what each held answer costs, in bytes of
 * memory, once all of them have come: `<url> <how many> <bytes of each answer>`. Needs `--expose-gc`.
 */
import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createUrlGuard } from '@blog-content/url-guard';
import { sendWebhook } from '../src/http/send-webhook.ts';

const [url = '', count = '', answerBytes = ''] = process.argv.slice(2);
const { agents } = createUrlGuard({ allowHttp: true, allowedRanges: ['127.0.0.0/8'] });
const given = new AbortController();
const sockets: Socket[] = [];
diagnostics.subscribe('net.client.socket', (message) => {
  sockets.push((message as { socket: Socket }).socket);
});

/** Sends so many, waits until their answers are held, and gives the bytes in use. */
async function hold(webhooks: number, bytesOfAll: number): Promise<number> {
  for (let sent = 0; sent < webhooks; sent += 1) {
    void sendWebhook(
      { url, headers: {}, body: Buffer.from('{}'), connection: 'close' },
      { agents, timeoutMs: 600_000, lease: { isHeld: () => true, interrupted: given.signal } },
    );
  }
  const read = () => sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  while (read() < bytesOfAll) await sleep(20);
  // The collector is asked more than once: what holds memory outside the heap is released one run later.
  for (let run = 0; run < 3; run += 1) {
    globalThis.gc?.();
    await sleep(10);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// The first one brings along what is loaded once.
const before = await hold(1, Number(answerBytes));
const after = await hold(Number(count), (1 + Number(count)) * Number(answerBytes));
process.stdout.write(String(Math.round((after - before) / Number(count))));
process.exit();
