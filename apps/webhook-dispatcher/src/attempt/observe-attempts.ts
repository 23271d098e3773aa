import { contextOf, traceparentOf } from '@blog-content/event-log';
import type { Metrics } from '@blog-content/service-runtime';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { NotSent, Outcome } from '../http/exchange.ts';
import { statusOf, type Verdict } from '../http/judge.ts';
import type { ClaimedDelivery, LeasedDelivery } from '../queue/claim-statements.ts';
import type { AttemptMetrics } from './record-outcome.ts';
import type { QueueState } from '../queue/delivery-store.ts';

export interface MeasuredState {
  /** Running attempts of this process. */
  readonly inFlight: () => number;
  /** How many of them go to the receiver that has most. */
  readonly atBusiest: () => number;
  /** How many of them are slow. */
  readonly slow: () => number;
  /** What they hold, in bytes, as the budget counts it. */
  readonly heldBytes: () => number;
  /** Most concurrent attempts in this process that are not slow. */
  readonly concurrency: number;
  /** Most of them of one project. */
  readonly perProject: number;
  /** Most concurrent attempts to one receiver. */
  readonly perIntegration: number;
  /** What is waiting in the queue, of all replicas. */
  readonly measure: () => Promise<QueueState>;
}

/** From a few milliseconds (everything cached) over the wait for the read service to a queue of minutes. */
const LATENCY_BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 2.5, 5, 10, 30, 60, 300];

/**
 * Registers the metrics of deliveries; those of a state are read when somebody scrapes, and the database is asked once
 * for all of them.
 */
export function registerDeliveryMetrics(metrics: Metrics, state: MeasuredState): AttemptMetrics {
  const attempts = metrics.counter(
    'webhook_delivery_attempts_total',
    'Delivery attempts, by result and failure reason.',
    ['verdict', 'reason'],
  );
  const latency = metrics.histogram(
    'webhook_event_to_first_byte_seconds',
    'Time from the lifecycle event to the first byte of the first attempt.',
    [],
    LATENCY_BUCKETS_S,
  );
  registerQueueGauges(metrics, state.measure);
  registerAttemptGauges(metrics, state);
  return {
    attempted: (verdict, reason) => {
      attempts.inc({ verdict, reason });
    },
    firstByte: (latencyMs) => {
      latency.observe(Math.max(0, latencyMs) / 1_000);
    },
  };
}

function registerQueueGauges(metrics: Metrics, measure: () => Promise<QueueState>): void {
  metrics.reading('webhook_queue', measure, {
    webhook_deliveries_due: {
      help: 'Due deliveries not yet claimed, across all replicas.',
      value: ({ due }) => due,
    },
    webhook_delivery_oldest_due_seconds: {
      help: 'How long the oldest due, unclaimed delivery has been due, across all replicas.',
      value: ({ oldestDueMs }) => oldestDueMs / 1_000,
    },
    webhook_delivery_retries_waiting: {
      help: 'Attempted deliveries waiting for another attempt, across all replicas.',
      value: ({ retries }) => retries,
    },
    webhook_deliveries_unserved: {
      help: 'Deliveries waiting for the public API to serve their event, across all replicas.',
      value: ({ unserved }) => unserved,
    },
  });
}

function registerAttemptGauges(metrics: Metrics, state: MeasuredState): void {
  metrics.gauge('webhook_deliveries_in_flight', 'Attempts running in this process.', [], (gauge) => {
    gauge.set(state.inFlight());
  });
  metrics.gauge(
    'webhook_deliveries_in_flight_busiest_receiver',
    'Attempts running in this process, to the busiest receiver.',
    [],
    (gauge) => {
      gauge.set(state.atBusiest());
    },
  );
  metrics.gauge('webhook_deliveries_slow', 'Slow attempts running in this process.', [], (gauge) => {
    gauge.set(state.slow());
  });
  metrics.gauge('webhook_delivery_held_bytes', 'Memory reserved for attempts running in this process.', [], (gauge) => {
    gauge.set(state.heldBytes());
  });
  metrics
    .gauge('webhook_delivery_concurrency_limit', 'Maximum concurrent attempts in this process that are not slow.')
    .set(state.concurrency);
  metrics.gauge('webhook_delivery_project_concurrency_limit', 'Maximum of these per project.').set(state.perProject);
  metrics
    .gauge('webhook_delivery_receiver_concurrency_limit', 'Maximum concurrent attempts in this process per receiver.')
    .set(state.perIntegration);
}

export type AttemptSpan = ReturnType<typeof startAttemptSpan>;

/**
 * Starts the span of one attempt, in the trace of the change that it delivers. It says what is delivered to which
 * integration and what came of it: no URL, header or body, in which owners keep credentials.
 */
export function startAttemptSpan(held: LeasedDelivery, { integrationKind }: Pick<ClaimedDelivery, 'integrationKind'>) {
  const span = trace.getTracer('@blog-content/webhook-dispatcher').startSpan(
    `deliver ${held.event}`,
    {
      kind: SpanKind.CLIENT,
      attributes: {
        'blog_content.delivery.id': held.id,
        'blog_content.delivery.kind': held.kind,
        'blog_content.delivery.attempt': held.attempt,
        'blog_content.delivery.trigger': held.trigger,
        'blog_content.integration.id': held.integrationId,
        'blog_content.integration.kind': integrationKind,
        'blog_content.project.id': held.projectId,
        'blog_content.event': held.event,
        'blog_content.event.id': held.lifecycleEventId,
      },
    },
    contextOf(held.traceparent ?? undefined),
  );
  return {
    /** Undefined while nothing is traced. */
    traceparent: traceparentOf(span.spanContext()),
    /**
     * @param verdict null where none was reached: nothing was sent, or the outcome could not be recorded.
     * @param endedMs by the monotonic clock: recording an outcome may take longer than the attempt.
     */
    end(outcome: Outcome | NotSent, verdict: Verdict | null, endedMs: number): void {
      const status = outcome.kind === 'not_sent' ? null : statusOf(outcome);
      if (status !== null) span.setAttribute('http.response.status_code', status);
      span.setAttribute('blog_content.delivery.outcome', verdict?.kind ?? outcome.kind);
      if (verdict !== null && verdict.kind !== 'succeeded') {
        span.setAttribute('error.type', verdict.reason);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end(endedMs);
    },
  };
}
