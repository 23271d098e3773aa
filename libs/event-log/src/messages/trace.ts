import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Link,
  type SpanContext,
} from '@opentelemetry/api';

const tracer = trace.getTracer('@blog-content/event-log');
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The active span as a W3C `traceparent`, or undefined when nothing is traced. */
export function currentTraceparent(): string | undefined {
  const span = trace.getSpanContext(context.active());
  return span && traceparentOf(span);
}

/** A span's context as a W3C `traceparent`, or undefined when nothing is traced. */
export function traceparentOf(span: SpanContext): string | undefined {
  if (!trace.isSpanContextValid(span)) return undefined;
  const flags = (span.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
  return `00-${span.traceId}-${span.spanId}-${flags}`;
}

/** The context that a `traceparent` names; the root context when there is none or it cannot be read. */
export function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  });
}

/** Where a batch comes from, for its span. */
export interface ConsumedBatch {
  readonly topic: string;
  readonly partition: number;
  readonly group: string;
  /** Of the batch's events, in order. */
  readonly traceparents: readonly (string | undefined)[];
}

/**
 * Runs the handling of a batch inside a consumer span. It continues the trace of the first event, and links the traces
 * of all: of each event, its own trace leads to the batch.
 */
export async function inConsumerSpan(batch: ConsumedBatch, handle: () => Promise<void>): Promise<void> {
  const options = {
    kind: SpanKind.CONSUMER,
    links: linksTo(batch.traceparents),
    attributes: {
      'messaging.destination.name': batch.topic,
      'messaging.destination.partition.id': String(batch.partition),
      'messaging.consumer.group.name': batch.group,
      'messaging.batch.message_count': batch.traceparents.length,
    },
  };
  await tracer.startActiveSpan(`${batch.topic} process`, options, contextOf(batch.traceparents[0]), async (span) => {
    try {
      await handle();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.recordException(error as Error);
      throw error;
    } finally {
      span.end();
    }
  });
}

function linksTo(traceparents: ConsumedBatch['traceparents']): Link[] {
  return [...new Set(traceparents)].flatMap((traceparent) => {
    const span = trace.getSpanContext(contextOf(traceparent));
    return span === undefined ? [] : [{ context: span }];
  });
}
