import { inRounds } from './outcome-changes-store.ts';

describe('events that are applied together', () => {
  it('have each delivery once, and the events of one delivery one after the other', () => {
    const event = (delivery_id: string, number: number) => ({ delivery_id, number });
    const events = [event('a', 1), event('b', 1), event('A', 2), event('c', 1), event('a', 3)];
    expect(inRounds(events)).toEqual([[event('a', 1), event('b', 1), event('c', 1)], [event('A', 2)], [event('a', 3)]]);
    expect(inRounds([])).toEqual([]);
  });
});
