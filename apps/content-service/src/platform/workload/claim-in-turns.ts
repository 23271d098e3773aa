/** An item that a claim in turns can give: of one account at most one runs at a time. */
export interface ItemOfAccount {
  readonly account: string;
}

/**
 * A claim by which accounts take turns, and so do the ids of each: projects, imports or posts, whichever `due` gives.
 * However much an account has due, each of the others has its turn after one item of it, and an account of which an
 * item runs in this process waits for its end.
 *
 * @param due the ids with something due, by account, in the order of their first turns.
 * @param take takes an item of an id; null when nothing is due any more, or another replica has it.
 */
export function claimInTurns<Item extends ItemOfAccount>(
  due: () => Promise<ReadonlyMap<string, readonly string[]>>,
  take: (id: string, account: string) => Promise<Item | null>,
): (running: ReadonlySet<Item>) => Promise<Item | null> {
  /** The number of each id's last turn. */
  const lastTurns = new Map<string, number>();
  let turn = 0;
  /** Those whose turn in this round is still to come. */
  let round: (readonly [account: string, ids: readonly string[]])[] = [];

  const lastTurn = (id: string) => lastTurns.get(id) ?? 0;

  const takeNext = async (busy: ReadonlySet<string>): Promise<Item | null> => {
    for (let next = round.shift(); next !== undefined; next = round.shift()) {
      const [account, ids] = next;
      if (busy.has(account)) continue;
      for (const id of ids.toSorted((one, other) => lastTurn(one) - lastTurn(other))) {
        lastTurns.set(id, (turn += 1));
        const item = await take(id, account);
        if (item !== null) return item;
      }
    }
    return null;
  };

  return async (running) => {
    const busy = new Set([...running].map(({ account }) => account));
    const rest = await takeNext(busy);
    if (rest !== null) return rest;
    round = [...(await due())];
    const ids = new Set(round.flatMap(([, ofAccount]) => ofAccount));
    for (const id of lastTurns.keys()) if (!ids.has(id)) lastTurns.delete(id);
    return takeNext(busy);
  };
}
