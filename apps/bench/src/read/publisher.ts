import {
  OUTBOX_TABLE_SQL,
  openEventLog,
  startOutboxRelay,
  toEnvelope,
  type EventEnvelope,
  type EventLogConfig,
} from '@blog-content/event-log';
import { lifecycleTopic, type BlogPublishedEvent } from '@blog-content/payload-schemas';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { quietLogger } from '../processes/quiet-logger.ts';

/** A publish whose event's transaction has been committed. */
export interface CommittedPublish {
  readonly eventId: string;
  readonly slug: string;
  /** Milliseconds since the epoch on the database's clock, read right before the commit. */
  readonly committedAt: number;
}

/** Publishes posts as content-service does: into an outbox, from which the relay takes them to the event log. */
export interface Publisher {
  publish(blog: { projectId: string; slug: string; content: string }): Promise<CommittedPublish>;
  /** Commits a lifecycle event. */
  emit(envelope: EventEnvelope): Promise<Pick<CommittedPublish, 'eventId' | 'committedAt'>>;
  stop(): Promise<void>;
}

/** Makes the outbox in the given empty database and starts the relay in this process. */
export async function startPublisher(databaseUrl: string, eventLogConfig: EventLogConfig): Promise<Publisher> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  await pool.query(OUTBOX_TABLE_SQL);
  const eventLog = await openEventLog(eventLogConfig, quietLogger);
  await eventLog.ensureTopics([lifecycleTopic]);
  const relay = startOutboxRelay({ databaseUrl, eventLog, logger: quietLogger });

  const emit = async (envelope: EventEnvelope) => {
    const { rows } = await pool.query<{ committed_at: number }>(
      `INSERT INTO outbox (id, topic, type, source, key, partition_key, data, time)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       RETURNING (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS committed_at`,
      [
        envelope.id,
        envelope.topic,
        envelope.type,
        envelope.source,
        envelope.key,
        envelope.partitionKey,
        envelope.data,
        envelope.time,
      ],
    );
    return { eventId: envelope.id, committedAt: rows[0]?.committed_at ?? Number.NaN };
  };

  return {
    emit,
    async publish(blog) {
      const envelope = toEnvelope(lifecycleTopic, publishedEvent(blog), { source: '/content-service' });
      return { ...(await emit(envelope)), slug: blog.slug };
    },
    async stop() {
      await relay.stop();
      await eventLog.close();
      await pool.end();
    },
  };
}

/** The event of a first publish. */
export function publishedEvent(blog: { projectId: string; slug: string; content: string }): BlogPublishedEvent {
  const at = new Date().toISOString();
  return {
    event: 'blog.published',
    project_id: blog.projectId,
    blog_id: randomUUID(),
    blog_event_number: 1,
    trigger: 'manual',
    publish_id: randomUUID(),
    published_at: at,
    publication_began_at: at,
    site_url: null,
    published_link_targets: [],
    revision: {
      number: 1,
      title: `About ${blog.slug}`,
      slug: blog.slug,
      content: blog.content,
      excerpt: 'A post that the bench has published.',
      meta_title: null,
      meta_description: null,
      featured_image_url: null,
      categories: ['category-1'],
      tags: ['tag-1', 'tag-2'],
      keyword: null,
    },
  };
}
