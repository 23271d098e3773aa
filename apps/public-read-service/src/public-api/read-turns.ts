import { createFairQueue, type FairQueue } from '@blog-content/concurrency';
import { DEEP_OFFSET } from '../queries/read-statements.ts';
import type { PublicQuery } from '../request/parse-public-query.ts';

/** Connections that reads leave to the look-ups of keys. */
const KEY_CONNECTIONS = 2;
/** Reads that wait: of one account as many as a site's build asks for at once. */
const WAITING = { waitingEach: 5_000, waiting: 20_000, maxWaitMs: 10_000 } as const;

export interface ReadTurns {
  /**
   * Waits until the database may be asked.
   *
   * @returns what ends the turn; calling it again does nothing.
   * @throws TooBusy
   */
  enter(accountId: string, query: PublicQuery): Promise<() => void>;
}

/** What looks at all posts of a project, or at as many links, and at all words of the posts. */
type LongRead = 'walk' | 'search';

/**
 * Shares the connections for reads out: an account has half of them, in however many projects, and accounts take turns.
 * What looks at all posts of a project takes as long as it has posts, and a search longer: of each an account has one
 * at a time, and all accounts together have a third and a quarter of the connections. However many wait, others find
 * connections, and a database that has time.
 */
export function createReadTurns(connections: number): ReadTurns {
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

function longReadOf(asked: PublicQuery): LongRead | null {
  switch (asked.kind) {
    case 'list': {
      const { category, tag, search, offset } = asked.query;
      if (search !== undefined) return 'search';
      return category !== null || tag !== undefined || offset >= DEEP_OFFSET ? 'walk' : null;
    }
    case 'related':
    case 'sitemap':
    case 'sitemap-file':
      return 'walk';
    case 'blog':
    case 'json-ld':
    case 'feed':
    case 'llms':
      return null;
    case 'changes': {
      const { since } = asked.query;
      return since !== null && !('upTo' in since) ? 'walk' : null;
    }
  }
}
