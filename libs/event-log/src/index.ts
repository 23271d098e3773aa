export type { EventLogLogger } from './logger.ts';
export {
  toEnvelope,
  wrapEvent,
  type EnvelopeOptions,
  type EventEnvelope,
  type ReceivedEvent,
} from './messages/envelope.ts';
export { contextOf, traceparentOf } from './messages/trace.ts';
export {
  onTopic,
  type AppendOptions,
  type EventLog,
  type Parking,
  type ReadableTopic,
  type ReadOptions,
  type SubscribeOptions,
  type Subscription,
  type TopicDeclaration,
  type TopicHandler,
  type PartitionPosition,
  type TopicLag,
  type TopicReader,
} from './event-log.ts';
export type { EventLogMetrics } from './event-log-metrics.ts';
export { openEventLog, type EventLogConfig } from './open-event-log.ts';
export { AppendFailed } from './parking/is-outage.ts';
export { PARKED_EVENTS_TABLE_SQL } from './parking/parked-events-table.ts';
export { createParkedEventStore, type ParkedKey } from './parking/parked-event-store.ts';
export { createParking } from './parking/parking.ts';
export { OUTBOX_TABLE_SQL, toBundled, toOutboxRow, type OutboxRow } from './outbox/outbox-table.ts';
export {
  startOutboxRelay,
  type OutboxRelay,
  type OutboxRelayOptions,
  type OutboxState,
} from './outbox/outbox-relay.ts';
export { connectEventLog, type EventLogConnection, type EventLogConnectionOptions } from './connect-event-log.ts';
