import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * ApiVersions, version 0, correlation id 1, no client id: the one request every broker answers before anything else.
 */
const apiVersionsRequest = Buffer.from([0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, 0xff, 0xff]);

/** Resolves when `broker` (`host:port`) answers a Kafka request; rejects within `timeoutMs` otherwise. */
export async function pingKafka(broker: string, timeoutMs = 2_000): Promise<void> {
  const separator = broker.lastIndexOf(':');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host: broker.slice(0, separator), port: Number(broker.slice(separator + 1)) });
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`${broker} did not respond within ${timeoutMs} ms`)));
  let answer = Buffer.alloc(0);
  socket.on('connect', () => socket.write(apiVersionsRequest));
  socket.on('data', (chunk: Buffer) => {
    answer = Buffer.concat([answer, chunk]);
    if (answer.length < 8) return;
    if (answer.readInt32BE(4) === 1) resolve();
    else reject(new Error(`${broker} does not speak Kafka's protocol`));
    socket.destroy();
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error(`${broker} closed the connection`)));
  return promise;
}

/** Pings until the broker answers; throws the last failure after `timeoutMs`. */
export async function untilKafkaAnswers(broker: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await pingKafka(broker);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
