import { createAnswerBudget } from './answer-budget.ts';

const MIB = 1_048_576;

/** A budget, and a reader that takes nothing of what it is given. */
function startBudget() {
  let nowMs = 0;
  const budget = createAnswerBudget(() => nowMs);
  const cutOff: string[] = [];
  return {
    budget,
    cutOff,
    pass: (ms: number) => (nowMs += ms),
    leaveUnread: (account: string, bytes: number, name = account) =>
      budget.reserve(account, bytes)?.awaitReader(() => cutOff.push(name)) ?? null,
  };
}

describe('the budget of answers in the making', () => {
  it('has room for two large ones of an account at once, and for another account’s beside them', () => {
    const { budget } = startBudget();
    const [first, second] = [budget.reserve('a', 18 * MIB), budget.reserve('a', 18 * MIB)];
    expect([first, second]).not.toContain(null);
    expect(budget.reserve('a', 8 * MIB)).toBeNull();
    expect(budget.reserve('b', 45 * MIB)).not.toBeNull();
    first?.release();
    expect(budget.reserve('a', 18 * MIB)).not.toBeNull();
  });

  it('has a quarter of its room for an account, however small its answers, and one answer that is larger', () => {
    const { budget } = startBudget();
    const reservations = Array.from({ length: 100 }, () => budget.reserve('a', MIB));
    expect(reservations.filter((reservation) => reservation !== null)).toHaveLength(36);
    expect(budget.reserve('b', 45 * MIB)).not.toBeNull();
    expect(budget.reserve('b', MIB)).toBeNull();
  });

  it('has room for the largest answers one at a time, and for small ones beside those that are being made', () => {
    const { budget } = startBudget();
    const reservation = budget.reserve('a', 200 * MIB);
    expect(reservation).not.toBeNull();
    expect(budget.reserve('b', 45 * MIB)).toBeNull();
    expect(budget.reserve('b', 24 * MIB)).not.toBeNull();
    expect(budget.reserve('c', 8 * MIB)).toBeNull();
    for (let account = 0; account < 4; account += 1) expect(budget.reserve(`${account}`, 6 * MIB)).not.toBeNull();
    reservation?.resize(20 * MIB);
    expect(budget.reserve('c', 8 * MIB)).not.toBeNull();
  });

  it('gets a reservation back when the last of those who share it has let it go', () => {
    const { budget } = startBudget();
    const reservation = budget.reserve('a', 10 * MIB);
    reservation?.retain();
    reservation?.release();
    expect(budget.bytes).toBe(10 * MIB);
    reservation?.release();
    expect(budget.bytes).toBe(0);
  });

  it('has no room for an answer to grow further than another of that size would find', () => {
    const { budget } = startBudget();
    const [small, huge] = [budget.reserve('a', 3 * MIB), budget.reserve('b', 150 * MIB)];
    expect(small?.resize(20 * MIB)).toBe(true);
    expect(small?.resize(40 * MIB)).toBe(false);
    expect(budget.bytes).toBe((20 + 96) * MIB);
    expect(huge?.resize(160 * MIB)).toBe(true);
    expect(huge?.resize(170 * MIB)).toBe(false);
    expect(huge?.bytes).toBe(160 * MIB);
  });
});

describe('readers who do not read', () => {
  it('lose their answers to a newcomer, the longest unread of the account that holds most first', () => {
    const { budget, cutOff, leaveUnread } = startBudget();
    for (const [account, bytes] of [
      ['a', 36],
      ['b', 30],
      ['b', 5],
      ['c', 48],
    ] as const) {
      leaveUnread(account, bytes * MIB, `${account}${bytes}`);
    }
    for (let newcomer = 0; newcomer < 40; newcomer += 1) {
      expect(budget.reserve(`newcomer ${newcomer}`, MIB)).not.toBeNull();
    }
    expect(cutOff).toEqual(['c48']);
    expect(budget.reserve('d', 30 * MIB)).not.toBeNull();
    expect(cutOff).toEqual(['c48', 'a36']);
  });

  it('of many small accounts lose theirs as well, and each gives its reservation back once', () => {
    const { budget, cutOff, leaveUnread } = startBudget();
    const readOff = Array.from({ length: 72 }, (_, account) => leaveUnread(`${account}`, 2 * MIB));
    expect(budget.reserve('newcomer', MIB)).not.toBeNull();
    expect(cutOff).toEqual(['0']);
    readOff[0]?.();
    expect(budget.bytes).toBe((71 * 2 + 1) * MIB);
  });

  it('lose none to an account that would hold more than they do, unless they have had 30 s', () => {
    const { budget, cutOff, leaveUnread, pass } = startBudget();
    for (const account of ['a', 'b', 'c']) leaveUnread(account, 36 * MIB);
    expect(budget.reserve('d', 40 * MIB)).toBeNull();
    expect(cutOff).toEqual([]);
    pass(30_001);
    expect(budget.reserve('d', 40 * MIB)).not.toBeNull();
    expect(cutOff).toEqual(['a']);
  });
});
