import { answerParent } from '../processes/child.ts';

/**
 * Requests that begin evenly, whether those before were answered or not, until the next question, which is answered
 * with what came of them.
 */
export interface TenantJob {
  /** Where the tenant's blogs are. */
  readonly blogs: string;
  /** Of the owner's session. */
  readonly token: string;
  readonly perSecond: number;
}

/** Half of the requests write. Each answers its latency in milliseconds. */
function askEvenly({ blogs, token, perSecond }: TenantJob): { end(): Promise<number[]> } {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ title: 'Small', content: '<p>A small post.</p>' });
  const ask = async (isWrite: boolean) => {
    const askedAt = performance.now();
    const answer = await fetch(`${blogs}?limit=5`, { headers, ...(isWrite && { method: 'POST', body }) });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The tenant that is measured was answered ${answer.status}.`);
    return performance.now() - askedAt;
  };
  const requests: Promise<number>[] = [];
  let isOver = false;
  const begin = async () => {
    const startedAt = performance.now();
    for (let count = 0; !isOver; count += 1) {
      const dueInMs = startedAt + (count * 1_000) / perSecond - performance.now();
      if (dueInMs > 0) await new Promise((resolve) => setTimeout(resolve, dueInMs));
      requests.push(ask(count % 2 === 0));
    }
  };
  const begun = begin();
  return {
    async end() {
      isOver = true;
      await begun;
      return Promise.all(requests);
    },
  };
}

let running: ReturnType<typeof askEvenly> | undefined;
// A process of its own, so that nothing of the attack delays its reading of the clock.
answerParent(async (job: TenantJob | 'end'): Promise<number[]> => {
  if (job === 'end') return (await running?.end()) ?? [];
  running = askEvenly(job);
  return [];
});
