import { Agent, request } from 'node:http';
import { PUBLIC_API } from '../load/http-request.ts';

interface Answer {
  readonly status: number;
  readonly etag: string;
  readonly body: string;
}

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
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seenAt = new Map<string, number>();
  let stopped = false;

  const poll = async (): Promise<void> => {
    let etag = '';
    while (!stopped) {
      const answer = await get(agent, port, { authorization: `Bearer ${key}`, 'if-none-match': etag });
      if (answer.status === 304) continue;
      // Not the monotonic clock: this is compared with the database's, and the two drift apart.
      const arrivedAt = Date.now();
      if (answer.status !== 200) throw new Error(`The poller was answered ${answer.status}.`);
      etag = answer.etag;
      const { blogs } = JSON.parse(answer.body) as { blogs: { slug: string }[] };
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
      await ended.finally(() => agent.destroy());
    },
  };
}

function get(agent: Agent, port: number, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, path: `${PUBLIC_API}/blogs?limit=100`, agent, headers },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (body += chunk));
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, etag: response.headers.etag ?? '', body }),
        );
      },
    );
    call.once('error', reject);
    call.end();
  });
}
