import type { Logger } from '@blog-content/service-runtime';
import type { Pool } from 'pg';
import { createReadCache, type ReadCache } from './cache/read-cache.ts';
import type { Visible } from './projection/projection-store.ts';
import { createAnswerBudget, type AnswerBudget } from './http/answer-budget.ts';
import { createAnswerRequest, type AnswerRequest } from './public-api/answer-request.ts';
import { createFindProject } from './queries/find-project.ts';
import { createPublicReadStore } from './queries/public-read-store.ts';
import { createRateLimit, type RateLimit } from './http/rate-limit.ts';
import { startReplicaLease, type ReplicaLease } from './replicas/replica-lease.ts';
import { createReplicaBarrier, type ReplicaBarrier } from './replicas/wait-for-replicas.ts';

export interface ReadPathOptions {
  readonly databaseUrl: string;
  /** Connections for requests. */
  readonly pool: Pool;
  /** Connections for changes of the read model. */
  readonly projectionPool: Pool;
  /** Connections for pages too large to be read at once. */
  readonly largePages: Pool;
  /** 0: nothing is kept. */
  readonly cacheBytes: number;
  /** 0: no limit. */
  readonly requestsPerMinute: number;
  readonly logger: Logger;
}

/** What answers requests of the public API, from memory where it may. */
export interface ReadPath {
  readonly cache: ReadCache;
  readonly lease: ReplicaLease;
  readonly replicas: ReplicaBarrier;
  readonly rateLimit: RateLimit | null;
  readonly answerRequest: AnswerRequest;
  readonly budget: AnswerBudget;
  readonly nowMs: () => number;
  /** Resolves when no replica answers from before a change of the projection, this one at once. */
  waitForReplicas(visible: Visible): Promise<void>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Gives up the lease. The pool stays open. */
  close(): Promise<void>;
}

/** Puts the read path together and starts asking for the lease; until there is one, every request asks the database. */
export function openReadPath(options: ReadPathOptions): ReadPath {
  const { databaseUrl, pool, projectionPool, largePages, cacheBytes, requestsPerMinute, logger } = options;
  const monotonicMs = () => performance.now();
  const nowMs = () => Date.now();
  const cache = createReadCache(cacheBytes);
  const replicas = createReplicaBarrier(projectionPool, monotonicMs);
  const onSeen = (replicaId: string, epoch: bigint) => replicas.seen(replicaId, epoch);
  const lease = startReplicaLease({ databaseUrl, cache, onSeen, logger, monotonicMs });
  const rateLimit = createRateLimit(requestsPerMinute);
  const store = createPublicReadStore(pool, largePages);
  const budget = createAnswerBudget(monotonicMs);
  const findProject = createFindProject(store);
  return {
    cache,
    lease,
    replicas,
    rateLimit,
    budget,
    answerRequest: createAnswerRequest({ store, findProject, cache, lease, rateLimit, budget, nowMs }),
    nowMs,
    waitForReplicas({ epoch, changedProjects }) {
      if (changedProjects !== null) lease.committed({ epoch, projectIds: changedProjects });
      return replicas.wait(epoch);
    },
    ping: async () => void (await pool.query('SELECT 1')),
    close: () => lease.close(),
  };
}
