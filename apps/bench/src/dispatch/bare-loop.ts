import { Agent, request } from 'undici';

/** A request that needs no more than to be sent. */
export interface SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface BareLoop {
  readonly concurrency: number;
  readonly requests: readonly SignedRequest[];
}

/** What is left of a dispatcher without all that makes it one: posts what is signed already. Gives its seconds. */
export async function runBareLoop({ concurrency, requests }: BareLoop): Promise<number> {
  const dispatcher = new Agent();
  const startedAt = performance.now();
  let next = 0;
  const loops = Array.from({ length: concurrency }, async () => {
    for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
      const { url, headers, body } = one;
      const answer = await request(url, { method: 'POST', headers, body, dispatcher });
      await answer.body.dump();
    }
  });
  await Promise.all(loops);
  return (performance.now() - startedAt) / 1_000;
}
