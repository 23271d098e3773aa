import type { Database } from '../database/open-database.ts';
import type { StoredExchange } from '../delivery-log/exchange.ts';
import type { FailureReason } from '../http/judge.ts';
import { type TestKind, testEvent } from './build-test-body.ts';

/** Most tests and samples of one project in {@link WINDOW_S}. */
export const MAX_TESTS_PER_WINDOW = 10;
const WINDOW_S = 60;

export interface NewTest {
  readonly id: string;
  readonly kind: TestKind;
  readonly projectId: string;
  readonly integrationId: string;
}

export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'busy' | 'too_many'; readonly retryAfterS: number };

/** The outcome of a test. */
export interface EndedTest {
  readonly id: string;
  readonly endedAt: Date;
  readonly statusCode: number | null;
  /** Null when it succeeded. */
  readonly failure: { readonly reason: FailureReason; readonly detail: string } | null;
  readonly exchange: StoredExchange | null;
}

/**
 * Tests in the delivery log. They are in flight from the beginning and never wait, so no worker claims them; they have
 * no outcome events, and they change nothing of what a receiver has.
 */
export interface TestRequestStore {
  /** Writes a test down before its bytes leave, unless one of the receiver runs or the project has had too many. */
  begin(test: NewTest): Promise<Admission>;
  /** False when it was ended by then. */
  end(test: EndedTest): Promise<boolean>;
  /** Ends tests whose process died. Returns how many there were, a bounded number. */
  endAbandoned(): Promise<number>;
}

/** `Retry-After` while a test of the receiver runs, in seconds. */
const BUSY_RETRY_S = 5;

/**
 * @param abandonedAfterMs how long after its beginning a test cannot be recorded any more: longer than its deadline.
 */
export function createTestRequestStore(database: Database, abandonedAfterMs: number): TestRequestStore {
  const endAbandoned = async (): Promise<number> => {
    const reason: FailureReason = 'interrupted';
    const detail = 'The service stopped during the test. Whether the endpoint got it is unknown.';
    const rows = await database.$queryRaw<unknown[]>`
      WITH ended AS (
        UPDATE delivery SET status = 'failed', reason = ${reason}, detail = ${detail}, finished_at = now()
        WHERE id IN (
          SELECT d.id FROM delivery_attempt a JOIN delivery d ON d.id = a.delivery_id
          WHERE a.ended_at IS NULL AND d.kind IN ('test', 'sample') AND d.status = 'in_flight'
            AND d.created_at < now() - ${abandonedAfterMs} * interval '1 millisecond'
          LIMIT 500 FOR UPDATE OF d SKIP LOCKED)
        RETURNING id
      ),
      ended_attempts AS (
        UPDATE delivery_attempt a SET ended_at = now(), reason = ${reason}, detail = ${detail}
        FROM ended WHERE a.delivery_id = ended.id
      )
      SELECT 1 FROM ended`;
    return rows.length;
  };

  return {
    endAbandoned,

    async begin({ id, kind, projectId, integrationId }) {
      await endAbandoned();
      return database.$transaction(async (tx): Promise<Admission> => {
        // Concurrent requests are counted one after the other.
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`tests:${projectId}`}, 0))`;
        const [state] = await tx.$queryRaw<{ is_busy: boolean; count: number; oldest_age_s: number | null }[]>`
          SELECT coalesce(bool_or(integration_id = ${integrationId}::uuid AND status = 'in_flight'), false) AS is_busy,
            (count(*) FILTER (WHERE created_at > now() - ${WINDOW_S} * interval '1 second'))::integer AS count,
            (extract(epoch FROM now() - min(created_at)
              FILTER (WHERE created_at > now() - ${WINDOW_S} * interval '1 second')))::float8 AS oldest_age_s
          FROM delivery
          WHERE project_id = ${projectId}::uuid AND kind IN ('test', 'sample')
            AND (created_at > now() - ${WINDOW_S} * interval '1 second' OR status = 'in_flight')`;
        if (state?.is_busy === true) return { kind: 'busy', retryAfterS: BUSY_RETRY_S };
        if ((state?.count ?? 0) >= MAX_TESTS_PER_WINDOW) {
          return { kind: 'too_many', retryAfterS: WINDOW_S - (state?.oldest_age_s ?? 0) };
        }
        await tx.$executeRaw`
          INSERT INTO delivery (id, kind, integration_id, project_id, trigger, event, status, attempts)
          VALUES (${id}::uuid, ${kind}, ${integrationId}::uuid, ${projectId}::uuid, 'manual', ${testEvent(kind)},
            'in_flight', 1)`;
        await tx.$executeRaw`INSERT INTO delivery_attempt (delivery_id, number, started_at)
          VALUES (${id}::uuid, 1, now())`;
        return { kind: 'admitted' };
      });
    },

    async end({ id, endedAt, statusCode, failure, exchange }) {
      const { reason, detail } = failure ?? { reason: null, detail: null };
      const rows = await database.$queryRaw<unknown[]>`
        WITH ended AS (
          UPDATE delivery SET status = ${failure === null ? 'succeeded' : 'failed'}, reason = ${reason},
            detail = ${detail}, status_code = ${statusCode}, finished_at = ${endedAt}
          WHERE id = ${id}::uuid AND kind IN ('test', 'sample') AND status = 'in_flight'
          RETURNING id
        ),
        ended_attempt AS (
          UPDATE delivery_attempt a SET ended_at = ${endedAt}, status_code = ${statusCode}, reason = ${reason},
            detail = ${detail}, exchange = ${exchange === null ? null : JSON.stringify(exchange)}::json
          FROM ended WHERE a.delivery_id = ended.id AND a.number = 1
        )
        SELECT 1 FROM ended`;
      return rows.length > 0;
    },
  };
}
