import { contextOf, traceparentOf } from '@blog-content/event-log';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { NotSent, Outcome } from '../http/exchange.ts';
import { statusOf, type Verdict } from '../http/judge.ts';
import type { ClaimedDelivery, LeasedDelivery } from '../queue/claim-statements.ts';

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
