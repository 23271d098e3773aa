import { createTurnOrder } from '@blog-content/concurrency';

/** A project with something to do, and the account that it belongs to. */
export interface DueProject {
  readonly id: string;
  readonly account: string;
}

/**
 * Whose turn it is among what is due: one project of each account, of at most so many accounts. Of accounts, and of the
 * projects of one, those come first that had no turn for longest.
 */
export type TakeTurns = (due: readonly DueProject[], maxAccounts: number) => string[];

export function createTurns(): TakeTurns {
  const [accounts, projects] = [createTurnOrder(), createTurnOrder()];
  return (due, maxAccounts) => {
    const ofAccounts = Map.groupBy(due, ({ account }) => account);
    accounts.keepOnly(new Set(ofAccounts.keys()));
    projects.keepOnly(new Set(due.map(({ id }) => id)));
    const chosen = accounts.sort([...ofAccounts.keys()]).slice(0, maxAccounts);
    return chosen.flatMap((account) => {
      const [first] = projects.sort((ofAccounts.get(account) ?? []).map(({ id }) => id));
      if (first === undefined) return [];
      accounts.note(account);
      projects.note(first);
      return [first];
    });
  };
}
