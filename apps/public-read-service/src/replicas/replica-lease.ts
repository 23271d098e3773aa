import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@blog-content/service-runtime';
import { Client } from 'pg';
import { parseMessage, READ_MODEL_CHANNEL, type ReadModelChange } from './read-model-change.ts';

/** How long a replica may answer from its cache after it began to ask whether it still may, in milliseconds. */
export const LEASE_MS = 1_000;
const RENEW_EVERY_MS = 200;
const STATEMENT_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_MS = { first: 50, longest: 1_000 } as const;
/** Rows of processes that died are removed after this. */
const FORGET_AFTER = '1 day';

/** Name of the PostgreSQL channel on which replicas say how far they have come: id, blank, epoch. */
const SEEN_CHANNEL = 'replica_seen';

/** What a replica has to let go when it changes. */
export interface Invalidated {
  drop(projectIds: readonly string[]): void;
  dropAll(): void;
}

export interface ReplicaLeaseOptions {
  readonly databaseUrl: string;
  readonly cache: Invalidated;
  /** Told of each replica's progress, this one's included. */
  readonly onSeen: (replicaId: string, epoch: bigint) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Milliseconds of a clock that never goes back and does not stop while the process is stopped. */
  readonly monotonicMs: () => number;
}

/** This process's permission to answer from memory (ADR 21). */
export interface ReplicaLease {
  readonly replicaId: string;
  /** Whether what the cache holds is known to be what the database says. Asked before every answer from it. */
  isValid(): boolean;
  /** Lets go of what a change concerns that this process itself has committed, without waiting to be told of it. */
  committed(change: ReadModelChange): void;
  /** Gives the lease up and says so to the others. Idempotent. */
  close(): Promise<void>;
}

/**
 * Keeps the lease: one connection of its own hears of every change, and renews by asking for the epoch of the newest one.
 * An epoch that was not heard of empties the cache before the lease goes on. Never rejects: while the database is away there
 * is no lease.
 */
export function startReplicaLease(options: ReplicaLeaseOptions): ReplicaLease {
  const { databaseUrl, cache, onSeen, logger, monotonicMs } = options;
  const replicaId = randomUUID();
  const stopping = new AbortController();
  let validUntilMs = 0;
  let validUntilWallMs = 0;
  let connected: Client | null = null;
  let follow: ((change: ReadModelChange) => void) | null = null;

  function end(): void {
    validUntilMs = 0;
  }

  /** Runs until the connection is lost; rejects with the reason. */
  async function hold(onConnected: () => void): Promise<void> {
    const client = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'public-read-service lease',
    });
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => undefined);
    client.on('error', lost.reject);
    client.on('end', () => lost.reject(new Error('The connection ended.')));
    try {
      await Promise.race([client.connect(), lost.promise]);
      connected = client;
      await Promise.race([serve(client, lost, onConnected), lost.promise]);
    } finally {
      end();
      connected = null;
      follow = null;
      client.removeAllListeners('notification');
      // One that no longer answers would keep a polite end waiting.
      void client.end().catch(() => undefined);
    }
  }

  async function serve(client: Client, lost: { reject: (error: unknown) => void }, onConnected: () => void) {
    let seen = 0n;
    let saying = false;
    let said = 0n;

    const say = async (): Promise<void> => {
      if (saying) return;
      saying = true;
      try {
        while (said < seen) {
          said = seen;
          await client.query(
            // Should a crash of the server lose it, others wait longer.
            `WITH moved AS (UPDATE replica SET seen_epoch = $2 WHERE id = $1 RETURNING id)
             SELECT pg_notify('${SEEN_CHANNEL}', id || ' ' || $2::bigint), set_config('synchronous_commit', 'off', true)
             FROM moved`,
            [replicaId, String(said)],
          );
        }
      } catch (error) {
        lost.reject(error);
      } finally {
        saying = false;
      }
    };
    const moveTo = (epoch: bigint): void => {
      seen = epoch;
      onSeen(replicaId, epoch);
    };

    /** False when it is not the very next change, or concerns all projects: nothing was done then. */
    const followNext = ({ epoch, projectIds }: ReadModelChange): boolean => {
      if (epoch !== seen + 1n || projectIds === null) return false;
      cache.drop(projectIds);
      moveTo(epoch);
      return true;
    };
    // What happened in between is heard of in its order. The others hear of this one with the renewal: who commits a change waits for
    // them, and hardly ever they for this replica.
    follow = followNext;

    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === SEEN_CHANNEL) {
        const [id = '', epoch = '0'] = payload.split(' ');
        if (id !== replicaId) onSeen(id, BigInt(epoch));
        return;
      }
      const change = parseMessage(payload);
      if (change === null) {
        cache.dropAll();
        return;
      }
      if (change.epoch <= seen) return;
      if (!followNext(change)) {
        cache.dropAll();
        moveTo(change.epoch);
      }
      void say();
    });
    await client.query(`LISTEN ${READ_MODEL_CHANNEL}; LISTEN ${SEEN_CHANNEL}`);
    await client.query(`DELETE FROM replica WHERE renewed_at < clock_timestamp() - interval '${FORGET_AFTER}'`);
    await client.query(
      `INSERT INTO replica (id, seen_epoch, renewed_at) VALUES ($1, 0, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_epoch = 0, renewed_at = excluded.renewed_at`,
      [replicaId],
    );
    onConnected();

    while (!stopping.signal.aborted) {
      const askedAtMs = monotonicMs();
      const askedAtWallMs = Date.now();
      // Two statements: the epoch is read after the row was committed, and is on disk. Who changes something and then finds the
      // row as it was before may rely on this replica to have read the new epoch, a crash of the server in between or not.
      const renewal = await client.query(
        'UPDATE replica SET renewed_at = clock_timestamp(), seen_epoch = greatest(seen_epoch, $2) WHERE id = $1',
        [replicaId, String(seen)],
      );
      if (renewal.rowCount === 0) throw new Error('The row of this replica is gone.');
      const { rows } = await client.query<{ epoch: string }>('SELECT epoch FROM read_epoch');
      const epoch = BigInt(rows[0]?.epoch ?? 0);
      if (epoch > seen) {
        cache.dropAll();
        moveTo(epoch);
        void say();
      }
      if (stopping.signal.aborted) return;
      validUntilMs = askedAtMs + LEASE_MS;
      validUntilWallMs = askedAtWallMs + LEASE_MS;
      await sleep(RENEW_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function keep(): Promise<void> {
    let pauseMs: number = RECONNECT_MS.first;
    while (!stopping.signal.aborted) {
      try {
        await hold(() => {
          pauseMs = RECONNECT_MS.first;
          logger.info('cache.lease_held', { replica_id: replicaId });
        });
      } catch (error) {
        if (stopping.signal.aborted) return;
        cache.dropAll();
        logger.warn('cache.lease_lost', { error, retry_in_ms: pauseMs });
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
        pauseMs = Math.min(2 * pauseMs, RECONNECT_MS.longest);
      }
    }
  }

  const kept = keep();
  let closed: Promise<void> | undefined;
  return {
    replicaId,
    // The wall clock besides, for a machine that was suspended: its monotonic clock stood still.
    isValid: () => monotonicMs() < validUntilMs && Date.now() < validUntilWallMs,
    committed: (change) => follow?.(change),
    close() {
      closed ??= (async () => {
        end();
        const client = connected;
        stopping.abort();
        await client?.query('DELETE FROM replica WHERE id = $1', [replicaId]).catch(() => undefined);
        await kept;
      })();
      return closed;
    },
  };
}
