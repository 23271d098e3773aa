import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** How many posts are created and published concurrently. */
const WRITERS = 4;
const PAUSE_MS = 100;
const TIMEOUT_MS = 10_000;

export interface SteadyLoadOptions {
  readonly origin: string;
  /** Of an owner's session. */
  readonly token: string;
  readonly receiverUrl: string;
}

/**
 * Creates posts and publishes each once, until stopped, in a new project with one webhook. A request without an answer
 * of 2xx is repeated with the same `Idempotency-Key`, as clients are told to.
 */
export async function publishSteadily({ origin, token, receiverUrl }: SteadyLoadOptions) {
  let at = origin;
  let running = true;
  let retried = 0;
  const published: string[] = [];
  const owner = (from: string) => `${from}/blog/api/v1/owner`;

  async function once<Answer>(path: string, body?: object): Promise<Answer> {
    const key = randomUUID();
    for (;;) {
      const answer = await fetch(`${owner(at)}/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch(() => null);
      if (answer?.ok) return (await answer.json()) as Answer;
      if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429) {
        throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
      }
      retried += 1;
      await sleep(PAUSE_MS);
    }
  }

  const project = await once<{ id: string }>('projects', { name: 'Steady load', site_url: 'https://tea.example' });
  /** Services learn of a project a moment after it was made. */
  const onceKnown = async <Answer>(path: string, body?: object): Promise<Answer> => {
    for (;;) {
      try {
        return await once<Answer>(path, body);
      } catch (error) {
        if (!(error as Error).message.includes(': 404 ')) throw error;
        await sleep(PAUSE_MS);
      }
    }
  };
  const { public_key: publicKey } = await onceKnown<{ public_key: string }>(`projects/${project.id}/public-key`);
  await onceKnown(`projects/${project.id}/webhooks`, { url: receiverUrl });

  async function write(): Promise<void> {
    while (running) {
      const slug = randomUUID();
      const { id } = await once<{ id: string }>(`projects/${project.id}/blogs`, {
        title: slug,
        slug,
        content: '<p>x</p>',
      });
      await once(`projects/${project.id}/blogs/${id}/publish`);
      published.push(id);
      await sleep(PAUSE_MS);
    }
  }
  const writers = Promise.all(Array.from({ length: WRITERS }, write));
  // Told by `stop`.
  writers.catch(() => undefined);
  return {
    project: project.id,
    counts: () => ({ published, retried }),
    /** Later requests go to another origin. */
    moveTo(next: string): void {
      at = next;
    },
    /** How many posts the public API has. */
    async countPublic(from: string): Promise<number> {
      const answer = await fetch(`${from}/blog/api/v1/public/blogs?limit=1`, {
        headers: { Authorization: `Bearer ${publicKey}` },
      });
      return answer.ok ? ((await answer.json()) as { total: number }).total : -1;
    },
    /** Rejects if a request was refused. */
    async stop(): Promise<void> {
      running = false;
      await writers;
    },
  };
}
