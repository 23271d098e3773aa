import type { Prisma } from '../generated/prisma/client.ts';
import { formatProjectIds, READ_MODEL_CHANNEL } from './read-model-change.ts';

/**
 * Raises the epoch, notifies every replica, and returns the epoch of the commit. `$1`: what {@link formatProjectIds}
 * gives. It has to be the last that a transaction does which changes what readers get (posts, keys): the row is locked
 * until the commit, so that epochs become visible in their order, and all other changes wait for it. So it is a
 * statement of its own: beside others in a WITH it would be carried out before them.
 */
export const RAISE_EPOCH = {
  name: 'raise_epoch',
  text: `
    WITH raised AS (UPDATE read_epoch SET epoch = epoch + 1 RETURNING epoch)
    SELECT epoch, pg_notify('${READ_MODEL_CHANNEL}', epoch || ' ' || $1::text)::text FROM raised`,
} as const;

/** Does it in a Prisma transaction. */
export async function raiseEpoch(
  transaction: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  projectIds: readonly string[],
): Promise<bigint> {
  const rows = await transaction.$queryRawUnsafe<{ epoch: bigint }[]>(RAISE_EPOCH.text, formatProjectIds(projectIds));
  if (rows[0] === undefined) throw new Error('read_epoch has no row.');
  return rows[0].epoch;
}
