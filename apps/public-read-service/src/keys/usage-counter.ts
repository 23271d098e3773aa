import { repeat, type Logger } from '@blog-content/service-runtime';
import type { UsageIncrement, KeyUsageStore } from './key-usage-store.ts';
import { usageDay } from './usage-days.ts';

export interface UsageCounterOptions {
  readonly store: Pick<KeyUsageStore, 'add'>;
  readonly logger: Logger;
  readonly now: () => Date;
  /** How long counts stay in memory: a crash loses as much. */
  readonly intervalMs?: number;
}

const FLUSH_INTERVAL_MS = 10_000;
/** Most rows that wait for a database that is away; the oldest are dropped when there are more. */
const MAX_UNWRITTEN = 50_000;

interface Count {
  requests: number;
  notModified: number;
}

/**
 * Starts counting. A use belongs to the day (UTC) of the flush, at most one interval later, so that an answer need not
 * read the clock.
 */
export function startUsageCounter(options: UsageCounterOptions) {
  const { store, logger, now, intervalMs = FLUSH_INTERVAL_MS } = options;
  let counts = new Map<string, Count>();
  let unwritten: UsageIncrement[] = [];
  let flushing = Promise.resolve();

  async function write(): Promise<void> {
    const usedAt = now();
    const counted = counts;
    counts = new Map();
    const added = [...counted].map(([projectId, count]) => ({
      projectId,
      day: usageDay(usedAt),
      ...count,
      lastUsedAt: usedAt,
    }));
    unwritten = mergeUsage([...unwritten, ...added]);
    if (unwritten.length === 0) return;
    const writing = unwritten;
    unwritten = [];
    try {
      await store.add(writing);
    } catch (error) {
      unwritten = writing.slice(-MAX_UNWRITTEN);
      if (unwritten.length < writing.length) logger.warn('key_usage.lost', { rows: writing.length - unwritten.length });
      throw error;
    }
  }

  const flush = (): Promise<void> => {
    const written = flushing.then(write);
    flushing = written.catch(() => undefined);
    return written;
  };
  const flushes = repeat('key_usage.flush', intervalMs, flush, logger);

  return {
    /** One answer given with a project's key. Costs a look-up in a map; never fails. */
    count: (projectId: string, isNotModified: boolean): void => {
      let count = counts.get(projectId);
      if (count === undefined) counts.set(projectId, (count = { requests: 0, notModified: 0 }));
      count.requests += 1;
      if (isNotModified) count.notModified += 1;
    },
    flush,
    /** Stops, and stores the rest if the database takes it. */
    async stop(): Promise<void> {
      await flushes.stop();
      await flush().catch((error: unknown) => logger.warn('key_usage.lost', { error }));
    },
  };
}

/** One row for each project and day, in the order of their first. */
function mergeUsage(usage: readonly UsageIncrement[]): UsageIncrement[] {
  const rows = new Map<string, UsageIncrement>();
  for (const added of usage) {
    const key = `${added.projectId} ${added.day}`;
    const known = rows.get(key);
    const sum = known && {
      requests: known.requests + added.requests,
      notModified: known.notModified + added.notModified,
    };
    rows.set(key, { ...added, ...sum });
  }
  return [...rows.values()];
}
