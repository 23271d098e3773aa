import type { deployHookRequestLog } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../database/open-database.ts';

/** A request as members see it, and its position in the history. */
export interface LoggedRequest {
  /** Decimal; grows with every request. */
  readonly position: string;
  readonly request: z.infer<typeof deployHookRequestLog>;
}

/** Reads the history of a project's deploy hook. */
export interface RequestLogStore {
  /** Newest first, from before `beforePosition`. */
  list(projectId: string, beforePosition: string | null, limit: number): Promise<LoggedRequest[]>;
}

const withAttempts = { attemptLog: { orderBy: { number: 'asc' } } } satisfies Prisma.DeployHookRequestInclude;
type Row = Prisma.DeployHookRequestGetPayload<{ include: typeof withAttempts }>;

export function createRequestLogStore(database: Database): RequestLogStore {
  return {
    async list(projectId, beforePosition, limit) {
      const rows = await database.deployHookRequest.findMany({
        where: { projectId, ...(beforePosition !== null && { position: { lt: BigInt(beforePosition) } }) },
        orderBy: { position: 'desc' },
        take: limit,
        include: withAttempts,
      });
      return rows.map((row) => ({ position: row.position.toString(), request: fromRow(row) }));
    },
  };
}

function fromRow(row: Row): LoggedRequest['request'] {
  return {
    id: row.id,
    kind: row.kind as LoggedRequest['request']['kind'],
    status: row.status as LoggedRequest['request']['status'],
    reason: row.reason,
    detail: row.detail,
    warning: warningOf(row),
    status_code: row.statusCode,
    changes: { published: row.published, unpublished: row.unpublished, deleted: row.deleted },
    blog_ids: row.blogIds,
    created_at: row.createdAt.toISOString(),
    next_attempt_at: row.status === 'waiting' ? row.dueAt.toISOString() : null,
    finished_at: row.finishedAt?.toISOString() ?? null,
    attempts: row.attemptLog.map((attempt) => ({
      number: attempt.number,
      started_at: attempt.startedAt.toISOString(),
      ended_at: attempt.endedAt?.toISOString() ?? null,
      status_code: attempt.statusCode,
      reason: attempt.reason,
      detail: attempt.detail,
      timings:
        attempt.totalMs === null
          ? null
          : { connected_ms: attempt.connectedMs, answer_ms: attempt.answerMs, total_ms: attempt.totalMs },
    })),
  };
}

function warningOf({ notServed, published, unpublished, deleted }: Row): string | null {
  if (notServed === 0) return null;
  const all = published + unpublished + deleted;
  return `The public API did not confirm ${notServed} of ${all} changes within the wait time.`;
}
