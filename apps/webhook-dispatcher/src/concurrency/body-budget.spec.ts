import { createBodyBudget } from './slots.ts';
import { MAX_ANSWER_BYTES } from '../http/exchange.ts';

const MIB = 1024 * 1024;
const at = (inAll: number, perProject: number) => {
  let nowMs = 0;
  const budget = createBodyBudget({ inAll, perProject, now: () => nowMs });
  /**
   * Takes attempts of so much in all, the answer's share included, until there is no room, and says how many there
   * were.
   */
  const fill = (projectId: string, bytes: number) => {
    let count = 0;
    while (count < 1_000 && budget.take(projectId, (bytes - MAX_ANSWER_BYTES) / 2) !== null) count += 1;
    return count;
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { budget, fill, pass };
};

it('a project holds no more than its share, and another still finds room', () => {
  const { budget, fill } = at(16 * MIB, 4 * MIB);
  expect(fill('hostile', MIB)).toBe(4);
  expect(budget.heldBytes()).toBe(4 * MIB);
  expect(budget.take('other', 100_000)).not.toBeNull();
});

it('a project that holds memory takes at most what it leaves free: the fifth of hostile ones gets a sixteenth', () => {
  const { budget, fill } = at(16 * MIB, 4 * MIB);
  expect([1, 2, 3, 4, 5].map((project) => fill(`hostile ${project}`, MIB / 4))).toEqual([16, 16, 16, 8, 4]);
  expect(budget.take('other', 100_000)).not.toBeNull();
});

it('a body larger than its project’s share is held alone, and one larger than the budget only when nothing else is held', () => {
  const { budget } = at(16 * MIB, 4 * MIB);
  const large = budget.take('one', 3 * MIB);
  expect(large).not.toBeNull();
  expect(budget.take('one', 0)).toBeNull();
  expect(budget.take('other', 20 * MIB)).toBeNull();
  large?.release();
  expect(budget.take('other', 20 * MIB)).not.toBeNull();
});

it('counts a body twice and the response, first by estimate and then by size, until its single release', () => {
  const { budget } = at(16 * MIB, 4 * MIB);
  const held = budget.take('one', 1_000);
  expect(budget.heldBytes()).toBe(2_000 + MAX_ANSWER_BYTES);
  held?.resize(3_000);
  expect(budget.heldBytes()).toBe(6_000 + MAX_ANSWER_BYTES);
  held?.release();
  held?.release();
  held?.resize(5_000);
  expect(budget.heldBytes()).toBe(0);
});

it('tells how many more bodies of a project fit after one did not, by the largest that was refused', () => {
  const { budget, pass } = at(16 * MIB, 4 * MIB);
  const held = Array.from({ length: 4 }, () => budget.take('one', (MIB - MAX_ANSWER_BYTES) / 2));
  expect(budget.freeSlots()).toEqual(new Map());
  budget.take('one', (MIB - MAX_ANSWER_BYTES) / 2);
  expect(budget.freeSlots()).toEqual(new Map([['one', 0]]));
  held[0]?.release();
  held[1]?.release();
  expect(budget.freeSlots()).toEqual(new Map([['one', 2]]));
  held[2]?.resize((2 * MIB - MAX_ANSWER_BYTES) / 2);
  expect(budget.freeSlots()).toEqual(new Map([['one', 0]]));
  held[3]?.release();
  expect(budget.freeSlots()).toEqual(new Map([['one', 1]]));
  pass(60_000);
  expect(budget.freeSlots()).toEqual(new Map());
});

it('a project that holds nothing gets room for one body as soon as others leave enough', () => {
  const { budget } = at(4 * MIB, 4 * MIB);
  const others = budget.take('other', 1.5 * MIB);
  expect(budget.take('one', MIB)).toBeNull();
  expect(budget.freeSlots()).toEqual(new Map([['one', 0]]));
  others?.release();
  expect(budget.freeSlots()).toEqual(new Map([['one', 1]]));
});
