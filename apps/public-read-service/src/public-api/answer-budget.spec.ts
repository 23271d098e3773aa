import { createAnswerBudget } from './answer-budget.ts';

const MIB = 1_048_576;

describe('the budget of answers in the making', () => {
  it('has room for two large ones of a project at once, and for another project’s beside them', () => {
    const budget = createAnswerBudget();
    const [first, second] = [budget.take('a', 45 * MIB), budget.take('a', 45 * MIB)];
    expect([first, second]).not.toContain(null);
    expect(budget.take('a', 8 * MIB)).toBeNull();
    expect(budget.take('b', 45 * MIB)).not.toBeNull();
    first?.release();
    expect(budget.take('a', 45 * MIB)).not.toBeNull();
  });

  it('has room for many small ones of a project, as far as their bytes go', () => {
    const budget = createAnswerBudget();
    const places = Array.from({ length: 100 }, () => budget.take('a', MIB));
    expect(places.filter((place) => place === null)).toHaveLength(4);
    expect(budget.take('b', MIB)).not.toBeNull();
  });

  it('lets an answer through that is larger than all of it, when there is no other', () => {
    const budget = createAnswerBudget();
    const place = budget.take('a', 200 * MIB);
    expect(place).not.toBeNull();
    expect(budget.take('b', MIB)).toBeNull();
    place?.resize(20 * MIB);
    expect(budget.take('b', MIB)).not.toBeNull();
  });

  it('gets a place back when the last of those who share it has let it go', () => {
    const budget = createAnswerBudget();
    const place = budget.take('a', 10 * MIB);
    place?.retain();
    place?.release();
    expect(budget.bytes).toBe(10 * MIB);
    place?.release();
    expect(budget.bytes).toBe(0);
  });
});
