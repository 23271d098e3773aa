import { whenProjectIsKnown, type OwnerClient } from '@blog-content/local-services';
import { startPublishing } from './steady-publishing.ts';

/** How many posts are created and published concurrently. */
const WRITERS = 4;
const PAUSE_MS = 100;

export interface SteadyLoadOptions {
  readonly origin: string;
  readonly owner: OwnerClient;
  readonly receiverUrl: string;
  /** Of each post; HTML. */
  readonly content?: string;
}

/** Publishes new posts until stopped, in a new project with one webhook. */
export async function publishSteadily({ origin, owner, receiverUrl, content }: SteadyLoadOptions) {
  let at = origin;
  const { id } = await owner.post<{ id: string }>('projects', { name: 'Drill', site_url: 'https://tea.example' });
  const { public_key: publicKey } = await whenProjectIsKnown(() =>
    owner.post<{ public_key: string }>(`projects/${id}/public-key`),
  );
  await whenProjectIsKnown(() => owner.post(`projects/${id}/webhooks`, { url: receiverUrl }));
  const writers = Array.from({ length: WRITERS }, () =>
    startPublishing({
      origin: () => at,
      projectId: id,
      token: () => owner.token,
      everyMs: PAUSE_MS,
      ...(content !== undefined && { content }),
    }),
  );
  return {
    counts: () => ({
      published: writers.flatMap(({ accepted }) => accepted),
      retried: writers.reduce((sum, { repeated }) => sum + repeated(), 0),
    }),
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
      await Promise.all(writers.map((writer) => writer.stop()));
    },
  };
}
