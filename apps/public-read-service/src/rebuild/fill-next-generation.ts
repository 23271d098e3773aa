import { onTopic, type EventLogLogger, type ReceivedEvent, type TopicHandler } from '@blog-content/event-log';
import { lifecycleTopic, projectsTopic } from '@blog-content/payload-schemas';
import { DatabaseError, type Pool } from 'pg';
import { putLifecycleEvents, putProjectEvents } from './fill-store.ts';

export interface FillOptions {
  /** Connections of the rebuild's own; partitions are filled at the same time. */
  readonly pool: Pool;
  readonly logger: EventLogLogger;
  readonly now: () => Date;
  /** Called after each batch. `posts`: how many were put in. */
  readonly onFilled: (events: number, posts: number) => void;
  /** Throws when the rebuild is to stop. */
  readonly check: () => void;
}

/**
 * Topic → handler: puts events into the tables `…_next` as the projection does into the present ones, and announces
 * nothing. What is put in does not depend on how the topics' partitions are interleaved, but for the posts of deleted
 * projects, which the switch takes out.
 */
export function fillNextGeneration({ pool, logger, now, onFilled, check }: FillOptions): TopicHandler[] {
  /** An event that the database refuses must not end a rebuild: it is found, left out and logged. */
  async function fill<Event extends ReceivedEvent>(
    events: readonly Event[],
    put: (events: readonly Event[]) => Promise<number>,
  ): Promise<void> {
    check();
    try {
      const posts = await put(events);
      onFilled(events.length, posts);
    } catch (error) {
      if (!isRefusedData(error)) throw error;
      const [first] = events;
      if (events.length > 1) {
        const middle = Math.ceil(events.length / 2);
        await fill(events.slice(0, middle), put);
        await fill(events.slice(middle), put);
      } else if (first !== undefined) {
        const { id, topic, partition, offset } = first;
        logger.warn('rebuild.event_skipped', { event_id: id, topic, partition, offset, error });
        onFilled(1, 0);
      }
    }
  }

  return [
    onTopic(lifecycleTopic, (events) => fill(events, (part) => putLifecycleEvents(pool, part))),
    onTopic(projectsTopic, (events) => fill(events, (part) => putProjectEvents(pool, part, now()))),
  ];
}

/** Data exception, integrity violation, limit exceeded: the same events would be refused again. */
function isRefusedData(error: unknown): boolean {
  return error instanceof DatabaseError && /^(22|23|54)/.test(error.code ?? '');
}
