import { createFindAccount } from './find-account.ts';

/** A database with these accounts, unless it is away, and what it was asked. */
function databaseOf(accounts: Record<string, string>) {
  const database = { isAway: false, asked: [] as string[][] };
  const findAccounts = (projectIds: readonly string[]) => {
    database.asked.push([...projectIds]);
    return database.isAway
      ? Promise.reject(new Error('away'))
      : Promise.resolve(new Map(projectIds.flatMap((id) => (accounts[id] === undefined ? [] : [[id, accounts[id]]]))));
  };
  return { database, accounts, store: { findAccounts } };
}

describe('the account that an image counts for', () => {
  it('is looked up once for concurrent requests of a project, and again after a minute', async () => {
    let nowMs = 0;
    const { database, accounts, store } = databaseOf({ a: 'ada' });
    const findAccount = createFindAccount(store, () => nowMs);
    expect(await Promise.all([findAccount('a'), findAccount('a')])).toEqual(['ada', 'ada']);
    accounts['a'] = 'ben';
    nowMs = 59_999;
    expect([await findAccount('a'), database.asked]).toEqual(['ada', [['a']]]);
    nowMs = 60_000;
    expect(await findAccount('a')).toBe('ben');
  });

  it('is the same for all unknown project ids', async () => {
    const { store } = databaseOf({ a: 'ada' });
    const findAccount = createFindAccount(store, () => 0);
    const [madeUp, another, real] = [await findAccount('x'), await findAccount('y'), await findAccount('a')];
    expect([madeUp === another, madeUp === real]).toEqual([true, false]);
  });

  it('stays the same while the database is away, when unknown projects count separately', async () => {
    let nowMs = 0;
    const { database, store } = databaseOf({ a: 'ada' });
    const findAccount = createFindAccount(store, () => nowMs);
    await findAccount('a');
    database.isAway = true;
    nowMs = 60_000;
    expect([await findAccount('a'), await findAccount('b')]).toEqual(['ada', 'b']);
  });

  it('is looked up again for all projects once many thousands are remembered', async () => {
    const { database, store } = databaseOf({});
    const findAccount = createFindAccount(store, () => 0);
    for (let start = 0; start < 10_000; start += 1_000) {
      await Promise.all(Array.from({ length: 1_000 }, (_, index) => findAccount(`made up ${start + index}`)));
    }
    const before = database.asked.length;
    await findAccount('made up 0');
    expect(database.asked).toHaveLength(before);
    await findAccount('one more');
    await findAccount('made up 0');
    expect(database.asked).toHaveLength(before + 2);
  });
});
