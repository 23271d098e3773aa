/** Round-robin: the one that waited longest for a turn goes first. */
export interface TurnOrder {
  /** The ids in the order of their next turns. */
  sort(ids: readonly string[]): string[];
  /** This one has its turn now. */
  note(id: string): void;
  /** Forgets all but these. */
  keepOnly(ids: ReadonlySet<string>): void;
}

export function createTurnOrder(): TurnOrder {
  /** The number of each one's last turn. */
  const lastTurns = new Map<string, number>();
  let turn = 0;
  const lastTurn = (id: string) => lastTurns.get(id) ?? 0;
  return {
    sort: (ids) => ids.toSorted((one, other) => lastTurn(one) - lastTurn(other)),
    note: (id) => void lastTurns.set(id, (turn += 1)),
    keepOnly(ids) {
      for (const id of lastTurns.keys()) if (!ids.has(id)) lastTurns.delete(id);
    },
  };
}
