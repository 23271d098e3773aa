import { onTopic, type TopicHandler } from '@blog-content/event-log';
import { deliveriesTopic, servedTopic } from '@blog-content/payload-schemas';
import type { DeliveryOutcomeStore } from './blogs/publishing/delivery-outcome-store.ts';

/** Consumer group of this service: its replicas share the partitions. */
export const CONSUMER_GROUP = 'content-service';

/** Which topic is handled by what. Every handler is idempotent: events come at least once. */
export function createTopicHandlers(outcomes: Pick<DeliveryOutcomeStore, 'apply' | 'applyServed'>): TopicHandler[] {
  return [
    onTopic(deliveriesTopic, (events) => outcomes.apply(events.map(({ data }) => data))),
    onTopic(servedTopic, (events) => outcomes.applyServed(events.map(({ data }) => data))),
  ];
}
