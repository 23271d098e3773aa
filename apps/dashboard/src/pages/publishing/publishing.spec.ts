import { countReceivers, sayReceivers } from './count-receivers.ts';
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
    expect(countReceivers(deliveries)).toEqual({ all: 4, succeeded: 1, failed: 1, underWay: 2 });
  });

  it('are said to have taken it only where they have: one that failed may not have answered at all', () => {
    expect(sayReceivers([{ status: 'succeeded' }, { status: 'failed' }])).toBe('1 of 2 receivers took it, 1 failed');
  });
});
