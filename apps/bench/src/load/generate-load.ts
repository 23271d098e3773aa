import { setTimeout as pause } from 'node:timers/promises';
import { connect, type Socket } from 'node:net';
import { Histogram } from './histogram.ts';
import { ResponseReader } from './response-reader.ts';

/** What a load generator is to do: each connection asks, waits for the whole answer, and asks again. */
export interface LoadJob {
  readonly port: number;
  readonly connections: number;
  /** Answers of this first while are not counted. */
  readonly warmUpMs: number;
  readonly durationMs: number;
  /** Whole request heads, sent one after the other in turn by all connections. */
  readonly requests: readonly string[];
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

const READ_BUFFER_BYTES = 256 * 1024;

/**
 * Sends requests as fast as they are answered, over bare sockets, so that it takes less of its core than the server
 * takes of the other. Rejects when an answer is not the expected one or a connection breaks.
 */
export async function generateLoad(job: LoadJob): Promise<LoadResult> {
  const requests = job.requests.map((head) => Buffer.from(head, 'latin1'));
  const histogram = new Histogram();
  let next = 0;
  let bodyBytes = 0;
  let counting = false;
  let asking = true;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // One for all: what a read brings is taken in before the next read.
  const buffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);

  const sockets = Array.from({ length: job.connections }, () => {
    let askedAt = 0;
    const ask = (): void => {
      next = (next + 1) % requests.length;
      askedAt = performance.now();
      socket.write(requests[next] ?? '');
    };
    const reader = new ResponseReader((status, bytes) => {
      if (status !== job.expected.status || (job.expected.bodyBytes ?? bytes) !== bytes) {
        fail(new Error(`Expected ${JSON.stringify(job.expected)}, was answered ${status} with ${bytes} bytes.`));
      }
      if (counting) {
        histogram.add(performance.now() - askedAt);
        bodyBytes += bytes;
      }
      if (asking) ask();
    });
    const onread = {
      buffer,
      callback(length: number) {
        try {
          reader.feed(buffer.subarray(0, length));
        } catch (error) {
          fail(error);
        }
        return true;
      },
    };
    const socket: Socket = connect({ host: '127.0.0.1', port: job.port, noDelay: true, onread }, ask);
    socket.once('error', fail);
    socket.once('close', () => asking && fail(new Error('The server closed a connection.')));
    return socket;
  });

  try {
    await Promise.race([failed, pause(job.warmUpMs)]);
    const before = process.cpuUsage();
    const startedAt = performance.now();
    counting = true;
    await Promise.race([failed, pause(job.durationMs)]);
    counting = false;
    const tookMs = performance.now() - startedAt;
    const used = process.cpuUsage(before);
    return {
      perSecond: (histogram.size * 1000) / tookMs,
      p50Ms: histogram.percentileMs(50),
      p99Ms: histogram.percentileMs(99),
      maxMs: histogram.maxMs,
      bodyBytes,
      cpuShare: (used.user + used.system) / 1000 / tookMs,
    };
  } finally {
    asking = false;
    for (const socket of sockets) socket.destroy();
  }
}
