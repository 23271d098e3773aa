import type { Metrics } from '@blog-content/service-runtime';

/** What deliveries are measured by. */
export interface DeliveryMetrics {
  /** An attempt ended: what follows, and why it failed (`none` when it did not). */
  attempted(verdict: 'succeeded' | 'retry' | 'failed', reason: string): void;
  /** A first attempt's first byte could leave so many milliseconds after its lifecycle event happened. */
  firstByte(latencyMs: number): void;
}

export interface MeasuredState {
  /** Attempts under way in this process. */
  readonly inFlight: () => number;
  /** Deliveries due and not yet claimed, of all replicas. */
  readonly countDue: () => Promise<number>;
}

/** From a few milliseconds (everything at hand) over the wait for the read service to a queue of minutes. */
const LATENCY_BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 2.5, 5, 10, 30, 60, 300];

/** Registers the metrics of deliveries; those of a state are read when somebody scrapes. */
export function registerDeliveryMetrics(metrics: Metrics, { inFlight, countDue }: MeasuredState): DeliveryMetrics {
  const attempts = metrics.counter(
    'webhook_delivery_attempts_total',
    'Delivery attempts by what followed and why they failed.',
    ['verdict', 'reason'],
  );
  const latency = metrics.histogram(
    'webhook_event_to_first_byte_seconds',
    'From the lifecycle event to the first byte of the first attempt.',
    [],
    LATENCY_BUCKETS_S,
  );
  metrics.gauge('webhook_deliveries_in_flight', 'Attempts under way in this process.', [], (gauge) => {
    gauge.set(inFlight());
  });
  metrics.gauge('webhook_deliveries_due', 'Deliveries due and not yet claimed, of all replicas.', [], async (gauge) => {
    gauge.set(await countDue());
  });
  return {
    attempted: (verdict, reason) => {
      attempts.inc({ verdict, reason });
    },
    firstByte: (latencyMs) => {
      latency.observe(Math.max(0, latencyMs) / 1_000);
    },
  };
}
