import type { IntegrationKind } from '@blog-content/payload-schemas';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../database/open-database.ts';
import { fingerprint, type ReceiverParts } from './integration-secrets.ts';
import { retireIntegrations } from './retire-integrations-store.ts';

/** A receiver as stored: what is secret is sealed. */
export interface StoredIntegration extends ReceiverParts {
  readonly id: string;
  /** Decimal; grows with every integration created. */
  readonly position: string;
  readonly projectId: string;
  readonly name: string;
  /** What may be shown to anybody in the project: its URL's origin. */
  readonly shownUrl: string;
  readonly active: boolean;
  /** Whether posts are sent again when what they link to has changed. */
  readonly healLinks: boolean;
  /** Whether manual deliveries that are planned from now on are retried. */
  readonly retryManual: boolean;
  readonly createdAt: Date;
  /** Deliveries that failed since the last that succeeded. */
  readonly failedInRow: number;
  /** When it began to fail without exception, and why; null while it does not count as failing. */
  readonly failingSince: Date | null;
  readonly failingReason: string | null;
}

export type NewIntegration = Omit<
  StoredIntegration,
  'position' | 'createdAt' | 'failedInRow' | 'failingSince' | 'failingReason'
>;
export type IntegrationChanges = Partial<
  Pick<
    NewIntegration,
    | 'name'
    | 'shownUrl'
    | 'sealedUrl'
    | 'sealedSecret'
    | 'sealedHeaders'
    | 'active'
    | 'healLinks'
    | 'retryManual'
    | 'standardWebhooks'
    | 'settings'
  >
> & {
  /** Whether it has got another address: what was known of posts and images there may not hold. */
  readonly hasMoved?: boolean;
};

export type CreationOutcome =
  | { readonly kind: 'created'; readonly integration: StoredIntegration }
  | { readonly kind: 'too_many' }
  | { readonly kind: 'project_gone' };

const columns = {
  id: true,
  position: true,
  projectId: true,
  name: true,
  shownUrl: true,
  sealedUrl: true,
  sealedSecret: true,
  sealedHeaders: true,
  active: true,
  healLinks: true,
  retryManual: true,
  standardWebhooks: true,
  kind: true,
  settings: true,
  createdAt: true,
  failedInRow: true,
  failingSince: true,
  failingReason: true,
} satisfies Prisma.IntegrationSelect;

type Row = Prisma.IntegrationGetPayload<{ select: typeof columns }>;

/** Ends, in the same transaction, a part of what waits for an integration that is being deleted. */
export type EndDeliveries = (tx: Prisma.TransactionClient, integrationId: string) => Promise<unknown>;

export type IntegrationStore = ReturnType<typeof createIntegrationStore>;

