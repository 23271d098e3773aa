import type { Receiver, ReceiverAnswer } from '../create-receiver.ts';

/** What this needs of a request of `node:http`, and of Express, whose parsers leave what they read in `body`. */
export interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: unknown;
  readonly readableEnded?: boolean;
}

export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

/** For `app.post('/webhook', nodeHandler(receiver))` of Express, and for `createServer(nodeHandler(receiver))`. */
export function nodeHandler(receiver: Receiver): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const { status, body } = await answerTo(receiver, request);
    response.writeHead(status, { 'content-type': 'application/json', ...(status === 405 && { allow: 'POST' }) });
    response.end(JSON.stringify(body));
  };
}

async function answerTo(receiver: Receiver, request: NodeRequest): Promise<ReceiverAnswer> {
  if (request.method !== 'POST') return { status: 405, body: { ok: false, error: 'only POST' } };
  const raw = request.body;
  if (!(raw instanceof Uint8Array) && request.readableEnded) {
    console.error(
      'The webhook cannot be verified: a body parser has consumed the raw bytes. Put the route before express.json(), or ' +
        "express.raw({ type: 'application/json', limit: '4mb' }) before the handler.",
    );
    return { status: 500, body: { ok: false, error: 'a body parser has consumed the raw bytes' } };
  }
  let body: Uint8Array | null;
  try {
    body = raw instanceof Uint8Array ? raw : await readAll(request, receiver.maxBodyBytes);
  } catch {
    return { status: 400, body: { ok: false, error: 'the body is incomplete' } };
  }
  if (body === null) return { status: 413, body: { ok: false, error: 'the body is too large' } };
  return receiver.receive(body, (name) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  });
}

/** Null when there is more. */
async function readAll(request: NodeRequest, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += (chunk as Uint8Array).length;
    if (length > maxBytes) return null;
    chunks.push(chunk as Uint8Array);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
