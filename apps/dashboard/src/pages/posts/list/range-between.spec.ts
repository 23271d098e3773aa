import { rangeBetween } from './range-between.ts';

const items = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
const between = (from: string | null, to: string) => rangeBetween(items, from, to).map(({ id }) => id);

describe('a range of posts', () => {
  it('reaches from one to the other, in both directions', () => {
    expect(between('b', 'd')).toEqual(['b', 'c', 'd']);
    expect(between('d', 'b')).toEqual(['b', 'c', 'd']);
    expect(between('c', 'c')).toEqual(['c']);
  });

  it('is the second alone when the first is on another page, or there is none', () => {
    expect(between('elsewhere', 'c')).toEqual(['c']);
    expect(between(null, 'a')).toEqual(['a']);
  });
});
