import { randomUUID } from 'node:crypto';
import {
  context,
  isSpanContextValid,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
} from '@opentelemetry/api';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics.ts';
import { loggablePath } from './loggable-path.ts';
import { createRouteNames, matchedRoute } from './route-name.ts';

const REQUEST_ID = /^[\w-]{1,64}$/;
/** What a request counts as whose caller left before the answer. */
const CLIENT_LEFT = 499;

/**
 * The first middleware: gives each request an id, a span and a logger, and writes one `http.request` line and one
 * measurement when its answer has gone out or its caller has left.
 */
export function observeRequests({ logger, metrics }: { logger: Logger; metrics: Metrics }): RequestHandler {
  const tracer = trace.getTracer('@blog-content/service-runtime');
  const routeNames = createRouteNames();

  return (request, response, next) => {
    const startedAt = performance.now();
    const bytesBefore = request.socket.bytesWritten;
    const path = loggablePath(request.originalUrl);
    const requestId = requestIdOf(request);
    const span = tracer.startSpan(
      request.method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': request.method, 'url.path': path } },
      propagation.extract(context.active(), request.headers),
    );
    const { traceId } = span.spanContext();
    const ids = { request_id: requestId, ...(isSpanContextValid(span.spanContext()) && { trace_id: traceId }) };

    response.setHeader('X-Request-Id', requestId);
    response.locals.requestId = requestId;
    response.locals.log = {};
    response.locals.logger = logger.child(ids);

    // 'close' comes after 'finish' too, and is the only event when the caller has left.
    response.once('close', () => {
      const finished = response.writableFinished;
      const route = routeNames(response.locals.route ?? matchedRoute(request));
      const status = finished ? response.statusCode : CLIENT_LEFT;
      const durationMs = performance.now() - startedAt;
      metrics.httpRequestDuration.observe({ method: request.method, route, status }, durationMs / 1_000);
      endSpan(span, request.method, route, status);
      logger.info('http.request', {
        ...response.locals.log,
        method: request.method,
        path,
        route,
        status,
        duration_ms: Math.round(durationMs * 10) / 10,
        bytes: bytesOf(response, request.socket.bytesWritten - bytesBefore),
        ...ids,
      });
    });
    context.with(trace.setSpan(context.active(), span), next);
  };
}

function requestIdOf(request: Request): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** The body's length where it was announced, otherwise what went over the socket. */
function bytesOf(response: Response, bytesOnSocket: number): number {
  const announced = Number(response.getHeader('Content-Length') ?? NaN);
  return response.writableFinished && Number.isInteger(announced) ? announced : bytesOnSocket;
}

function endSpan(span: Span, method: string, route: string, status: number): void {
  if (span.isRecording()) {
    span.updateName(`${method} ${route}`);
    span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
