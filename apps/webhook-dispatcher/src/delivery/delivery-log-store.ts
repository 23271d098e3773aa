import type { delivery as deliverySchema } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../open-database.ts';

/** A delivery as the owner sees it, and its place in the log. */
export interface LoggedDelivery {
  /** Decimal; grows with every delivery planned. */
  readonly position: string;
  readonly delivery: z.infer<typeof deliverySchema>;
}

export interface DeliveryFilter {
  readonly integrationId?: string | undefined;
  readonly blogId?: string | undefined;
}

/** Reads the deliveries of one project. */
export interface DeliveryLogStore {
  /** Newest first, from before `beforePosition`. */
  list(
    projectId: string,
    filter: DeliveryFilter,
    beforePosition: string | null,
    limit: number,
  ): Promise<LoggedDelivery[]>;
  find(projectId: string, id: string): Promise<LoggedDelivery | null>;
}

const withAttempts = { attemptLog: { orderBy: { number: 'asc' } } } satisfies Prisma.DeliveryInclude;
type Row = Prisma.DeliveryGetPayload<{ include: typeof withAttempts }>;

export function createDeliveryLogStore(database: Database): DeliveryLogStore {
  return {
    async list(projectId, { integrationId, blogId }, beforePosition, limit) {
      const rows = await database.delivery.findMany({
        where: {
          projectId,
          ...(integrationId !== undefined && { integrationId }),
          ...(blogId !== undefined && { blogId }),
          ...(beforePosition !== null && { position: { lt: BigInt(beforePosition) } }),
        },
        orderBy: { position: 'desc' },
        take: limit,
        include: withAttempts,
      });
      return rows.map(fromRow);
    },

    async find(projectId, id) {
      const row = await database.delivery.findFirst({ where: { id, projectId }, include: withAttempts });
      return row === null ? null : fromRow(row);
    },
  };
}

function fromRow(row: Row): LoggedDelivery {
  return {
    position: row.position.toString(),
    delivery: {
      id: row.id,
      integration_id: row.integrationId,
      blog_id: row.blogId,
      publish_id: row.publishId,
      event: row.event,
      trigger: row.trigger as LoggedDelivery['delivery']['trigger'],
      status: row.status as LoggedDelivery['delivery']['status'],
      reason: row.reason,
      detail: row.detail,
      created_at: row.createdAt.toISOString(),
      finished_at: row.finishedAt?.toISOString() ?? null,
      attempts: row.attemptLog.map((attempt) => ({
        number: attempt.number,
        started_at: attempt.startedAt.toISOString(),
        ended_at: attempt.endedAt?.toISOString() ?? null,
        status_code: attempt.statusCode,
        reason: attempt.reason,
        detail: attempt.detail,
      })),
    },
  };
}
