import { onTopic, type ReceivedEvent, type TopicHandler } from '@blog-content/event-log';
import { lifecycleTopic, projectsTopic, sessionsTopic } from '@blog-content/payload-schemas';
import type { Logger, Metrics, RevokedSessionStore } from '@blog-content/service-runtime';
import { applyLifecycleEvents, type ApplyDependencies } from './projection/apply-lifecycle-events.ts';
import { applyProjectEvents } from './projection/apply-project-events.ts';
import type { ProjectionStore } from './projection/projection-store.ts';

/** The consumer group of this service: all replicas share the partitions and the database. */
export const CONSUMER_GROUP = 'public-read-service';

export interface ConsumeDependencies extends ApplyDependencies {
  readonly projection: ProjectionStore;
  readonly revokedSessions: Pick<RevokedSessionStore, 'add'>;
  readonly logger: Pick<Logger, 'info'>;
  readonly metrics: ProjectionMetrics;
}

export interface ProjectionMetrics {
  /** An event of the topic is in the read model, so many seconds after it had happened. */
  applied(topic: string, delayS: number): void;
}

/** Makes the metrics, once: the handlers are made again with every attempt to connect. */
export function createProjectionMetrics(metrics: Pick<Metrics, 'histogram'>): ProjectionMetrics {
  const delay = metrics.histogram(
    'projection_delay_seconds',
    'Time from an event to its appearance in the read model.',
    ['topic'],
  );
  return { applied: (topic, delayS) => delay.observe({ topic }, delayS) };
}

/** Topic → handler: what this service consumes. */
export function topicHandlers(dependencies: ConsumeDependencies): TopicHandler[] {
  const { projection, revokedSessions, logger, metrics, now } = dependencies;
  const observed = async (events: readonly ReceivedEvent[], apply: () => Promise<number>): Promise<void> => {
    const startedAt = performance.now();
    const applied = await apply();
    const topic = events[0]?.topic ?? '';
    for (const event of events) {
      metrics.applied(topic, Math.max(0, now().getTime() - Date.parse(event.time)) / 1_000);
    }
    logger.info('projection.applied', {
      topic,
      partition: events[0]?.partition,
      first_offset: events[0]?.offset,
      events: events.length,
      applied,
      duration_ms: Math.round(performance.now() - startedAt),
    });
  };
  return [
    onTopic(lifecycleTopic, (events) => observed(events, () => applyLifecycleEvents(projection, events, dependencies))),
    onTopic(projectsTopic, (events) => observed(events, () => applyProjectEvents(projection, events, now))),
    onTopic(sessionsTopic, (events) => revokedSessions.add(events.map(({ data }) => data))),
  ];
}
