import { createFairQueue, type FairQueue } from '@blog-content/concurrency';
import { DEEP_OFFSET } from '../queries/read-statements.ts';
import type { PublicQuery } from '../request/parse-public-query.ts';

/** Connections that reads leave to the look-ups of keys. */
const KEY_CONNECTIONS = 2;
/** Reads that may wait. One account has as many as a site's build asks for at once. */
const WAITING = { waitingEach: 5_000, waiting: 20_000, maxWaitMs: 10_000 } as const;

export interface ReadSlots {
  /**
   * Waits until the database may be asked.
   *
   * @returns what gives the slot back; calling it again does nothing.
   * @throws TooBusy
   */
  enter(accountId: string, query: PublicQuery): Promise<() => void>;
}

/** A walk looks at all posts of a project, or at as many links. A search looks at all words of its posts. */
type LongRead = 'walk' | 'search';

/**
 * Shares the connections for reads out among accounts. One has at most half of them, in all its projects together.
 *
 * A long read takes longer the more posts a project has. An account has one walk and one search at a time. All walks
 * together have a third of the connections, all searches a quarter: other reads always find some.
 */
export function createReadSlots(connections: number): ReadSlots {
  const share = (parts: number) => Math.max(1, Math.floor(connections / parts));
  const queue = (slots: number, slotsEach: number) => createFairQueue({ slots, slotsEach, ...WAITING });
  const reads = queue(Math.max(1, connections - KEY_CONNECTIONS), share(2));
  const longReads: Record<LongRead, FairQueue> = { walk: queue(share(3), 1), search: queue(share(4), 1) };
  return {
    async enter(accountId, query) {
      const long = longReadOf(query);
      if (long === null) return reads.enter(accountId);
      const leaveLong = await longReads[long].enter(accountId);
      try {
        const leave = await reads.enter(accountId);
        return () => {
          leave();
          leaveLong();
        };
      } catch (error) {
        leaveLong();
        throw error;
      }
    },
  };
}

function longReadOf(query: PublicQuery): LongRead | null {
  switch (query.kind) {
    case 'list': {
      const { category, tag, search, offset } = query.query;
      if (search !== undefined) return 'search';
      return category !== null || tag !== undefined || offset >= DEEP_OFFSET ? 'walk' : null;
    }
    case 'related':
    case 'sitemap':
    case 'sitemap-file':
    case 'redirects':
      return 'walk';
    case 'blog':
    case 'json-ld':
    case 'feed':
    case 'llms':
      return null;
    case 'changes': {
      const { since } = query.query;
      return since !== null && !('upTo' in since) ? 'walk' : null;
    }
  }
}