/** The receivers of all projects. Deleted ones are never returned. */
export function createIntegrationStore(database: Database, endDeliveries: EndDeliveries) {
  return {
    /** Adds it, unless the project already has `limit` of them or has been deleted. */
    async create(integration: NewIntegration, limit: number): Promise<CreationOutcome> {
      return database.$transaction(async (tx) => {
        // Concurrent creations count one after the other.
        await tx.$executeRaw`
          SELECT pg_advisory_xact_lock(hashtextextended(${`integrations:${integration.projectId}`}, 0))`;
        // A project that is being deleted is either seen as deleted, or deleted after this receiver is there to go with
        // it.
        const [project] = await tx.$queryRaw<{ deleted: boolean }[]>`
          SELECT deleted FROM project WHERE id = ${integration.projectId}::uuid FOR SHARE`;
        if (project?.deleted === true) return { kind: 'project_gone' };
        const count = await tx.integration.count({ where: { projectId: integration.projectId, deletedAt: null } });
        if (count >= limit) return { kind: 'too_many' };
        const created = await tx.integration.create({ data: toColumns(integration), select: columns });
        await keepHeaders(tx, integration.id, integration.sealedHeaders);
        if (integration.healLinks) await readLinksAgain(tx, integration.projectId);
        return { kind: 'created', integration: fromRow(created) };
      });
    },

    /** In order of creation, from after `afterPosition`. */
    async list(projectId: string, afterPosition: string | null, limit: number): Promise<StoredIntegration[]> {
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

    /** The projects with the most failing integrations, and how many, for operators. */
    async countFailing(projects: number): Promise<ReadonlyMap<string, number>> {
      const rows = await database.$queryRaw<{ project_id: string; failing: number }[]>`
        SELECT project_id, count(*)::integer AS failing FROM integration
        WHERE failing_since IS NOT NULL AND deleted_at IS NULL AND active
        GROUP BY project_id ORDER BY failing DESC LIMIT ${projects}`;
      return new Map(rows.map(({ project_id, failing }) => [project_id, failing]));
    },

    async find(projectId: string, id: string): Promise<StoredIntegration | null> {
      const row = await database.integration.findFirst({ where: { id, projectId, deletedAt: null }, select: columns });
      return row === null ? null : fromRow(row);
    },

    async update(
      projectId: string,
      id: string,
      { hasMoved = false, ...changes }: IntegrationChanges,
    ): Promise<StoredIntegration | null> {
      return database.$transaction(async (tx) => {
        const [row] = await tx.integration.updateManyAndReturn({
          where: { id, projectId, deletedAt: null },
          data: toColumns(changes),
          select: columns,
        });
        if (row === undefined) return null;
        if (changes.sealedHeaders !== undefined) await keepHeaders(tx, id, changes.sealedHeaders);
        if (changes.healLinks !== undefined || changes.active !== undefined) {
          if (row.healLinks && row.active) {
            await readLinksAgain(tx, projectId);
            await compareLinks(tx, { projectId, integrationId: id });
          } else await tx.linkHealing.deleteMany({ where: { integrationId: id } });
        }
        if (hasMoved) {
          await tx.destinationPost.updateMany({ where: { integrationId: id }, data: { moved: true } });
          await tx.destinationImage.deleteMany({ where: { integrationId: id } });
        }
        return fromRow(row);
      });
    },

    /**
     * Deletes it and ends its waiting deliveries as failed, `integration_deleted`: a part of them immediately, and
     * where more wait, the others bit by bit. False when there is none.
     */
    async remove(projectId: string, id: string): Promise<boolean> {
      return database.$transaction(async (tx) => {
        const retired = await retireIntegrations(tx, { projectIds: [projectId], id });
        if (retired === 0) return false;
        await endDeliveries(tx, id);
        return true;
      });
    },
  };
}

/**
 * The delivery log names headers by their fingerprint: those sent from now on are kept beside those it names already.
 */
async function keepHeaders(tx: Prisma.TransactionClient, integrationId: string, sealed: string | null): Promise<void> {
  await tx.$executeRaw`
    UPDATE integration_headers SET replaced_at = now() WHERE integration_id = ${integrationId}::uuid
      AND replaced_at IS NULL`;
  if (sealed === null) return;
  await tx.integrationHeaders.create({ data: { integrationId, hash: fingerprint(sealed), sealedHeaders: sealed } });
}

/** Links that were published while healing was off are not known. */
async function readLinksAgain(tx: Prisma.TransactionClient, projectId: string): Promise<void> {
  await tx.linkView.deleteMany({ where: { projectId } });
}

/** Then what the receiver has is compared with it: it was never healed before. */
async function compareLinks(
  tx: Prisma.TransactionClient,
  of: { readonly projectId: string; readonly integrationId: string },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO link_recheck (integration_id, project_id) VALUES (${of.integrationId}::uuid, ${of.projectId}::uuid)
    ON CONFLICT (integration_id) DO UPDATE SET after_blog = DEFAULT`;
}

function fromRow({ kind, ...row }: Row): StoredIntegration {
  return { ...row, position: row.position.toString(), integrationKind: kind as IntegrationKind };
}

/** What is given, as the table names it. */
function toColumns<T extends Partial<Pick<NewIntegration, 'integrationKind' | 'settings'>>>(given: T) {
  const { integrationKind, settings, ...columns } = given;
  return {
    ...columns,
    ...(integrationKind !== undefined && { kind: integrationKind }),
    ...(settings !== undefined && { settings: settings as Prisma.InputJsonObject }),
  };
}
