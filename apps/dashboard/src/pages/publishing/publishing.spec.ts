import { countReceivers } from './count-receivers.ts';
import { readPublishingSearch } from './search.ts';

describe('the address of the publishes', () => {
  it('keeps filter, post and place, and leaves out what it does not know', () => {
    const known = { trigger: 'autopilot', post: 'b', cursor: '7' };
    expect(readPublishingSearch({ ...known, other: 1 })).toEqual(known);
    expect(readPublishingSearch({ trigger: 'robot', post: 3 })).toEqual({});
  });
});

describe('the receivers of a publish', () => {
  it('are counted by how they stand; what a newer change took over does not count', () => {
    const deliveries = (['succeeded', 'failed', 'pending', 'pending', 'superseded'] as const).map((status) => ({
      status,
    }));
    expect(countReceivers(deliveries)).toEqual({ all: 4, answered: 1, failed: 1, underWay: 2 });
  });
});
