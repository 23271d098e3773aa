import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { UrlGuard } from '@blog-content/url-guard';
import type { NotSent, Outcome, WebhookRequest } from '../src/http/exchange.ts';
import { sendUnleased, sendWebhook } from '../src/http/send-webhook.ts';

export const LOOPBACK = { allowHttp: true, allowedRanges: ['127.0.0.0/8'] };
export const BODY = Buffer.from('{"event":"test.ping"}');
export const HEADERS: Record<string, string> = { 'content-type': 'application/json', 'x-webhook-delivery': '1' };

/** What differs from a request that may take 10 s and whose lease is held. */
export interface Sending {
  readonly guard: UrlGuard;
  readonly timeoutMs?: number;
  readonly interrupted?: AbortSignal;
  readonly isHeld?: () => boolean;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer;
}
type SendingNow = Required<Pick<Sending, 'timeoutMs' | 'interrupted' | 'isHeld'>>;
type Post = Pick<WebhookRequest, 'url' | 'headers' | 'body'>;

const webhook =
  (connection: WebhookRequest['connection']) =>
  (post: Post, { agents }: UrlGuard, { timeoutMs, ...lease }: SendingNow) =>
    sendWebhook({ ...post, connection }, { agents, timeoutMs, lease });
/** Everything that sends a body to a receiver. */
export const CLIENTS = {
  'a webhook on a connection of its own': webhook('close'),
  'a webhook on a connection that is kept': webhook('keep-alive'),
  'a deploy hook': (post: Post, { agents }: UrlGuard, { timeoutMs, interrupted }: SendingNow) =>
    sendUnleased({ ...post, connection: 'close' }, { agents, timeoutMs, interrupted }),
};
export type ClientName = keyof typeof CLIENTS;

/** Sends by one of the clients. */
export function sendBy(client: ClientName, url: string, options: Sending): Promise<Outcome | NotSent> {
  const post = { url, headers: options.headers ?? HEADERS, body: options.body ?? BODY };
  return CLIENTS[client](post, options.guard, {
    timeoutMs: options.timeoutMs ?? 10_000,
    interrupted: options.interrupted ?? new AbortController().signal,
    isHeld: options.isHeld ?? (() => true),
  });
}

/** The body of an answer; of anything else its kind. */
export const textOf = (outcome: Outcome | NotSent) =>
  outcome.kind === 'answered' ? Buffer.from(outcome.body).toString('utf8') : outcome.kind;

/** A server of bytes, for answers that no HTTP server gives. */
export async function withRawServer(
  talk: (socket: Socket) => void,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}
