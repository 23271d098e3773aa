import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../database/open-database.ts';
import { type Ending, finishWaiting } from './finish-store.ts';

const INTEGRATION_DELETED: Ending = {
  outcome: 'failed',
  reason: 'integration_deleted',
  detail: 'The integration was deleted before the delivery was made.',
};

const PROJECT_DELETED: Ending = {
  outcome: 'failed',
  reason: 'project_deleted',
  detail: 'The project was deleted before the delivery was made.',
};

/** Most deliveries of a deleted project that end in one transaction. */
const BATCH = 500;

/**
 * How deliveries to those of these integrations end that are gone, where they would otherwise wait again. They stay as they are until
 * the caller's transaction ends, so that whoever deletes one then finds its deliveries waiting.
 */
export async function endingsOfGone(
  tx: Prisma.TransactionClient,
  integrationIds: readonly string[],
): Promise<ReadonlyMap<string, Ending>> {
  const integrations = await tx.$queryRaw<{ id: string; project_id: string; is_gone: boolean }[]>`
    SELECT id::text, project_id::text, deleted_at IS NOT NULL AS is_gone FROM integration
    WHERE id = ANY (${[...integrationIds]}::uuid[]) ORDER BY position FOR SHARE`;
  const gone = integrations.filter(({ is_gone: isGone }) => isGone);
  if (gone.length === 0) return new Map();
  const projects = await tx.project.findMany({
    where: { id: { in: gone.map(({ project_id }) => project_id) }, deleted: true },
    select: { id: true },
  });
  const deleted = new Set(projects.map(({ id }) => id));
  return new Map(
    gone.map(({ id, project_id }) => [id, deleted.has(project_id) ? PROJECT_DELETED : INTEGRATION_DELETED]),
  );
}

/** Ends what waits for an integration that the caller's transaction deletes. */
export async function endDeliveriesOfDeletedIntegration(
  tx: Prisma.TransactionClient,
  integrationId: string,
): Promise<void> {
  await finishWaiting(tx, Prisma.sql`s.integration_id = ${integrationId}::uuid`, INTEGRATION_DELETED);
}

/**
 * Ends what still waits for the retired integrations of a deleted project, in as many transactions as it takes: nothing is
 * claimed for them meanwhile. To be called again when it has failed.
 */
export async function endDeliveriesOfDeletedProject(database: Database, projectId: string): Promise<void> {
  const waiting = Prisma.sql`s.position IN (
    SELECT w.position FROM delivery_queue w JOIN delivery d ON d.id = w.delivery_id JOIN integration i ON i.id = w.integration_id
    WHERE i.project_id = ${projectId}::uuid AND i.deleted_at IS NOT NULL AND d.status = 'pending'
    ORDER BY w.position LIMIT ${BATCH})`;
  let ended: readonly string[];
  do {
    ended = await database.$transaction((tx) => finishWaiting(tx, waiting, PROJECT_DELETED));
  } while (ended.length > 0);
}
