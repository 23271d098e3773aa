import type { GuardedGotOptions } from '@blog-content/url-guard';

/** The answer was longer than it may be. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

export interface BoundedFetchOptions {
  /** The guard's options for addresses that tenants give; null for the operator's own. */
  readonly guarded: GuardedGotOptions | null;
  readonly maxAnswerBytes: number;
}

const PLAIN = {
  followRedirect: false,
  retry: { limit: 0 },
  throwHttpErrors: false,
  decompress: false,
  http2: false,
} as const;

/**
 * A `fetch` for the SDK that reads no more than it may, follows no redirect, and connects through the guard's agents
 * where the address is a stranger's.
 */
export function createBoundedFetch({ guarded, maxAnswerBytes }: BoundedFetchOptions): typeof fetch {
  return async (input, init = {}) => {
    const { default: got } = await import('got');
    const headers = Object.fromEntries(new Headers(init.headers));
    const stream = got.stream(input instanceof Request ? input.url : String(input), {
      method: (init.method ?? 'GET') as 'GET' | 'POST',
      headers: { ...headers, 'accept-encoding': 'identity' },
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
      ...PLAIN,
      ...guarded,
    });
    let status = 0;
    const answered = new Headers();
    stream.on(
      'response',
      (response: { statusCode: number; headers: Record<string, string | string[] | undefined> }) => {
        status = response.statusCode;
        for (const [name, value] of Object.entries(response.headers)) {
          if (value !== undefined) answered.set(name, String(value));
        }
      },
    );
    try {
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > maxAnswerBytes) throw new AnswerTooLong(`The answer has more than ${maxAnswerBytes} bytes.`);
        chunks.push(chunk);
      }
      const isEmpty = status === 204 || status === 304;
      // What came is what it is: its length and coding are none of the SDK's business.
      answered.delete('content-length');
      return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: answered });
    } finally {
      stream.destroy();
    }
  };
}
