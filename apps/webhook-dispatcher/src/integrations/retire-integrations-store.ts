import type { Database } from '../database/open-database.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** What is kept of posts and images for a receiver alone, by `integration_id`. */
export const KEPT_FOR_RECEIVER = ['link_healing', 'link_recheck', 'destination_post', 'destination_image'].map(
  Prisma.raw,
);
/** Most rows of each that are forgotten in one transaction. */
const MAX_FORGOTTEN = 2_000;

/**
 * Takes integrations of projects away, or one of them, in the caller's transaction: they get nothing new planned and
 * nothing sent, and their secrets are gone. The rows stay for the delivery log. Returns how many there were. How much
 * waits for them, and is kept of their posts, is for owners to choose: that goes bit by bit, later
 * (`clearRetiredIntegrations`).
 */
export async function retireIntegrations(
  tx: Prisma.TransactionClient,
  of: { readonly projectIds: readonly string[]; readonly id?: string },
): Promise<number> {
  const retired = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM integration
    WHERE project_id = ANY (${[...of.projectIds]}::uuid[]) AND id = coalesce(${of.id ?? null}::uuid, id)
      AND deleted_at IS NULL
    ORDER BY position FOR NO KEY UPDATE`;
  const ids = retired.map(({ id }) => id);
  await tx.integrationHeaders.deleteMany({ where: { integrationId: { in: ids } } });
  return tx.$executeRaw`
    UPDATE integration SET active = false, deleted_at = now(), sealed_url = NULL, sealed_secret = NULL,
      sealed_headers = NULL
    WHERE id = ANY (${ids}::uuid[])`;
}

/**
 * Those retired integrations for which something waits, or is kept. Where nothing is left, that is noted, and no sweep
 * looks there again: nothing is planned for a retired integration. What an attempt leaves that ends after its lease
 * goes with the integration, when the delivery log is swept.
 */
export async function findRetired(database: Database): Promise<string[]> {
  const isLeft = [Prisma.sql`delivery_queue`, ...KEPT_FOR_RECEIVER].map(
    (table) =>
      Prisma.sql`(SELECT kept.integration_id FROM ${table} kept WHERE kept.integration_id = i.id LIMIT 1) IS NOT NULL`,
  );
  const retired = Prisma.sql`SELECT i.id FROM integration i WHERE i.deleted_at IS NOT NULL AND NOT i.cleared`;
  await database.$executeRaw`
    UPDATE integration SET cleared = true WHERE id = ANY (ARRAY(
      ${retired} AND NOT (${Prisma.join(isLeft, ' OR ')}) ORDER BY i.position FOR NO KEY UPDATE SKIP LOCKED))`;
  const rows = await database.$queryRaw<{ id: string }[]>`${retired} ORDER BY i.position`;
  return rows.map(({ id }) => id);
}

/** Forgets a part of what is kept for a retired integration, in the caller's transaction. Returns how many rows. */
export async function forgetPartOf(tx: Prisma.TransactionClient, integrationId: string): Promise<number> {
  let forgotten = 0;
  for (const table of KEPT_FOR_RECEIVER) {
    forgotten += await tx.$executeRaw`
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
        SELECT kept.ctid FROM ${table} kept WHERE kept.integration_id = ${integrationId}::uuid
          LIMIT ${MAX_FORGOTTEN}))`;
  }
  return forgotten;
}
