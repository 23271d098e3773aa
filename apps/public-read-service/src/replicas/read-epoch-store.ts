import type { Prisma } from '../generated/prisma/client.ts';
import { namesOf, READ_MODEL_CHANNEL } from './read-model-change.ts';

/**
 * Part of a statement's WITH: raises the epoch. To be among the last that a transaction does, when it changes what readers may
 * get (posts, or which key is a project's): the row is locked until the commit, so that epochs become visible in their order.
 */
export const RAISED_EPOCH = 'raised AS (UPDATE read_epoch SET epoch = epoch + 1 RETURNING epoch)';

/** The end of that statement: tells every replica, and gives the epoch that the commit will be. `names`: see {@link namesOf}. */
export const tellEpoch = (names: `$${number}`): string =>
  `SELECT epoch, pg_notify('${READ_MODEL_CHANNEL}', epoch || ' ' || ${names}::text)::text FROM raised`;

/** Does both in a Prisma transaction. */
export async function raiseEpoch(
  transaction: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  projectIds: readonly string[],
): Promise<bigint> {
  const rows = await transaction.$queryRawUnsafe<{ epoch: bigint }[]>(
    `WITH ${RAISED_EPOCH} ${tellEpoch('$1')}`,
    namesOf(projectIds),
  );
  if (rows[0] === undefined) throw new Error('read_epoch has no row.');
  return rows[0].epoch;
}
