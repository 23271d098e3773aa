import type { Prisma } from '../generated/prisma/client.ts';

/**
 * Takes integrations of projects away, or one of them, in the caller's transaction: they get nothing new planned and
 * nothing sent, and their secrets are gone. The rows stay for the delivery log. Returns how many there were; their
 * waiting deliveries are the caller's to end.
 */
export async function retireIntegrations(
  tx: Prisma.TransactionClient,
  of: { readonly projectIds: readonly string[]; readonly id?: string },
): Promise<number> {
  const retired = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM integration
    WHERE project_id = ANY (${[...of.projectIds]}::uuid[]) AND id = coalesce(${of.id ?? null}::uuid, id) AND deleted_at IS NULL
    ORDER BY position FOR NO KEY UPDATE`;
  const ids = retired.map(({ id }) => id);
  const ofThese = { where: { integrationId: { in: ids } } };
  await tx.integrationHeaders.deleteMany(ofThese);
  await tx.linkHealing.deleteMany(ofThese);
  await tx.destinationPost.deleteMany(ofThese);
  await tx.destinationImage.deleteMany(ofThese);
  return tx.$executeRaw`
    UPDATE integration SET active = false, deleted_at = now(), sealed_url = NULL, sealed_secret = NULL, sealed_headers = NULL
    WHERE id = ANY (${ids}::uuid[])`;
}
