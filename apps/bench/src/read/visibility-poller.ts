import { Client } from 'undici';
import { getOnce } from '../load/http-request.ts';

/** Sees on one connection when posts appear in a project's list. */
export interface VisibilityPoller {
  /** Slug → when (ms since the epoch) the first answer that shows it had arrived. */
  readonly seenAt: ReadonlyMap<string, number>;
  /** Resolves when the running request has ended; rejects with what ended the polling early. */
  stop(): Promise<void>;
}

/**
 * Asks for the newest 100 again and again, with If-None-Match, the next time as soon as there is an answer: its answer
 * waits in the same queue as every reader's.
 */
export function startVisibilityPoller({ port, key }: { port: number; key: string }): VisibilityPoller {
  const client = new Client(`http://127.0.0.1:${port}`);
  const seenAt = new Map<string, number>();
  let stopped = false;

  const poll = async (): Promise<void> => {
    let etag = '';
    while (!stopped) {
      const get = { path: '/blogs?limit=100', key, headers: { 'if-none-match': etag } };
      const answer = await getOnce(port, get, client);
      if (answer.status === 304) continue;
      // Not the monotonic clock: this is compared with the database's, and the two drift apart.
      const arrivedAt = Date.now();
      if (answer.status !== 200) throw new Error(`The poller was answered ${answer.status}.`);
      etag = answer.headers['etag'] ?? '';
      const { blogs } = JSON.parse(answer.body.toString()) as { blogs: { slug: string }[] };
      for (const { slug } of blogs) if (!seenAt.has(slug)) seenAt.set(slug, arrivedAt);
    }
  };
  const ended = poll();
  // The caller that stops it gets the error.
  ended.catch(() => undefined);
  return {
    seenAt,
    async stop() {
      stopped = true;
      try {
        await ended;
      } finally {
        await client.destroy();
      }
    },
  };
}
