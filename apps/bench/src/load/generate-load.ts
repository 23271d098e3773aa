import { createHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, type Dispatcher } from 'undici';
import { pathOf, type PublicGet } from './http-request.ts';

/** What a load generator is to do: each connection asks, waits for the whole answer, and asks again. */
export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  /** Answers of this first while are not counted. */
  readonly warmUpMs: number;
  readonly durationMs: number;
  /** Sent one after the other in turn by all connections. */
  readonly gets: readonly PublicGet[];
  /** What each answer has to be; `bodyBytes` is null when answers differ in length. */
  readonly expected: { readonly status: number; readonly bodyBytes: number | null };
}

/** What came of it. */
export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Bytes of bodies received while it counted. */
  readonly bodyBytes: number;
  /** Share of a core that the generator used, 0 to 1: near 1 it is the generator that was measured. */
  readonly cpuShare: number;
}

/**
 * Sends requests as fast as they are answered. Rejects when an answer is not the expected one or a connection breaks.
 */
export async function generateLoad({ port, gets, expected, ...job }: LoadJob): Promise<LoadResult> {
  const requests = gets.map((get): Dispatcher.DispatchOptions => ({
    method: 'GET',
    path: pathOf(get),
    headers: { authorization: `Bearer ${get.key}`, ...get.headers },
  }));
  const latenciesUs = createHistogram();
  let next = 0;
  let bodyBytes = 0;
  let counting = false;
  let asking = true;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();

  const ask = (client: Client): void => {
    const askedAt = performance.now();
    let status = 0;
    let bytes = 0;
    next = (next + 1) % requests.length;
    client.dispatch(requests[next]!, {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode) => (status = statusCode),
      onResponseData: (_controller, chunk) => (bytes += chunk.length),
      onResponseEnd: () => {
        if (status !== expected.status || (expected.bodyBytes ?? bytes) !== bytes) {
          fail(new Error(`Expected ${JSON.stringify(expected)}, was answered ${status} with ${bytes} bytes.`));
        }
        if (counting) {
          latenciesUs.record(Math.max(1, Math.round((performance.now() - askedAt) * 1_000)));
          bodyBytes += bytes;
        }
        if (asking) ask(client);
      },
      onResponseError: (_controller, error) => asking && fail(error),
    });
  };
  const clients = Array.from({ length: job.connections }, () => new Client(`http://127.0.0.1:${port}`));

  try {
    for (const client of clients) ask(client);
    await Promise.race([failed, pause(job.warmUpMs)]);
    const before = process.cpuUsage();
    const startedAt = performance.now();
    counting = true;
    await Promise.race([failed, pause(job.durationMs)]);
    counting = false;
    const tookMs = performance.now() - startedAt;
    const used = process.cpuUsage(before);
    return {
      perSecond: (latenciesUs.count * 1_000) / tookMs,
      p50Ms: latenciesUs.percentile(50) / 1_000,
      p99Ms: latenciesUs.percentile(99) / 1_000,
      maxMs: latenciesUs.max / 1_000,
      bodyBytes,
      cpuShare: (used.user + used.system) / 1_000 / tookMs,
    };
  } finally {
    asking = false;
    await Promise.all(clients.map((client) => client.destroy()));
  }
}
