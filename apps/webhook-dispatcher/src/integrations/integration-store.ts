import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../open-database.ts';
import { finishWaiting } from '../delivery/finish-store.ts';

/** A receiver as stored: what is secret is sealed. */
export interface StoredIntegration {
  readonly id: string;
  /** Decimal; grows with every integration created. */
  readonly position: string;
  readonly projectId: string;
  readonly name: string;
  readonly url: string;
  readonly sealedSecret: string | null;
  readonly sealedHeaders: string | null;
  readonly active: boolean;
  readonly createdAt: Date;
}

export type NewIntegration = Omit<StoredIntegration, 'position' | 'createdAt'>;
export type IntegrationChanges = Partial<
  Pick<NewIntegration, 'name' | 'url' | 'sealedSecret' | 'sealedHeaders' | 'active'>
>;

/** The receivers of all projects. Deleted ones are never returned. */
export interface IntegrationStore {
  /** Null when the project already has `limit` of them. */
  create(integration: NewIntegration, limit: number): Promise<StoredIntegration | null>;
  /** In order of creation, from after `afterPosition`. */
  list(projectId: string, afterPosition: string | null, limit: number): Promise<StoredIntegration[]>;
  find(projectId: string, id: string): Promise<StoredIntegration | null>;
  update(projectId: string, id: string, changes: IntegrationChanges): Promise<StoredIntegration | null>;
  /** Deletes it and ends its waiting deliveries as failed, `integration_deleted`. False when there is none. */
  remove(projectId: string, id: string): Promise<boolean>;
}

const columns = {
  id: true,
  position: true,
  projectId: true,
  name: true,
  url: true,
  sealedSecret: true,
  sealedHeaders: true,
  active: true,
  createdAt: true,
} satisfies Prisma.IntegrationSelect;

type Row = Prisma.IntegrationGetPayload<{ select: typeof columns }>;

export function createIntegrationStore(database: Database): IntegrationStore {
  return {
    async create(integration, limit) {
      return database.$transaction(async (tx) => {
        // Two creations at once count one after the other.
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`integrations:${integration.projectId}`}, 0))`;
        const count = await tx.integration.count({ where: { projectId: integration.projectId, deletedAt: null } });
        if (count >= limit) return null;
        return fromRow(await tx.integration.create({ data: integration, select: columns }));
      });
    },

    async list(projectId, afterPosition, limit) {
      const rows = await database.integration.findMany({
        where: {
          projectId,
          deletedAt: null,
          ...(afterPosition !== null && { position: { gt: BigInt(afterPosition) } }),
        },
        orderBy: { position: 'asc' },
        take: limit,
        select: columns,
      });
      return rows.map(fromRow);
    },

    async find(projectId, id) {
      const row = await database.integration.findFirst({ where: { id, projectId, deletedAt: null }, select: columns });
      return row === null ? null : fromRow(row);
    },

    async update(projectId, id, changes) {
      const [row] = await database.integration.updateManyAndReturn({
        where: { id, projectId, deletedAt: null },
        data: changes,
        select: columns,
      });
      return row === undefined ? null : fromRow(row);
    },

    async remove(projectId, id) {
      return database.$transaction(async (tx) => {
        // The planner reads active integrations FOR SHARE: once this update is done, nothing new is planned for it.
        const { count } = await tx.integration.updateMany({
          where: { id, projectId, deletedAt: null },
          data: { active: false, deletedAt: new Date(), sealedSecret: null, sealedHeaders: null },
        });
        if (count === 0) return false;
        await finishWaiting(tx, Prisma.sql`integration_id = ${id}::uuid`, {
          outcome: 'failed',
          reason: 'integration_deleted',
          detail: 'The integration was deleted before the delivery was made.',
        });
        return true;
      });
    },
  };
}

function fromRow(row: Row): StoredIntegration {
  return { ...row, position: row.position.toString() };
}
