import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../database/open-database.ts';
import { type Ending, finishWaiting } from './finish-store.ts';

/** How waiting deliveries end when their integration is deleted. */
export const INTEGRATION_DELETED: Ending = {
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
 * Takes integrations away in the caller's transaction: they get nothing new planned and nothing sent, and their secrets
 * are gone. The rows stay for the delivery log. Returns how many there were; their waiting deliveries are the caller's to end.
 */
export async function retireIntegrations(tx: Prisma.TransactionClient, which: Prisma.Sql): Promise<number> {
  await tx.$executeRaw`SELECT FROM integration WHERE ${which} AND deleted_at IS NULL ORDER BY position FOR NO KEY UPDATE`;
  await tx.$executeRaw`
    DELETE FROM integration_headers WHERE integration_id IN (SELECT id FROM integration WHERE ${which} AND deleted_at IS NULL)`;
  return tx.$executeRaw`
    UPDATE integration SET active = false, deleted_at = now(), sealed_url = NULL, sealed_secret = NULL,
      sealed_headers = NULL
    WHERE ${which} AND deleted_at IS NULL`;
}

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
