import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Blog } from '../generated/types.gen.ts';
import { connectTo } from './connect.ts';
import { followStream } from './follow-stream.ts';
import { savesUnderWay } from './saves-under-way.ts';
import { whatToRead, type HasVersion, type News } from './what-to-read.ts';

/** A bulk publish tells hundreds of things within a second: they are read in one go. */
const GATHER_MS = 250;

/** What the tab with the stream passes on to the others. */
interface NewsMessage {
  readonly news: News;
  readonly lastId: string | undefined;
}

/**
 * Refetches what the open page shows whenever the project reports a change. A browser has six connections to an origin
 * over HTTP/1.1, so its tabs share one stream: the tab that holds the lock has it.
 */
export function useProjectNews(projectId: string | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (projectId === undefined) return;
    const left = new AbortController();
    const name = `blog-content-news-${projectId}`;
    const tabs = new BroadcastChannel(name);
    const gather = gatherInto(queries);
    let lastId: string | undefined;
    tabs.onmessage = ({ data }: MessageEvent<NewsMessage>) => {
      lastId = data.lastId;
      gather(data.news);
    };
    const follow = () =>
      followStream({
        connect: connectTo(projectId, left.signal),
        lastId,
        hear: (news, id) => {
          if (left.signal.aborted) return;
          tabs.postMessage({ news, lastId: id } satisfies NewsMessage);
          gather(news);
        },
        sleep: (ms) => sleep(ms, left.signal),
        random: Math.random,
        signal: left.signal,
      });
    navigator.locks.request(name, { signal: left.signal }, follow).catch(() => undefined);
    return () => {
      left.abort();
      tabs.close();
    };
  }, [projectId, queries]);
}

function gatherInto(queries: QueryClient): (news: News) => void {
  let gathered: News[] = [];
  const read = () => {
    const keys = whatToRead(gathered, hasVersionIn(queries));
    gathered = [];
    if (keys === 'everything') void queries.invalidateQueries();
    else for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
  };
  return (news) => {
    if (gathered.length === 0) setTimeout(read, GATHER_MS);
    gathered.push(news);
  };
}

/** A post whose save is under way needs no reading either: the answer says which version it has, or refuses. */
const hasVersionIn =
  (queries: QueryClient): HasVersion =>
  (blogId, version) =>
    savesUnderWay.has(blogId) ||
    queries
      .getQueriesData<Blog>({ queryKey: [{ _id: 'getBlog', path: { blogId } }] })
      .some(([, blog]) => blog !== undefined && blog.version >= version);

/** Until then, or until the page is left. Coming back online ends the wait. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      window.removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    window.addEventListener('online', done, { once: true });
  });
}
