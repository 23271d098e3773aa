import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const GIVE_UP_AFTER_MS = 30_000;
const POLL_MS = 2;

/** When (ms since the epoch) the public API first answered 200 for the slug; asks again every 2 ms. */
export async function watchVisibility(options: { origin: string; publicKey: string; slug: string }): Promise<number> {
  const deadline = performance.now() + GIVE_UP_AFTER_MS;
  while (performance.now() < deadline) {
    if ((await statusOf(options)) === 200) return performance.timeOrigin + performance.now();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${options.slug} did not become visible within ${GIVE_UP_AFTER_MS / 1000} s.`);
}

function statusOf(options: { origin: string; publicKey: string; slug: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${options.origin}/blog/api/v1/public/blogs/${options.slug}`,
      { agent, headers: { authorization: `Bearer ${options.publicKey}` } },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    call.once('error', reject);
    call.end();
  });
}
