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
import type { Express, Request, RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics.ts';

const REQUEST_ID = /^[\w-]{1,64}$/;
/** What a request counts as whose caller left before the answer. */
const CLIENT_LEFT = 499;
/** Characters of a path that a line may have. */
const LONGEST_PATH = 200;
const UNMATCHED = 'unmatched';
const OTHER = 'other';
const MAX_ROUTES = 500;

/** In a router's mount path Express keeps values, not the pattern: what may be one must not reach a label. */
const LOOKS_LIKE_A_VALUE = /^(?=.*\d)(?!v\d+$)/;

const MATCHED = Symbol('matched route');

interface RouteOfRequest {
  readonly path: string | RegExp | readonly string[];
}

interface WatchedRequest extends Request {
  [MATCHED]?: { readonly route: RouteOfRequest; readonly baseUrl: string };
}

/** A request that is being observed. */
export interface ObservedRequest {
  /** The caller's `X-Request-Id` when it is a sensible one, else a new one. The answer carries it. */
  readonly requestId: string;
  /** Writes the request's id with every line. */
  readonly logger: Logger;
  /** Fields for the request's own line. */
  readonly log: Record<string, unknown>;
  /** Runs work as part of the request's trace. */
  readonly run: (work: () => void) => void;
}

/**
 * Observes one request: gives it an id, a span and a logger, and writes one `http.request` line and one measurement
 * when its answer has gone out or its caller has left. `target` is path and query as received; `routeOf` is asked at
 * the end, for the route's pattern.
 */
export type ObserveRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  routeOf: () => string | undefined,
) => ObservedRequest;

/** Makes the observer of a service's requests. */
export function createRequestObserver({ logger, metrics }: { logger: Logger; metrics: Metrics }): ObserveRequest {
  const tracer = trace.getTracer('@blog-content/service-runtime');
  const routeNames = createRouteNames();

  return (request, response, target, routeOf) => {
    const startedAt = performance.now();
    const bytesBefore = request.socket.bytesWritten;
    const method = request.method ?? '';
    const path = loggablePath(target);
    const requestId = requestIdOf(request);
    const span = tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'url.path': path } },
      propagation.extract(context.active(), request.headers),
    );
    const { traceId } = span.spanContext();
    const ids = { request_id: requestId, ...(isSpanContextValid(span.spanContext()) && { trace_id: traceId }) };
    const log: Record<string, unknown> = {};
    response.setHeader('X-Request-Id', requestId);

    // 'close' comes after 'finish' too, and is the only event when the caller has left.
    response.once('close', () => {
      const finished = response.writableFinished;
      const route = routeNames(routeOf());
      const status = finished ? response.statusCode : CLIENT_LEFT;
      const durationMs = performance.now() - startedAt;
      metrics.httpRequestDuration.observe({ method, route, status }, durationMs / 1_000);
      endSpan(span, method, route, status);
      logger.info('http.request', {
        ...log,
        method,
        path,
        route,
        status,
        duration_ms: Math.round(durationMs * 10) / 10,
        bytes: bytesOf(response, request.socket.bytesWritten - bytesBefore),
        ...ids,
      });
    });
    return {
      requestId,
      logger: logger.child(ids),
      log,
      run: (work) => context.with(trace.setSpan(context.active(), span), work),
    };
  };
}

/**
 * The first middleware: observes each request, and gives its handlers `requestId`, `logger` and `log` in
 * `response.locals`.
 */
export function observeRequests(observer: { logger: Logger; metrics: Metrics }): RequestHandler {
  const observe = createRequestObserver(observer);
  return (request, response, next) => {
    const { requestId, logger, log, run } = observe(
      request,
      response,
      request.originalUrl,
      () => response.locals.route ?? matchedRoute(request),
    );
    Object.assign(response.locals, { requestId, logger, log });
    run(next);
  };
}

function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** The body's length where it was announced, otherwise what went over the socket. */
function bytesOf(response: ServerResponse, bytesOnSocket: number): number {
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

/**
 * Makes a function that lets at most 500 different routes through and calls all others `other`: labels must stay few.
 */
export function createRouteNames(): (route: string | undefined) => string {
  const known = new Set<string>();
  return (route) => {
    if (route === undefined) return UNMATCHED;
    if (!known.has(route)) {
      if (known.size >= MAX_ROUTES) return OTHER;
      known.add(route);
    }
    return route;
  };
}

/**
 * The path of a request target as logs and traces may have it: no query (it can hold an API key), nothing but printable
 * ASCII, at most 200 characters.
 */
export function loggablePath(target: string): string {
  // Proxies may send the whole URL, with user info in it.
  const local = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? '*');
  const path = local.split(/[?#]/, 1)[0] ?? '';
  const escaped = path.slice(0, LONGEST_PATH + 1).replace(/[^\x21-\x7e]/g, escapeCharacter);
  return escaped.length > LONGEST_PATH ? `${escaped.slice(0, LONGEST_PATH - 1)}…` : escaped;
}

/** Node hands bytes above 0x7f over as Latin-1, so a code up to 0xff is the byte that was sent. */
function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return code <= 0xff
    ? `%${code.toString(16).toUpperCase().padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/**
 * Has an app's requests note which route the router chooses for them, and where it is mounted, at the moment it does:
 * later, in error handlers, the mount path that belongs to it is gone.
 */
export function watchRoutes(app: Express): void {
  // On the prototype, once: a property defined on each request would cost every one of them.
  Object.defineProperty(app.request, 'route', {
    configurable: true,
    get(this: WatchedRequest) {
      return this[MATCHED]?.route;
    },
    set(this: WatchedRequest, route: RouteOfRequest | undefined) {
      if (route === undefined) delete this[MATCHED];
      else this[MATCHED] = { route, baseUrl: this.baseUrl };
    },
  });
}

/**
 * The pattern of the route that a request has matched, such as `/projects/:projectId`; undefined when there is none.
 */
function matchedRoute(request: Request): string | undefined {
  const matched = (request as WatchedRequest)[MATCHED];
  return matched && withoutValues(matched.baseUrl) + matched.route.path.toString();
}

function withoutValues(mountPath: string): string {
  return mountPath
    .split('/')
    .map((segment) => (LOOKS_LIKE_A_VALUE.test(segment) ? ':value' : segment))
    .join('/');
}
