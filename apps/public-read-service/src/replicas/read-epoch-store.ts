import type { Prisma } from '../generated/prisma/client.ts';
import { formatProjectIds, READ_MODEL_CHANNEL } from './read-model-change.ts';

/**
 * Part of a statement's WITH: raises the epoch. It has to be among the last that a transaction does which changes what
 * readers get (posts, keys): the row is locked until the commit, so that epochs become visible in their order.
 */
export const RAISE_EPOCH = 'raised AS (UPDATE read_epoch SET epoch = epoch + 1 RETURNING epoch)';

/**
 * The end of that statement: notifies every replica, and returns the epoch of the commit. `projectIds`: the parameter
 * with what {@link formatProjectIds} gives.
 */
export const notifyEpoch = (projectIds: `$${number}`): string =>
  `SELECT epoch, pg_notify('${READ_MODEL_CHANNEL}', epoch || ' ' || ${projectIds}::text)::text FROM raised`;

/** Does both in a Prisma transaction. */
export async function raiseEpoch(
  transaction: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  projectIds: readonly string[],
): Promise<bigint> {
  const rows = await transaction.$queryRawUnsafe<{ epoch: bigint }[]>(
    `WITH ${RAISE_EPOCH} ${notifyEpoch('$1')}`,
    formatProjectIds(projectIds),
  );
  if (rows[0] === undefined) throw new Error('read_epoch has no row.');
  return rows[0].epoch;
}
