import { whenProjectIsKnown, type OwnerClient } from '@blog-content/local-services';
import { eventually, type Receiver } from '@blog-content/testing';
import type { DrillContext } from './drill.ts';
import { startPublishing } from './steady-publishing.ts';

/** How many posts are created and published concurrently. */
const WRITERS = 4;
const PAUSE_MS = 100;
const WITHIN_MS = 120_000;

export interface SteadyLoadOptions {
  readonly origin: string;
  readonly owner: OwnerClient;
  readonly receiver: Receiver;
  /** Of each post; HTML. */
  readonly content?: string;
}

/** Publishes new posts until stopped, in a new project with one webhook. */
export async function publishSteadily({ origin, owner, receiver, content }: SteadyLoadOptions) {
  let at = origin;
  const { id } = await owner.post<{ id: string }>('projects', { name: 'Drill', site_url: 'https://tea.example' });
  const { public_key: publicKey } = await whenProjectIsKnown(() =>
    owner.post<{ public_key: string }>(`projects/${id}/public-key`),
  );
  await whenProjectIsKnown(() => owner.post(`projects/${id}/webhooks`, { url: receiver.url }));
  const writers = Array.from({ length: WRITERS }, () =>
    startPublishing({
      origin: () => at,
      projectId: id,
      token: () => owner.token,
      everyMs: PAUSE_MS,
      ...(content !== undefined && { content }),
    }),
  );
  const counts = () => ({
    published: writers.flatMap(({ accepted }) => accepted),
    retried: writers.reduce((sum, { repeated }) => sum + repeated(), 0),
  });
  const countPublic = async (): Promise<number> => {
    const answer = await fetch(`${at}/blog/api/v1/public/blogs?limit=1`, {
      headers: { Authorization: `Bearer ${publicKey}` },
    });
    return answer.ok ? ((await answer.json()) as { total: number }).total : -1;
  };
  /** How often the receiver got each post. */
  const received = () => {
    const times = new Map<string, number>();
    for (const request of receiver.requests) {
      const { blog_id: id } = request.json<{ blog_id: string }>();
      times.set(id, (times.get(id) ?? 0) + 1);
    }
    return times;
  };
  /** Rejects if a request was refused. */
  const stop = async (): Promise<void> => {
    await Promise.all(writers.map((writer) => writer.stop()));
  };
  return {
    counts,
    stop,
    /** Later requests go to another origin. */
    moveTo(next: string): void {
      at = next;
    },
    /** Stops, and checks that readers have each post, and that the receiver got each once. */
    async finish({ say, check }: Pick<DrillContext, 'say' | 'check'>): Promise<void> {
      await stop();
      const { published, retried } = counts();
      await eventually(() => published.every((id) => received().has(id)), { timeoutMs: WITHIN_MS });
      await eventually(async () => (await countPublic()) === published.length, { timeoutMs: WITHIN_MS });
      const times = received();
      say(`${published.length} publishes, ${retried} requests repeated, ${receiver.requests.length} deliveries`);
      check(
        'every accepted publish reached the receiver: lost 0',
        published.every((id) => times.has(id)),
      );
      check(
        'none reached it twice: doubled 0',
        [...times.values()].every((count) => count === 1),
      );
      check('readers see every post', (await countPublic()) === published.length);
    },
  };
}
