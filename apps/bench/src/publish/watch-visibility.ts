import { Agent, request } from 'undici';

const dispatcher = new Agent({ connections: 64 });
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

async function statusOf(options: { origin: string; publicKey: string; slug: string }): Promise<number> {
  const headers = { authorization: `Bearer ${options.publicKey}` };
  const url = `${options.origin}/blog/api/v1/public/blogs/${options.slug}`;
  const { statusCode, body } = await request(url, { dispatcher, headers });
  await body.dump();
  return statusCode;
}
