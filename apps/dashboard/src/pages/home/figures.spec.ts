import type { Publish } from '../../generated/types.gen.ts';
import { figuresOf, percentOf, requestsOf } from './figures.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const publish = (post: string, at: string, ...states: readonly string[]) =>
  ({
    blog_id: post,
    requested_at: at,
    deliveries: states.map((status) => ({ status, recovered_at: null })),
  }) as unknown as Publish;

describe('the figures of the week', () => {
  const week = [
    publish('a', '2026-11-23T11:00:00Z', 'succeeded', 'pending'),
    publish('b', '2026-11-20T12:00:00Z', 'failed', 'succeeded'),
    publish('a', '2026-11-17T12:00:00Z', 'succeeded'),
  ];
  const old = publish('c', '2026-11-16T11:59:00Z', 'failed');

  it('count posts and finished deliveries of the last seven days', () => {
    expect(figuresOf([...week, old], false, NOW)).toEqual({ posts: 2, isMore: false, delivered: 3, ended: 4 });
  });

  it('say that there may be more if the week began before the oldest that was read', () => {
    expect(figuresOf(week, false, NOW).isMore).toBe(true);
    expect(figuresOf(week, true, NOW).isMore).toBe(false);
  });

  it('say 100% only if nothing failed', () => {
    expect(percentOf(999, 1000)).toBe(99);
    expect(percentOf(4, 4)).toBe(100);
  });

  it('sum up the requests of seven days', () => {
    const days = Array.from({ length: 30 }, (_, day) => ({ day: `${day}`, requests: day, not_modified: 0 }));
    expect(requestsOf({ days })).toEqual({
      total: 23 + 24 + 25 + 26 + 27 + 28 + 29,
      byDay: [23, 24, 25, 26, 27, 28, 29],
    });
  });
});
