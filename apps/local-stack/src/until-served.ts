import got from 'got';

const GIVE_UP_AFTER_MS = 15_000;
const POLL_MS = 5;

/**
 * When (on `performance.now()`) the public API first served a revision published at `notBefore` or later; null if it
 * did not within 15 s.
 */
export async function untilServed(options: {
  origin: string;
  publicKey: string;
  slug: string;
  notBefore: Date;
}): Promise<number | null> {
  const url = `${options.origin}/blog/api/v1/public/blogs/${options.slug}`;
  const headers = { authorization: `Bearer ${options.publicKey}` };
  const deadline = performance.now() + GIVE_UP_AFTER_MS;
  while (performance.now() < deadline) {
    const answer = await got(url, { headers, throwHttpErrors: false, retry: { limit: 0 } });
    if (answer.statusCode === 200) {
      const { updated_at } = JSON.parse(answer.body) as { updated_at: string };
      if (new Date(updated_at) >= options.notBefore) return performance.now();
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}
