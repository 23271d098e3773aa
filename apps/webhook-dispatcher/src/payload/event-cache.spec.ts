import { randomUUID } from 'node:crypto';
import { testBlog } from '../../test/events.ts';
import { createEventCache, type KnownEvent } from './event-cache.ts';

interface KeptEvent extends KnownEvent {
  readonly id: string;
}

const MEBI = 1024 * 1024;
const blog = testBlog(randomUUID());
const kept = ({ id, time, data }: ReturnType<typeof blog.published | typeof blog.unpublished>): KeptEvent => ({
  id,
  time: new Date(time),
  traceparent: null,
  data,
});
/** An event with so many characters of content. */
const withContent = (characters: number): KeptEvent =>
  kept(blog.published({ revision: { content: 'x'.repeat(characters) } }));
/** Those of the events that are still cached after all have been added. */
const atHand = (events: readonly KeptEvent[]): readonly KeptEvent[] => {
  const cache = createEventCache();
  for (const event of events) cache.keep(event.id, event);
  return events.filter(({ id }) => cache.get(id) !== undefined);
};

describe('cached events', () => {
  it('are those that were kept, as they were', () => {
    const cache = createEventCache();
    const event = withContent(1);
    cache.keep(event.id, event);
    expect(cache.get(event.id)).toBe(event);
    expect(cache.get(randomUUID())).toBeUndefined();
  });

  it('are the newest 512', () => {
    const events = Array.from({ length: 515 }, () => withContent(1));
    expect(atHand(events)).toEqual(events.slice(3));
  });

  it('are no more than 16 Mi characters of content, the newest', () => {
    const events = [withContent(6 * MEBI), withContent(5 * MEBI), withContent(5 * MEBI)];
    expect(atHand(events)).toEqual(events);
    const more = withContent(1);
    expect(atHand([...events, more])).toEqual([...events.slice(1), more]);
  });

  it('are none when one alone is too long, and those that come after it again', () => {
    const [before, long, after] = [withContent(10), withContent(16 * MEBI + 1), withContent(16 * MEBI)];
    expect(atHand([before, long])).toEqual([]);
    expect(atHand([before, long, after])).toEqual([after]);
  });

  it('count once however often they are kept', () => {
    const event = withContent(9 * MEBI);
    expect(atHand([event, event])).toEqual([event, event]);
  });

  it('have room for events without content', () => {
    const events = Array.from({ length: 512 }, () => kept(blog.unpublished()));
    expect(atHand(events)).toHaveLength(512);
  });
});
