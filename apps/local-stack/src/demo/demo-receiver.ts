import { SIGNATURE_HEADER, verify } from '@blog-content/signing';
import { webhookBody, type WebhookBody } from '@blog-content/payload-schemas';
import { createServer, type IncomingMessage } from 'node:http';

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const KEPT_EVENTS = 50;
/** Where every request fails. */
export const BROKEN_PATH = '/hooks/broken';

/** A request that the demo receiver accepted. */
export interface ReceivedWebhook {
  readonly received_at: string;
  readonly delivery: string | null;
  readonly body: WebhookBody;
}

/**
 * A website's receiver as an owner would write it: verifies the signature over the raw bytes (contract §5.2.7), upserts
 * by `blog_id`, answers with the post's address. `GET /received` shows what it got, newest first. Below another path it
 * fails, so that the demo has a receiver in trouble too.
 */
export async function startDemoReceiver(options: {
  port: number;
  secret: string;
  siteUrl: string;
  onReceived: (webhook: ReceivedWebhook) => void;
}): Promise<{ url: string; close(): Promise<void> }> {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(`${JSON.stringify(body, null, 2)}\n`);
    };
    if (request.method === 'GET' && request.url === '/received') {
      answer(200, received);
      return;
    }
    if (request.method === 'POST' && request.url === BROKEN_PATH) {
      answer(500, { ok: false, error: 'This site is down, to show what a failed delivery looks like.' });
      return;
    }
    if (request.method !== 'POST' || request.url !== '/hooks/blog') {
      answer(404, { error: 'POST /hooks/blog receives webhooks; GET /received shows them.' });
      return;
    }
    readBody(request).then(
      (bytes) => {
        const signature = request.headers[SIGNATURE_HEADER.toLowerCase()];
        if (typeof signature !== 'string' || !verify(bytes, options.secret, signature)) {
          answer(401, { ok: false, error: 'signature mismatch' });
          return;
        }
        const body = webhookBody.safeParse(JSON.parse(bytes.toString('utf8')));
        if (!body.success) {
          answer(400, { ok: false, error: 'unknown event' });
          return;
        }
        const delivery = request.headers['x-webhook-delivery'];
        const webhook = {
          received_at: new Date().toISOString(),
          delivery: typeof delivery === 'string' ? delivery : null,
          body: body.data,
        };
        received.unshift(webhook);
        received.length = Math.min(received.length, KEPT_EVENTS);
        options.onReceived(webhook);
        answer(
          200,
          'slug' in body.data ? { ok: true, url: `${options.siteUrl}/blog/${body.data.slug}/` } : { ok: true },
        );
      },
      () => answer(413, { ok: false, error: 'body too large' }),
    );
  });
  await new Promise<void>((resolve) => server.listen(options.port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${options.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
