import { randomUUID } from 'node:crypto';
import type { LifecycleEvent } from '@blog-content/payload-schemas';
import { testBlog } from '../../test/events.ts';
import { createEventCache, type EventCache } from './event-cache.ts';

interface Kept {
  readonly id: string;
  readonly data: LifecycleEvent;
}

const MEBI = 1024 * 1024;
const blog = testBlog(randomUUID());
/** An event with so many characters of content. */
const withContent = (characters: number): Kept => {
  const { id, data } = blog.published({ revision: { content: 'x'.repeat(characters) } });
  return { id, data };
};
const cacheOf = (events: readonly Kept[], deliveries = 1) => {
  const cache = createEventCache();
  for (const { id, data } of events) cache.planned(id, data, deliveries);
  return cache;
};
const idsIn = (cache: EventCache) => [...cache.now().keys()];
const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);

describe('events at hand', () => {
  it('are those that were planned, with deliveries', () => {
    const event = blog.published();
    expect(cacheOf([event]).now()).toEqual(new Map([[event.id, event.data]]));
    expect(createEventCache().now()).toEqual(new Map());
    expect(cacheOf([event], 0).now()).toEqual(new Map());
  });

  it('are forgotten with the last of their deliveries', () => {
    const [first, second] = [withContent(1), withContent(1)];
    const cache = cacheOf([first, second], 3);
    for (let claims = 1; claims <= 2; claims += 1) cache.claimed(first.id, first.data);
    expect(idsIn(cache)).toEqual(idsOf([first, second]));
    cache.claimed(first.id, first.data);
    expect(idsIn(cache)).toEqual([second.id]);
  });

  it('are also the last 32 that were claimed and planned by another replica', () => {
    const planned = withContent(1);
    const cache = cacheOf([planned]);
    const others = Array.from({ length: 35 }, () => withContent(1));
    for (const { id, data } of others) {
      cache.claimed(id, data);
      cache.claimed(id, data);
    }
    expect(idsIn(cache)).toEqual([planned.id, ...idsOf(others.slice(3))]);
  });

  it('are the newest 512', () => {
    const events = Array.from({ length: 515 }, () => withContent(1));
    expect(idsIn(cacheOf(events))).toEqual(idsOf(events.slice(3)));
  });

  it('are no more than 16 Mi characters of content, the newest', () => {
    const events = [withContent(6 * MEBI), withContent(5 * MEBI), withContent(5 * MEBI)];
    expect(idsIn(cacheOf(events))).toEqual(idsOf(events));
    const more = withContent(1);
    expect(idsIn(cacheOf([...events, more]))).toEqual(idsOf([...events.slice(1), more]));
  });

  it('leave their room to others when they are forgotten', () => {
    const [first, second] = [withContent(9 * MEBI), withContent(9 * MEBI)];
    const cache = cacheOf([first]);
    cache.claimed(first.id, first.data);
    for (const { id, data } of [second, withContent(7 * MEBI)]) cache.planned(id, data, 1);
    expect(cache.now().size).toBe(2);
  });

  it('are none when one alone is too long, and those that come after it again', () => {
    const [before, long, after] = [withContent(10), withContent(16 * MEBI + 1), withContent(16 * MEBI)];
    expect(cacheOf([before, long]).now().size).toBe(0);
    expect(idsIn(cacheOf([before, long, after]))).toEqual([after.id]);
  });

  it('count once however often they are planned', () => {
    const event = withContent(9 * MEBI);
    expect(idsIn(cacheOf([event, event]))).toEqual([event.id]);
  });

  it('have room for events without content', () => {
    const events = Array.from({ length: 512 }, () => blog.unpublished());
    expect(cacheOf(events).now().size).toBe(512);
  });

  it('of a moment stay as they are when others take their place', () => {
    const first = withContent(10 * MEBI);
    const cache = cacheOf([first]);
    const then = cache.now();
    const second = withContent(10 * MEBI);
    cache.planned(second.id, second.data, 1);
    expect([...then.keys()]).toEqual([first.id]);
    expect(idsIn(cache)).toEqual([second.id]);
  });
});
