import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { databaseFaultOf } from '../database-fault.ts';
import type { Logger } from '../log/logger.ts';
import { notFound, OperationalError } from './operational-error.ts';
import { isAborted, operationalErrorOf } from './operational-error-of.ts';

/** What every 500 says; the rest is in the log. */
export const internalErrorDetail = (requestId: string): string =>
  `Internal error. Try again in a few seconds. If it persists, report request ID ${requestId}.`;
/** How long a caller should wait before it tries again, in seconds. */
const RETRY_AFTER_S = 2;

/**
 * Answers with an RFC 9457 problem document: `title`, `status`, `detail`, and `errors` by field where there are some.
 */
export function sendProblem(response: Response, error: OperationalError): void {
  const { status, title, detail, errors } = error;
  const body = Buffer.from(JSON.stringify({ title, status, detail, ...(errors && { errors }) }));
  // Headers that the route has set for the answer that it did not give.
  for (const name of ['Content-Encoding', 'Content-Disposition', 'ETag', 'Last-Modified']) response.removeHeader(name);
  response.status(status).set('Cache-Control', 'no-store').set(error.headers);
  // Express would add a charset, which these media types do not have.
  response.setHeader('Content-Type', 'application/problem+json');
  response.setHeader('Content-Length', body.byteLength);
  response.end(body);
}

/**
 * The last middleware of an app whose errors are problem documents. Operational errors and refused bodies answer with
 * their own status. A database that can't do its work is a 503, and in the log. Anything else is a bug: 500 with a fixed
 * sentence, and `http.unexpected_error` with the stack in the log.
 */
export function problemErrorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const operational = operationalErrorOf(error);
    if (operational !== undefined && !response.headersSent) {
      logDatabaseFault(response.locals.logger ?? logger, error);
      (response.locals.log ??= {})['error_code'] = operational.code;
      sendProblem(response, operational);
      return;
    }
    if (!isAborted(error)) logUnexpected(response.locals.logger ?? logger, error);
    // Not `request.destroyed`, which is true once the body has been read.
    if (response.headersSent || request.socket.destroyed) response.destroy();
    else sendProblem(response, unexpected(response.locals.requestId));
  };
}

function unexpected(requestId: string): OperationalError {
  const headers = { 'Retry-After': String(RETRY_AFTER_S) };
  return new OperationalError({ code: 'internal', status: 500, detail: internalErrorDetail(requestId), headers });
}

/** Logs why a database can't do its work: callers are told less. Nothing for other errors. */
export function logDatabaseFault(logger: Logger, error: unknown): void {
  const fault = databaseFaultOf(error);
  if (fault === undefined) return;
  logger.error('http.database_fault', { reason: fault.reason, sqlstate: fault.sqlState, error });
}

/** Logs a bug that a request has run into, for error handlers with an error form of their own. */
export function logUnexpected(logger: Logger, error: unknown): void {
  logger.error('http.unexpected_error', { error });
}

/** Answers 404 where no route has answered: comes after the routes. */
export const problemNotFoundHandler: RequestHandler = (_request, _response, next) => {
  next(notFound('Not found.'));
};

/** Answers 405 with `Allow`: comes last among the handlers of a route, as `.all(methodNotAllowed('GET', 'HEAD'))`. */
export function methodNotAllowed(...allowed: readonly string[]): RequestHandler {
  const list = allowed.join(', ');
  return (request, _response, next) => {
    next(
      new OperationalError({
        code: 'method_not_allowed',
        status: 405,
        detail: `${request.method} is not allowed here. Use ${list}.`,
        headers: { Allow: list },
      }),
    );
  };
}
