import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import got from 'got';
import { Agent, request } from 'undici';

/** A request that needs no more than to be sent. */
export interface SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface BareLoop {
  readonly client: 'undici' | 'got' | 'node:http';
  readonly concurrency: number;
  readonly requests: readonly SignedRequest[];
}

/** What is left of a dispatcher without all that makes it one: posts what is signed already. Gives its seconds. */
export async function runBareLoop({ client, concurrency, requests }: BareLoop): Promise<number> {
  const post = CLIENTS[client]();
  const startedAt = performance.now();
  let next = 0;
  const loops = Array.from({ length: concurrency }, async () => {
    for (let one = requests[next++]; one !== undefined; one = requests[next++]) await post(one);
  });
  await Promise.all(loops);
  return (performance.now() - startedAt) / 1_000;
}

const CLIENTS = {
  undici: () => {
    const dispatcher = new Agent();
    return async ({ url, headers, body }: SignedRequest) => {
      const answer = await request(url, { method: 'POST', headers, body, dispatcher });
      await answer.body.dump();
    };
  },
  got: () => {
    const agent = { http: new HttpAgent({ keepAlive: true }) };
    return async ({ url, headers, body }: SignedRequest) => {
      await got.post(url, { headers, body: Buffer.from(body), agent, retry: { limit: 0 } });
    };
  },
  'node:http': () => {
    const agent = new HttpAgent({ keepAlive: true });
    return ({ url, headers, body }: SignedRequest) =>
      new Promise<void>((resolve, reject) => {
        const call = httpRequest(url, { method: 'POST', agent, headers }, (answer) => {
          answer.resume();
          answer.once('end', resolve);
        });
        call.once('error', reject);
        call.end(body);
      });
  },
};
