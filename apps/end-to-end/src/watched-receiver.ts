import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request from the moment its head arrived: what a sender that dies half-way has let out counts too. */
export interface SeenRequest {
  readonly deliveryId: string;
  /** Which of the receivers. */
  readonly receiver: number;
  /** Its body once all of it has come; undefined until then, and for ever when the rest was never read. */
  body?: SeenBody;
  /** The status that was answered, once the answer was handed to the system. */
  answered?: number;
  /** Whether it was left half-read. */
  isHalfRead: boolean;
}

/** What the test looks at in a body, and whether the signature fits its bytes. */
export interface SeenBody {
  readonly event: string;
  readonly blog_id: string;
  readonly content: string;
  readonly images: readonly { readonly url: string }[];
  readonly idempotency_key?: string;
  readonly publish_attempt?: number;
  readonly isSigned: boolean;
}

/** Many receivers behind one port, at `/0`, `/1`, …. */
export interface WatchedReceiver {
  url(receiver: number): string;
  readonly seen: readonly SeenRequest[];
  /** Chooses the status of later answers; an answer waits for as long as the promise does. */
  respondWith(respond: (request: SeenRequest, body: SeenBody) => number | Promise<number>): void;
  /** From now on reads no more than the beginning of bodies over 64 kB, and answers them never; or does so no more. */
  readHalf(isOn: boolean): void;
  close(): Promise<void>;
}

const LONG = 64 * 1024;

/** Starts them; signatures are checked with `secret`. */
export async function startWatchedReceiver(secret: string): Promise<WatchedReceiver> {
  const seen: SeenRequest[] = [];
  let respond: (request: SeenRequest, body: SeenBody) => number | Promise<number> = () => 200;
  let readsHalf = false;

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request: SeenRequest = {
      deliveryId: String(incoming.headers['x-webhook-delivery']),
      receiver: Number(incoming.url?.slice(1)),
      isHalfRead: readsHalf && Number(incoming.headers['content-length']) > LONG,
    };
    seen.push(request);
    if (request.isHalfRead) return void incoming.once('data', () => incoming.pause());
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const expected = createHmac('sha256', secret).update(bytes).digest('hex');
    const body = {
      ...(JSON.parse(bytes.toString('utf8')) as Omit<SeenBody, 'isSigned'>),
      isSigned: incoming.headers['x-webhook-signature'] === expected,
    };
    request.body = body;
    const status = await respond(request, body);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"ok":true}', () => {
      request.answered = status;
    });
  };
  const server = createServer((incoming, response) => {
    // A sender that was killed breaks off; that is what the test is about.
    handle(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: (receiver) => `http://127.0.0.1:${port}/${receiver}`,
    seen,
    respondWith(next) {
      respond = next;
    },
    readHalf(isOn) {
      readsHalf = isOn;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
