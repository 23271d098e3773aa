import { lostOrWrong } from './check-links.ts';
import type { RenamedPost } from './renaming-posts.ts';

/** What readers saw while posts were renamed. */
export interface WatchedLinks {
  readonly reads: number;
  /** Reads of a slug that was another one's by then, or not yet this post's. */
  readonly missed: number;
  readonly lost: number;
  readonly wrong: number;
}

/** Reads posts at random, with this concurrency, until it is over. */
export async function watchLinks(
  { origin, publicKey }: { readonly origin: string; readonly publicKey: string },
  posts: readonly RenamedPost[],
  options: { readonly readers: number; readonly random: () => number; readonly over: AbortSignal },
): Promise<WatchedLinks> {
  const seen = { reads: 0, missed: 0, lost: 0, wrong: 0 };
  const read = async () => {
    while (!options.over.aborted) {
      const post = posts[Math.floor(options.random() * posts.length)];
      if (post === undefined) return;
      const blog = await readBlog(origin, publicKey, post.slug);
      seen.reads += 1;
      if (blog?.id !== post.id) {
        seen.missed += 1;
        continue;
      }
      const { lost, wrong } = lostOrWrong(post, blog.content, posts);
      seen.lost += lost;
      seen.wrong += wrong;
    }
  };
  await Promise.all(Array.from({ length: options.readers }, read));
  return seen;
}

async function readBlog(origin: string, publicKey: string, slug: string) {
  const answer = await get(`${origin}/blog/api/v1/public/blogs/${slug}`, publicKey);
  return answer.status === 404 ? null : (answer.body as { id: string; content: string });
}

/** All redirects of a project. */
export async function readRedirects(origin: string, publicKey: string): Promise<ReadonlyMap<string, string>> {
  const redirects = new Map<string, string>();
  for (;;) {
    const url = `${origin}/blog/api/v1/public/redirects?limit=1000&offset=${redirects.size}`;
    const page = (await get(url, publicKey)).body as { redirects: { from: string; to: string }[]; total: number };
    for (const { from, to } of page.redirects) redirects.set(from, to);
    if (page.redirects.length === 0 || redirects.size >= page.total) return redirects;
  }
}

async function get(url: string, publicKey: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${publicKey}` } });
  if (!answer.ok && answer.status !== 404) throw new Error(`${url} answered ${answer.status}`);
  return { status: answer.status, body: await answer.json() };
}
