import { STATUS_CODES } from 'node:http';
import { databaseFaultOf } from '../database-fault.ts';
import {
  badRequest,
  databaseFault,
  OperationalError,
  payloadTooLarge,
  unsupportedCharset,
  unsupportedMediaType,
} from './operational-error.ts';

/** What body-parser, the router and `http-errors` put on the errors they make. */
interface HttpLibraryError {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly expose?: unknown;
  readonly limit?: unknown;
}

/**
 * The operational error for a thrown value: itself, or what the reading of the request has found wrong (body malformed,
 * too large, in an unknown charset or encoding; path not decodable), or a database that can't do its work. Undefined
 * for anything else, which is a bug. The libraries' own messages are not passed on: they quote the body.
 */
export function operationalErrorOf(error: unknown): OperationalError | undefined {
  if (error instanceof OperationalError) return error;
  if (typeof error !== 'object' || error === null || isAborted(error)) return undefined;
  const fault = databaseFaultOf(error);
  if (fault !== undefined) return databaseFault(fault);
  const { name, type, status, expose, limit } = error as HttpLibraryError;
  switch (type) {
    case 'entity.parse.failed':
      return badRequest('The request body must be valid JSON (an object or an array).');
    case 'entity.too.large':
      return payloadTooLarge(
        typeof limit === 'number'
          ? `The request body exceeds ${String(limit)} bytes.`
          : 'The request body is too large.',
      );
    case 'charset.unsupported':
      return unsupportedCharset();
    case 'encoding.unsupported':
      return unsupportedMediaType(
        'Compressed request bodies are not supported. Send the body without Content-Encoding.',
      );
    case 'request.size.invalid':
      return badRequest('The request body does not match its Content-Length.');
  }
  if (name === 'URIError' && status === 400) return badRequest('The path contains invalid percent-encoding.');
  if (expose !== true || typeof status !== 'number' || status < 400 || status > 499) return undefined;
  const phrase = STATUS_CODES[status] ?? 'Bad Request';
  return new OperationalError({ code: 'refused', status, detail: `Request rejected: ${phrase}.` });
}

/** Whether the error says that the caller went away in the middle: nobody is left to answer. */
export function isAborted(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { type, code } = error as HttpLibraryError;
  return type === 'request.aborted' || (type === undefined && code === 'ECONNABORTED');
}
