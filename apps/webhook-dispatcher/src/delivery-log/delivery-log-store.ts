import type { delivery as deliverySchema } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../database/open-database.ts';
import { type StoredExchange, storedExchange } from './exchange.ts';

export type ShownDelivery = z.infer<typeof deliverySchema>;

/** A delivery as the owner sees it, and its position in the log. */
export interface LoggedDelivery {
  /** Decimal; grows with every delivery planned. */
  readonly position: string;
  readonly delivery: ShownDelivery;
}

/** A delivery with what each of its attempts sent and got. */
export interface DetailedDelivery extends LoggedDelivery {
  /** When it will be tried again; null unless it waits for that. */
  readonly nextAttemptAt: Date | null;
  /** By the number of the attempt; an attempt that has not ended, or sent nothing, has none. */
  readonly exchanges: ReadonlyMap<number, StoredExchange>;
  /** The integration's custom headers, sealed, by fingerprint; those no longer kept are left out. */
  readonly sealedHeaders: ReadonlyMap<string, string>;
}

export interface DeliveryFilter {
  readonly integrationId?: string | undefined;
  readonly blogId?: string | undefined;
  readonly kind?: ShownDelivery['kind'] | undefined;
  readonly status?: ShownDelivery['status'] | undefined;
  readonly event?: string | undefined;
  /** Planned at this time or later. */
  readonly since?: Date | undefined;
  /** Planned before this time. */
  readonly until?: Date | undefined;
}

const attemptColumns = {
  number: true,
  startedAt: true,
  endedAt: true,
  statusCode: true,
  reason: true,
  detail: true,
} satisfies Prisma.DeliveryAttemptSelect;
type AttemptRow = Prisma.DeliveryAttemptGetPayload<{ select: typeof attemptColumns }>;
type Row = Prisma.DeliveryGetPayload<object>;

export type DeliveryLogStore = ReturnType<typeof createDeliveryLogStore>;

/** Reads the deliveries of one project. */
export function createDeliveryLogStore(database: Database) {
  return {
    /** Newest first, from before `beforePosition`. */
    async list(
      projectId: string,
      { since, until, ...equal }: DeliveryFilter,
      beforePosition: string | null,
      limit: number,
    ): Promise<LoggedDelivery[]> {
      const rows = await database.delivery.findMany({
        where: {
          projectId,
          ...withoutUndefined(equal),
          ...((since !== undefined || until !== undefined) && {
            createdAt: withoutUndefined({ gte: since, lt: until }),
          }),
          ...(beforePosition !== null && { position: { lt: BigInt(beforePosition) } }),
        },
        orderBy: { position: 'desc' },
        take: limit,
      });
      // A list does not read what was sent and answered.
      const attempts = await database.deliveryAttempt.findMany({
        where: { deliveryId: { in: rows.map(({ id }) => id) } },
        select: { deliveryId: true, ...attemptColumns },
        orderBy: { number: 'asc' },
      });
      const attemptsOf = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
      const running = await loadRunning(database, rows);
      return rows.map((row) => fromRow(row, withRunning(attemptsOf.get(row.id), running.get(row.id))));
    },

    async find(projectId: string, id: string): Promise<DetailedDelivery | null> {
      const row = await database.delivery.findFirst({ where: { id, projectId } });
      if (row === null) return null;
      const attempts = await database.deliveryAttempt.findMany({
        where: { deliveryId: id },
        orderBy: { number: 'asc' },
      });
      const exchanges = new Map(
        attempts
          .filter(({ exchange }) => exchange !== null)
          .map(({ number, exchange }) => [number, storedExchange.parse(exchange)]),
      );
      const custom = [...exchanges.values()].flatMap(({ request }) => request.custom ?? []);
      const sealed = await database.integrationHeaders.findMany({
        where: { integrationId: row.integrationId, hash: { in: custom } },
      });
      return {
        ...fromRow(row, withRunning(attempts, (await loadRunning(database, [row])).get(id))),
        nextAttemptAt: await findNextAttempt(database, row),
        exchanges,
        sealedHeaders: new Map(sealed.map(({ hash, sealedHeaders }) => [hash, sealedHeaders])),
      };
    },
  };
}

async function findNextAttempt(database: Database, { status, position }: Row): Promise<Date | null> {
  // Deliveries in flight are in the queue, too.
  if (status !== 'pending') return null;
  const waiting = await database.queuedDelivery.findUnique({ where: { position, isRetry: true } });
  return waiting?.dueAt ?? null;
}

/** An attempt that runs has no row yet: its delivery's lease says when it began. */
async function loadRunning(database: Database, rows: readonly Row[]): Promise<ReadonlyMap<string, AttemptRow>> {
  const held = rows.flatMap(({ id, leaseToken, attempts: number }) => (leaseToken ? [{ id, leaseToken, number }] : []));
  if (held.length === 0) return new Map();
  const leases = await database.lease.findMany({
    where: { token: { in: held.map(({ leaseToken }) => leaseToken) } },
    select: { token: true, beganAt: true },
  });
  const beganAt = new Map(leases.map((lease) => [lease.token, lease.beganAt]));
  const none = { endedAt: null, statusCode: null, reason: null, detail: null };
  return new Map(
    held.flatMap(({ id, leaseToken, number }) => {
      const startedAt = beganAt.get(leaseToken);
      return startedAt === undefined ? [] : [[id, { number, startedAt, ...none }]];
    }),
  );
}

/**
 * The attempts in their order. One that has ended between two looks at the database is not shown as running as well.
 */
function withRunning(ended: readonly AttemptRow[] = [], running?: AttemptRow): readonly AttemptRow[] {
  const last = ended.at(-1)?.number ?? 0;
  return running !== undefined && running.number > last ? [...ended, running] : ended;
}

type WithoutUndefined<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** Without what is undefined. */
function withoutUndefined<Values extends object>(values: Values): WithoutUndefined<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<Values>;
}

function fromRow(row: Row, attempts: readonly AttemptRow[]): LoggedDelivery {
  return {
    position: row.position.toString(),
    delivery: {
      id: row.id,
      kind: row.kind as ShownDelivery['kind'],
      integration_id: row.integrationId,
      blog_id: row.blogId,
      publish_id: row.publishId,
      event: row.event,
      trigger: row.trigger as ShownDelivery['trigger'],
      status: row.status as ShownDelivery['status'],
      reason: row.reason,
      detail: row.detail,
      live_url: row.liveUrl,
      external_id: row.externalId,
      created_at: row.createdAt.toISOString(),
      finished_at: row.finishedAt?.toISOString() ?? null,
      attempts: attempts.map((attempt) => ({
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
