/** The ids of each account. Accounts, and the ids of each, are in the order of the rows. */
export function idsByAccount(
  rows: readonly { readonly id: string; readonly account: string }[],
): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(rows, ({ account }) => account);
  return new Map([...groups].map(([account, ofIt]) => [account, ofIt.map(({ id }) => id)]));
}
