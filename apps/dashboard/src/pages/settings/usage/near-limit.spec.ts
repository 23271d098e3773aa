import { nearLimit, percentOf } from './near-limit.ts';

const use = (used: number, allowed: number | null) => ({ name: 'posts', of: 'project', used, allowed }) as const;

describe('a quota', () => {
  it('is nearly used up from 80 percent, and used up at all of it', () => {
    expect(nearLimit([use(79, 100)])).toEqual({ full: [], near: [] });
    expect(nearLimit([use(80, 100)])).toEqual({ full: [], near: [use(80, 100)] });
    expect(nearLimit([use(99, 100), use(100, 100)])).toEqual({ full: [use(100, 100)], near: [use(99, 100)] });
  });

  it('is used up when nothing is allowed, or less than there is', () => {
    expect([percentOf(use(0, 0)), percentOf(use(5, 2))]).toEqual([100, 100]);
  });

  it('warns of nothing where there is none', () => {
    expect(nearLimit([use(1_000, null)])).toEqual({ full: [], near: [] });
  });
});
