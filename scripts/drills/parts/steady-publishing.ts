import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface PublishingOptions {
  /** Where requests go at that moment. */
  readonly origin: () => string;
  readonly projectId: string;
  /** The session's token at that moment. */
  readonly token: () => string;
  readonly everyMs: number;
  /** Of each post; HTML. */
  readonly content?: string;
}

/** Posts that are published one after the other. */
export interface SteadyPublishing {
  /** Ids of the blogs whose publish was accepted. */
  readonly accepted: readonly string[];
  /** Requests that had to be made again, because a service was restarting. */
  readonly repeated: () => number;
  stop(): Promise<void>;
}

/** Writes and publishes a new post again and again, each request as often as it takes, under an idempotency key. */
export function startPublishing({
  origin,
  projectId,
  token,
  everyMs,
  content = '<p>x</p>',
}: PublishingOptions): SteadyPublishing {
  const accepted: string[] = [];
  let repeated = 0;
  let isStopping = false;

  async function untilAccepted(path: string, body: object | null): Promise<{ id: string }> {
    const key = randomUUID();
    for (;;) {
      const answer = await fetch(`${origin()}/blog/api/v1/owner/projects/${projectId}/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json', 'idempotency-key': key },
        ...(body && { body: JSON.stringify(body) }),
      }).catch(() => null);
      if (answer?.ok === true) return (await answer.json()) as { id: string };
      const isRestarting = answer === null || answer.status >= 500 || [401, 409, 429].includes(answer.status);
      if (!isRestarting) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      repeated += 1;
      await sleep(100);
    }
  }

  const running = (async () => {
    while (!isStopping) {
      const slug = `drill-${randomUUID()}`;
      const { id } = await untilAccepted('blogs', { title: slug, slug, content });
      await untilAccepted(`blogs/${id}/publish`, null);
      accepted.push(id);
      await sleep(everyMs);
    }
  })();
  // Seen by `stop`.
  running.catch(() => undefined);
  return {
    accepted,
    repeated: () => repeated,
    stop() {
      isStopping = true;
      return running;
    },
  };
}
