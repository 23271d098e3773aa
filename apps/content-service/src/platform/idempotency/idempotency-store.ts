import { setTimeout as sleep } from 'node:timers/promises';
import { sqlStateOf } from '@blog-content/postgres';
import type { Prisma } from '../../generated/prisma/client.ts';
import { longTransaction, type Database, type Transaction } from '../database/open-database.ts';

/** What is asked to happen once. */
export interface OnceRequest {
  /** The account or agent key that asks; keys of different callers never meet. */
  readonly callerId: string;
  readonly key: string;
  /** The blog, for one item of a bulk request; else empty. */
  readonly item: string;
  /** Tells whether a repetition is one. */
  readonly fingerprint: string;
}

/** What is stored of a request; survives JSON. */
export type StoredResult = Prisma.InputJsonObject;

/** What a result tells of: it is emptied when the blog or the project is deleted. */
export interface Subject {
  readonly projectId?: string | undefined;
  readonly blogId?: string | undefined;
}

export type OnceResult<Result extends StoredResult> =
  | { readonly kind: 'done'; readonly result: Result }
  /** What an earlier request came to. */
  | { readonly kind: 'repeated'; readonly result: Result }
  /** An earlier request was done, and what it came to has been deleted since. */
  | { readonly kind: 'deleted' }
  | { readonly kind: 'other_request' }
  /** An earlier one with this key has not ended yet, or more wait for it than may. */
  | { readonly kind: 'busy' };

/** PostgreSQL's `lock_not_available`. */
const LOCK_TIMEOUT = '55P03';

/** How long a repetition waits for the request that it repeats, and how long it pauses between tries. */
const WAIT_MS = 10_000;
const PAUSE_MS = 200;
/** Most repetitions of one caller that wait in one process: its other writes are to go on. */
const MAX_WAITING = 3;
/** How long one try waits when another replica has the key locked: it holds a connection. */
const LOCK_TIMEOUT_MS = 50;
const MAX_DELETED_PER_BATCH = 1_000;
const MAX_EMPTIED_PER_BATCH = 100;

export type IdempotencyStore<Stores> = ReturnType<typeof createIdempotencyStore<Stores>>;

/**
 * Makes things happen once, however often they are asked for (draft-ietf-httpapi-idempotency-key-header).
 *
 * @param storesOn makes the stores that work is done with, on the database or on a transaction.
 */
export function createIdempotencyStore<Stores>(
  database: Database,
  clock: () => Date,
  storesOn: (database: Database | Transaction) => Stores,
) {
  /** How many repetitions wait, by caller. */
  const waiting = new Map<string, number>();

  /** Null when another transaction has the key locked. */
  async function tryOnce<Result extends StoredResult>(
    { callerId, key, item, fingerprint }: OnceRequest,
    work: (stores: Stores) => Promise<Result>,
    subjectOf: (result: Result) => Subject,
  ): Promise<OnceResult<Result> | null> {
    const id = { callerId, key, item };
    let isClaiming = true;
    try {
      return await database.$transaction(async (tx): Promise<OnceResult<Result> | null> => {
        await tx.$executeRaw`SELECT set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true)`;
        // Waits while another transaction is inserting the same key.
        const claimed = await tx.$executeRaw`
          INSERT INTO idempotent_request (caller_id, key, item, fingerprint, created_at)
          VALUES (${callerId}::uuid, ${key}, ${item}, ${fingerprint}, ${clock()}) ON CONFLICT DO NOTHING`;
        await tx.$executeRaw`SELECT set_config('lock_timeout', '0', true)`;
        isClaiming = false;
        if (claimed === 0) {
          const before = await tx.idempotentRequest.findUnique({ where: { callerId_key_item: id } });
          if (before === null) return null;
          if (before.fingerprint !== fingerprint) return { kind: 'other_request' };
          if (before.result === null) return { kind: 'deleted' };
          return { kind: 'repeated', result: before.result as Result };
        }
        const result = await work(storesOn(tx));
        const { projectId = null, blogId = null } = subjectOf(result);
        await tx.idempotentRequest.update({
          where: { callerId_key_item: id },
          data: { result, projectId, blogId },
        });
        return { kind: 'done', result };
      }, longTransaction());
    } catch (error) {
      if (isClaiming && sqlStateOf(error) === LOCK_TIMEOUT) return null;
      throw error;
    }
  }

  return {
    /** On the database, for requests without a key. */
    stores: storesOn(database),

    /**
     * Runs `work` and remembers its result, in one transaction with all that `work` does with the stores that it is
     * given: either both are there after a crash or neither. When `work` throws, nothing of it has happened and the key
     * is free again. A repetition waits for the request that it repeats, and holds no connection between its tries.
     *
     * @param subjectOf what the result tells of; nothing when left out.
     */
    async once<Result extends StoredResult>(
      request: OnceRequest,
      work: (stores: Stores) => Promise<Result>,
      subjectOf: (result: Result) => Subject = () => ({}),
    ): Promise<OnceResult<Result>> {
      const { callerId } = request;
      const deadline = performance.now() + WAIT_MS;
      const first = await tryOnce(request, work, subjectOf);
      const others = waiting.get(callerId) ?? 0;
      if (first !== null || others >= MAX_WAITING) return first ?? { kind: 'busy' };
      waiting.set(callerId, others + 1);
      try {
        while (performance.now() < deadline) {
          await sleep(PAUSE_MS);
          const result = await tryOnce(request, work, subjectOf);
          if (result !== null) return result;
        }
        return { kind: 'busy' };
      } finally {
        const left = (waiting.get(callerId) ?? 1) - 1;
        if (left > 0) waiting.set(callerId, left);
        else waiting.delete(callerId);
      }
    },

    /** Deletes results stored before `time`, a batch at a time. @returns how many. */
    deleteBefore: (time: Date): Promise<number> =>
      database.$executeRaw`
        DELETE FROM idempotent_request WHERE (caller_id, key, item) IN (
          SELECT caller_id, key, item FROM idempotent_request WHERE created_at < ${time}
          ORDER BY created_at LIMIT ${MAX_DELETED_PER_BATCH} FOR UPDATE SKIP LOCKED)`,
  };
}

/**
 * Empties the results that tell of a blog, in the transaction that deletes it: no content outlives it. The keys stay,
 * so that a repetition makes nothing again.
 */
export async function emptyResultsOfBlog(tx: Transaction, blogId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE idempotent_request SET result = NULL WHERE blog_id = ${blogId}::uuid AND result IS NOT NULL`;
}

/** Does the same for a deleted project, a batch at a time. @returns how many. */
export function emptyResultsOfProject(database: Database, projectId: string): Promise<number> {
  return database.$executeRaw`
    UPDATE idempotent_request SET result = NULL WHERE (caller_id, key, item) IN (
      SELECT caller_id, key, item FROM idempotent_request
      WHERE project_id = ${projectId}::uuid AND result IS NOT NULL
      LIMIT ${MAX_EMPTIED_PER_BATCH} FOR UPDATE SKIP LOCKED)`;
}
