import { createTurns } from './take-turns.ts';

const due = (...names: string[]) => names.map((id) => ({ id, account: `account ${id[0]}` }));

describe('turns of accounts', () => {
  it('go to one project of each account, and to the one that had none for longest', () => {
    const take = createTurns();
    const all = due('a1', 'a2', 'a3', 'b1');
    expect([take(all, 10), take(all, 10), take(all, 10), take(all, 10)]).toEqual([
      ['a1', 'b1'],
      ['a2', 'b1'],
      ['a3', 'b1'],
      ['a1', 'b1'],
    ]);
  });

  it('go to so many accounts at most, and then to those that had none for longest', () => {
    const take = createTurns();
    const all = due('a1', 'a2', 'b1', 'c1');
    expect([take(all, 2), take(all, 2), take(all, 2)]).toEqual([
      ['a1', 'b1'],
      ['c1', 'a2'],
      ['b1', 'c1'],
    ]);
  });

  it('are forgotten where nothing is due any more', () => {
    const take = createTurns();
    take(due('a1', 'b1'), 1);
    take(due('b1'), 1);
    expect(take(due('a1', 'b1'), 1)).toEqual(['a1']);
  });
});
