import { nextTimes } from './next-times.ts';

const local = (iso: string) => {
  const at = new Date(iso);
  return [at.getDay(), at.getDate(), at.getHours(), at.getMinutes()];
};

describe('nextTimes', () => {
  it('offers tomorrow and the next Monday at nine', () => {
    const { tomorrow, monday } = nextTimes(new Date(2026, 10, 28, 22, 30));
    expect(local(tomorrow)).toEqual([0, 29, 9, 0]);
    expect(local(monday)).toEqual([1, 30, 9, 0]);
  });

  it('offers the Monday of next week on a Monday', () => {
    expect(local(nextTimes(new Date(2026, 10, 30, 8)).monday)).toEqual([1, 7, 9, 0]);
  });
});
