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
  /** The number of the last turn of each project and account that is due. */
  const lastTurns = new Map<string, number>();
  let turn = 0;
  const byLastTurn = (key: 'id' | 'account') => (one: DueProject, other: DueProject) =>
    (lastTurns.get(one[key]) ?? 0) - (lastTurns.get(other[key]) ?? 0);
  return (due, maxAccounts) => {
    const isDue = new Set(due.flatMap(({ id, account }) => [id, account]));
    for (const id of lastTurns.keys()) if (!isDue.has(id)) lastTurns.delete(id);
    const ofAccounts = Map.groupBy(due.toSorted(byLastTurn('id')), ({ account }) => account);
    const firstOfEach = [...ofAccounts.values()].flatMap((projects) => projects.slice(0, 1));
    return firstOfEach
      .toSorted(byLastTurn('account'))
      .slice(0, maxAccounts)
      .map(({ id, account }) => {
        turn += 1;
        lastTurns.set(id, turn).set(account, turn);
        return id;
      });
  };
}
