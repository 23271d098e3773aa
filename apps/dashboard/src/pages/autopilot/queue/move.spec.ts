import { topicAfter } from './move.ts';

const ids = ['a', 'b', 'c'];

describe('moving a topic', () => {
  it.each([
    ['up', 2, 1, 'b'],
    ['to the top', 2, 0, 'a'],
    ['down', 0, 1, 'c'],
    ['to the end', 0, 2, null],
  ])('%s puts it before the right one', (_, from, to, after) => {
    expect(topicAfter(ids, from, to, true)).toBe(after);
  });

  it('does nothing beyond the ends', () => {
    expect(topicAfter(ids, 0, -1, true)).toBeUndefined();
    expect(topicAfter(ids, 2, 3, true)).toBeUndefined();
    expect(topicAfter(ids, 1, 1, true)).toBeUndefined();
  });

  it('does not take the end of what is loaded for the end of the queue', () => {
    expect(topicAfter(ids, 0, 2, false)).toBeUndefined();
    expect(topicAfter(ids, 0, 1, false)).toBe('c');
  });
});
