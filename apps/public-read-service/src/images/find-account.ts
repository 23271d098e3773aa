import { createLookUps } from '../queries/create-look-ups.ts';
import type { PublicReadStore } from '../queries/public-read-store.ts';

/** One query at a time: images take no connections away from reads. */
const ACCOUNT_LOOK_UPS = { queries: 1, namesPerQuery: 500, waiting: 5_000 } as const;
/** Projects whose account is remembered; beyond it all are forgotten. */
const MAX_REMEMBERED_ACCOUNTS = 10_000;
/** How long an account is remembered. */
const ACCOUNT_KNOWN_MS = 60_000;
/** The account of projects that do not exist: all ids that strangers make up count together. */
const NOBODY = 'nobody';

/** Finds the account that an image counts for, by the project in its path. Never rejects. */
export type FindAccount = (projectId: string) => Promise<string>;

/**
 * Images are read without a key, so that a project is looked up by its id. While the database is away, what is known
 * counts on, and other projects count by themselves: images need no database.
 */
export function createFindAccount(
  store: Pick<PublicReadStore, 'findAccounts'>,
  monotonicMs: () => number,
): FindAccount {
  const lookUp = createLookUps((projectIds) => store.findAccounts(projectIds), ACCOUNT_LOOK_UPS);
  const remembered = new Map<string, { readonly accountId: Promise<string>; readonly sinceMs: number }>();

  return (projectId) => {
    const known = remembered.get(projectId);
    const atMs = monotonicMs();
    if (known !== undefined && atMs - known.sinceMs < ACCOUNT_KNOWN_MS) return known.accountId;
    const accountId = lookUp(projectId).then(
      (found) => found ?? NOBODY,
      () => known?.accountId ?? projectId,
    );
    if (known === undefined && remembered.size >= MAX_REMEMBERED_ACCOUNTS) remembered.clear();
    remembered.set(projectId, { accountId, sinceMs: atMs });
    return accountId;
  };
}
