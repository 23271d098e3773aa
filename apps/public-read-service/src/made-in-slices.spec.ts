import { randomUUID } from 'node:crypto';
import { blogPublished, received } from '../test/events.ts';
import { applyLifecycleEvents } from './projection/apply-lifecycle-events.ts';
import { runPublicQuery } from './public-api/run-public-query.ts';
import type { BlogWithContent } from './queries/published-blog.ts';
import type { PublicReadStore } from './queries/public-read-store.ts';

/**
 * How many iterations of the event loop there were during the work. Everything that it awaits has to be there already.
 */
async function iterationsDuring(work: () => Promise<unknown>): Promise<number> {
  let iterations = 0;
  let isOver = false;
  const count = () => {
    if (isOver) return;
    iterations += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return iterations;
}

it('an RSS feed of nothing but quotes lets other requests run in between', async () => {
  const post: BlogWithContent = {
    ...{ id: randomUUID(), slug: 'tea', title: 'Tea', excerpt: '', metaTitle: null, metaDescription: null },
    ...{ featuredImageUrl: null, categories: [], tags: [], segments: ['"'.repeat(400_000)] },
    ...{ bindings: null, extra: {} },
    ...{ publishedAt: '2026-01-02T08:00:00.120Z', updatedAt: '2026-01-04T08:00:00.000Z' },
  };
  const links = { siteUrl: 'https://tea.example', targets: new Map(), translated: new Map(), authors: new Map() };
  const page = { ...links, version: '1', name: 'Tea', total: 5 };
  const store: Pick<PublicReadStore, 'listBlogs'> = {
    listBlogs: () =>
      Promise.resolve({
        ...page,
        contentBytes: 2_000_000,
        isLarge: false,
        blogs: Array.from({ length: 5 }, () => post),
      }),
  };
  const feed = { kind: 'feed', format: 'rss', limit: 50 } as const;
  expect(await iterationsDuring(() => runPublicQuery(store as PublicReadStore, 'project', feed))).toBeGreaterThan(0);
});

it('events of posts of nothing but brackets do so, too', async () => {
  const events = Array.from({ length: 4 }, () =>
    received(blogPublished({ blog_id: randomUUID(), revision: { content: '['.repeat(500_000) } })),
  );
  const store = {
    decideLifecycle: async (_subject: unknown, decide: (state: never) => Promise<unknown>) => {
      const state = { projects: new Map(), positions: new Map() };
      expect(await decide(state as never)).toMatchObject({ published: { length: 4 } });
      return { epoch: 1n, changedProjects: [] };
    },
    markAnnounced: () => Promise.resolve(),
  };
  const dependencies = {
    now: () => new Date(),
    waitForReplicas: () => Promise.resolve(),
    announce: () => Promise.resolve(),
  };
  expect(await iterationsDuring(() => applyLifecycleEvents(store, events, dependencies))).toBeGreaterThan(0);
});
