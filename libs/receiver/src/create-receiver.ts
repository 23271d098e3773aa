import type { DeletedEvent, PostEvent, UnpublishedEvent, WebhookEvent } from './events.ts';
import type { IdempotencyStore } from './idempotency-stores.ts';
import { readBody } from './read-body.ts';
import { readEvent } from './read-event.ts';
import { isSigned, isStandardSigned, SIGNATURE_HEADER, type ReadHeader } from './signature.ts';

/** Where the post now is; both are kept with it and shown to its owner. */
export interface PostAnswer {
  /** Absolute http(s) URL of the post, at most 2,048 characters. */
  readonly url?: string;
  /** Your own id of the post, at most 255 characters. */
  readonly id?: string;
}

type MaybeLater<Value> = Value | Promise<Value>;

export interface ReceiverOptions {
  /** The integration's secret; while it is changed, the old and the new one. */
  readonly secret: string | readonly string[];
  /** Upserts by `blog_id`. What it throws is answered with 500, which an agent's publish tries again. */
  onPost(post: PostEvent): MaybeLater<PostAnswer | void>;
  /** Hides the post with that `blog_id`, if there is one. */
  onUnpublish(event: UnpublishedEvent): MaybeLater<void>;
  /** Deletes the post with that `blog_id`, if there is one. */
  onDelete(event: DeletedEvent): MaybeLater<void>;
  /** Answers what was handled before without calling `onPost` again. */
  readonly idempotency?: IdempotencyStore;
  /**
   * Refuses what is older. Posts with an `idempotency_key` keep their time on each attempt and are judged by that key
   * alone. With `standardWebhooks` every event is judged, by the signed time of its attempt.
   */
  readonly replayWindowSeconds?: number;
  /**
   * Goes by the headers of Standard Webhooks instead of `X-Webhook-Signature`. The window is then 300 s unless given.
   */
  readonly standardWebhooks?: boolean;
  /** Larger bodies are answered with 413: 4 MB unless given. */
  readonly maxBodyBytes?: number;
  /** Hears of what a handler threw. Written to the console unless given. */
  readonly onError?: (error: unknown, event: WebhookEvent) => void;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** What to answer: a status, and an object as JSON. */
export interface ReceiverAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Receiver {
  readonly maxBodyBytes: number;
  /** Answers a request: its raw bytes, and its headers by lowercase name. Never throws. */
  receive(body: Uint8Array, header: ReadHeader): Promise<ReceiverAnswer>;
  /** The same for `Request` and `Response`, as Hono, Next, Workers, Netlify, Vercel, Deno and Bun have them. */
  fetch(this: void, request: Request): Promise<Response>;
}

const refuse = (status: number, error: string): ReceiverAnswer => ({ status, body: { ok: false, error } });

/** A receiver of webhooks. It answers what the service expects, and calls you for posts only. */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { idempotency, replayWindowSeconds, standardWebhooks = false, now = Date.now } = options;
  const secrets = typeof options.secret === 'string' ? [options.secret] : options.secret;
  if (secrets.length === 0 || secrets.some((secret) => !secret)) throw new TypeError('The secret is missing.');
  const maxBodyBytes = options.maxBodyBytes ?? 4 * 1024 * 1024;
  const onError = options.onError ?? ((error) => console.error('Webhook handler failed:', error));

  async function isGenuine(body: Uint8Array, header: ReadHeader): Promise<boolean> {
    const window = { now: now(), toleranceSeconds: replayWindowSeconds ?? 300 };
    for (const secret of secrets) {
      const genuine = standardWebhooks
        ? await isStandardSigned(body, header, secret, window)
        : await isSigned(body, header(SIGNATURE_HEADER), secret);
      if (genuine) return true;
    }
    return false;
  }

  const isStale = ({ published_at }: PostEvent) =>
    !standardWebhooks &&
    replayWindowSeconds !== undefined &&
    now() - Date.parse(published_at) > replayWindowSeconds * 1000;

  async function handle(event: WebhookEvent): Promise<ReceiverAnswer> {
    if (event.event === 'test.ping') return { status: 200, body: { ok: true } };
    if (event.blog_id.startsWith('preview-')) return { status: 200, body: { ok: true, skipped: true } };
    switch (event.event) {
      case 'blog.published':
      case 'blog.updated':
        return handlePost(event);
      case 'blog.unpublished':
        await options.onUnpublish(event);
        return { status: 200, body: { ok: true } };
      case 'blog.deleted':
        await options.onDelete(event);
        return { status: 200, body: { ok: true } };
    }
  }

  async function handlePost(post: PostEvent): Promise<ReceiverAnswer> {
    const key = post.idempotency_key;
    if (key === undefined && isStale(post)) return refuse(400, `published more than ${replayWindowSeconds} s ago`);
    const kept = key === undefined ? null : await idempotency?.get(key);
    if (kept) return { status: 200, body: JSON.parse(kept) as ReceiverAnswer['body'] };
    const { url, id } = (await options.onPost(post)) ?? {};
    const body = { ok: true, ...(url !== undefined && { url }), ...(id !== undefined && { id }) };
    // Only now: a write that failed must be done by the next attempt.
    if (key !== undefined) await idempotency?.set(key, JSON.stringify(body));
    return { status: 200, body };
  }

  const receive: Receiver['receive'] = async (body, header) => {
    if (body.length > maxBodyBytes) return refuse(413, 'the body is too large');
    if (!(await isGenuine(body, header))) return refuse(401, 'wrong signature');
    const read = readEvent(body);
    if ('problem' in read) return refuse(400, read.problem);
    try {
      return await handle(read.event);
    } catch (error) {
      onError(error, read.event);
      return refuse(500, 'handler failed');
    }
  };

  return {
    maxBodyBytes,
    receive,
    async fetch(request) {
      if (request.method !== 'POST') return toResponse(refuse(405, 'only POST'), { allow: 'POST' });
      const body = await readBody(request, maxBodyBytes);
      if (body === null) return toResponse(refuse(413, 'the body is too large'));
      return toResponse(await receive(body, (name) => request.headers.get(name)));
    },
  };
}

function toResponse({ status, body }: ReceiverAnswer, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}
