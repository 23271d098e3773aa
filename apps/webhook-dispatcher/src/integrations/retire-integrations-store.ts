import type { Prisma } from '../generated/prisma/client.ts';

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
