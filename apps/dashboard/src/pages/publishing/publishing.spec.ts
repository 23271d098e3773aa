import type { Publish } from '../../generated/types.gen.ts';
import { countReceivers, sayReceivers } from './count-receivers.ts';
import { stateOf } from './state-of-publish.ts';
import { byOf, queryOf, readPublishingSearch } from './search.ts';

describe('the URL of the publishes', () => {
  it('keeps filters, post and page, and drops what it does not know', () => {
    const known = { by: 'autopilot', outcome: 'failed', post: 'b', cursor: '7' };
    expect(readPublishingSearch({ ...known, other: 1 })).toEqual(known);
    expect(readPublishingSearch({ by: 'robot', outcome: 'odd', post: 3 })).toEqual({});
  });

  it('asks the API for a person’s publishes without those of a schedule', () => {
    expect(queryOf({ by: 'person' })).toEqual({ trigger: 'manual', scheduled: 'false' });
    expect(queryOf({ by: 'autopilot', outcome: 'failed', post: 'b' })).toEqual({
      trigger: 'autopilot',
      scheduled: 'true',
      outcome: 'failed',
      blog_id: 'b',
    });
  });

  it('names the publisher of a publish as the filter does', () => {
    expect(byOf({ trigger: 'manual', scheduled_for: null })).toBe('person');
    expect(byOf({ trigger: 'manual', scheduled_for: '2026-11-28T12:00:00Z' })).toBe('schedule');
    expect(byOf({ trigger: 'autopilot', scheduled_for: null })).toBe('agent');
  });
});

describe('the receivers of a publish', () => {
  it('are counted by status, without those that a newer change superseded', () => {
    const deliveries = (['succeeded', 'failed', 'pending', 'pending', 'superseded'] as const).map((status) => ({
      status,
      recovered_at: null,
    }));
    const recovered = { status: 'failed', recovered_at: '2026-11-28T12:00:00Z' } as const;
    expect(countReceivers([...deliveries, recovered])).toEqual({ all: 5, succeeded: 2, failed: 1, underWay: 2 });
  });

  it('count as delivered only if they are, because a failed one may not have answered', () => {
    const as = (status: 'succeeded' | 'failed') => ({ status, recovered_at: null });
    expect(sayReceivers([as('succeeded'), as('failed')])).toBe('Delivered to 1 of 2 destinations, 1 failed');
  });
});

describe('a publish of a post that readers have', () => {
  const failed = { status: 'failed', recovered_at: null } as const;
  const recovered = { status: 'failed', recovered_at: '2026-11-28T12:00:00Z' } as const;
  const succeeded = { status: 'succeeded', recovered_at: null } as const;
  const state = (deliveries: readonly object[], more: object = {}) =>
    stateOf({
      status: 'failed',
      served_at: '2026-11-28T11:00:00Z',
      live: true,
      blog_state: 'published',
      deliveries: deliveries as Publish['deliveries'],
      ...more,
    });

  it('is live with the number of destinations that did not get it, in amber', () => {
    expect(state([succeeded, failed])).toEqual({ words: 'Live · 1 failed', tone: 'warning' });
  });

  it('is live again without failures once a resend has reached them', () => {
    expect(state([succeeded, recovered])).toEqual({ words: 'Live', tone: 'success' });
  });

  it('waits until the public API serves it, and is past once it was replaced, unpublished or deleted', () => {
    const pending = { live: false, served_at: null, status: 'pending' };
    expect(state([], pending)).toEqual({ words: 'Waiting', tone: 'accent' });
    const past = (blog_state: string) => state([succeeded, failed], { live: false, blog_state });
    expect(past('published')).toEqual({ words: 'Replaced', tone: 'neutral' });
    expect(past('unpublished')).toEqual({ words: 'Unpublished', tone: 'neutral' });
    expect(past('deleted')).toEqual({ words: 'Deleted', tone: 'neutral' });
  });
});
