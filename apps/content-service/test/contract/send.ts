import { Agent, request } from 'node:http';

export interface RawRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Uint8Array | null;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends requests byte for byte as they are told, over kept connections. */
export interface Sender extends Disposable {
  send(raw: RawRequest): Promise<RawAnswer>;
}

/** How long is listened to a stream. */
const STREAM_MS = 300;

class NoAnswer extends Error {
  readonly wasReused: boolean;

  constructor(wasReused: boolean, cause: Error) {
    super(`No answer: ${cause.message}`, { cause });
    this.wasReused = wasReused;
  }
}

/** @param origin such as `http://127.0.0.1:8080`. */
export function createSender(origin: string): Sender {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const once = ({ method, target, headers, body }: RawRequest): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ agent, hostname, port, method, path: target }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        const done = () => {
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) });
        };
        incoming.once('end', done);
        // Some streams do not end.
        if (incoming.headers['content-type']?.startsWith('text/event-stream') === true) {
          const timer = setTimeout(() => {
            incoming.removeAllListeners('error').on('error', () => undefined);
            incoming.destroy();
            done();
          }, STREAM_MS);
          incoming.once('close', () => clearTimeout(timer));
        }
      });
      for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
      if (body !== null) outgoing.setHeader('Content-Length', body.byteLength);
      outgoing.once('error', (error) => reject(new NoAnswer(outgoing.reusedSocket, error)));
      outgoing.end(body ?? undefined);
    });
  const send: Sender['send'] = (raw) =>
    once(raw).catch((error: unknown) => {
      // The other side may close a connection that is kept while a request is on its way; on a new one it may not.
      if (error instanceof NoAnswer && error.wasReused) return once(raw);
      throw error;
    });
  return { send, [Symbol.dispose]: () => agent.destroy() };
}
