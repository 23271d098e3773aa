/** What a service's tie to the event log counts. */
export interface EventLogMetrics {
  /** So many events of the outbox were appended and marked. */
  relayed(events: number): void;
  /** A batch of the outbox could not be appended; it is tried again. */
  appendFailed(): void;
  /** A handler has failed; the same events come again. */
  batchFailed(topic: string): void;
  /** An event was parked, because it could not be handled. */
  parked(topic: string): void;
  /** So many messages that cannot be read were put aside; 0 for each topic once it is read. */
  deadLettered(topic: string, messages: number): void;
  /** An event was passed over, because its type is not known here. */
  passedOver(topic: string, type: string): void;
}
