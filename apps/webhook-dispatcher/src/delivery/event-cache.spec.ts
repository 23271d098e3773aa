import { randomUUID } from 'node:crypto';
import type { LifecycleEvent } from '@blog-content/payload-schemas';
import { testBlog } from '../../test/events.ts';
import { createEventCache } from './event-cache.ts';

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
const cacheOf = (events: readonly Kept[]) => {
  const cache = createEventCache();
  for (const { id, data } of events) cache.add(id, data);
  return cache;
};
const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);

describe('events at hand', () => {
  it('are those that were added', () => {
    const event = blog.published();
    expect(cacheOf([event]).now()).toEqual(new Map([[event.id, event.data]]));
    expect(createEventCache().now()).toEqual(new Map());
  });

  it('are the newest 512', () => {
    const events = Array.from({ length: 515 }, () => withContent(1));
    expect([...cacheOf(events).now().keys()]).toEqual(idsOf(events.slice(3)));
  });

  it('are no more than 16 Mi characters of content, the newest', () => {
    const events = [withContent(6 * MEBI), withContent(5 * MEBI), withContent(5 * MEBI)];
    expect([...cacheOf(events).now().keys()]).toEqual(idsOf(events));
    const more = withContent(1);
    expect([
      ...cacheOf([...events, more])
        .now()
        .keys(),
    ]).toEqual(idsOf([...events.slice(1), more]));
  });

  it('are none when one alone is too long, and those that come after it again', () => {
    const [before, long, after] = [withContent(10), withContent(16 * MEBI + 1), withContent(16 * MEBI)];
    expect(cacheOf([before, long]).now().size).toBe(0);
    expect([...cacheOf([before, long, after]).now().keys()]).toEqual([after.id]);
  });

  it('count once however often they are added', () => {
    const event = withContent(9 * MEBI);
    expect([...cacheOf([event, event]).now().keys()]).toEqual([event.id]);
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
    cache.add(second.id, second.data);
    expect([...then.keys()]).toEqual([first.id]);
    expect([...cache.now().keys()]).toEqual([second.id]);
  });
});
