import { Prisma } from '../generated/prisma/client.ts';

/** Most accounts of which a project gets its share of the work in one round. */
export const MAX_ACCOUNTS_A_ROUND = 20;

/**
 * Of the projects `due` selects (`id`, `account`), one of each account, of a bounded number of accounts. Chance picks
 * them, so that accounts with much to do, or whose work fails, keep none of the others waiting.
 */
export const oneOfEachAccount = (due: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT id FROM (SELECT DISTINCT ON (account) id FROM (${due}) AS due ORDER BY account, random()) AS chosen
  ORDER BY random() LIMIT ${MAX_ACCOUNTS_A_ROUND}`;
