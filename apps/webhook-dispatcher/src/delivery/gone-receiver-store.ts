import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from '../open-database.ts';
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
 * How a delivery to this integration ends that would otherwise wait again; null while the integration is there. It stays as
 * it is until the caller's transaction ends, so that whoever deletes it then finds the delivery waiting.
 */
export async function endingIfGone(tx: Prisma.TransactionClient, integrationId: string): Promise<Ending | null> {
  const [integration] = await tx.$queryRaw<{ project_id: string; is_gone: boolean }[]>`
    SELECT project_id, deleted_at IS NOT NULL AS is_gone FROM integration WHERE id = ${integrationId}::uuid FOR SHARE`;
  if (integration?.is_gone !== true) return null;
  const project = await tx.project.findUnique({ where: { id: integration.project_id }, select: { deleted: true } });
  return project?.deleted === true ? PROJECT_DELETED : INTEGRATION_DELETED;
}

/**
 * Ends what still waits for the retired integrations of a deleted project, in as many transactions as it takes: nothing is
 * claimed for them meanwhile. To be called again when it has failed.
 */
export async function endDeliveriesOfDeletedProject(database: Database, projectId: string): Promise<void> {
  const waiting = Prisma.sql`s.position IN (
    SELECT w.position FROM schedule w JOIN delivery d ON d.id = w.delivery_id JOIN integration i ON i.id = w.integration_id
    WHERE i.project_id = ${projectId}::uuid AND i.deleted_at IS NOT NULL AND d.status = 'pending'
    ORDER BY w.position LIMIT ${BATCH})`;
  let ended: number;
  do {
    ended = await database.$transaction((tx) => finishWaiting(tx, waiting, PROJECT_DELETED));
  } while (ended > 0);
}
