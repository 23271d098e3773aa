import express, { type Request, type RequestHandler } from 'express';
import { checkJsonShape } from './check-json-shape.ts';
import { unsupportedMediaType } from '../operational-error.ts';

const JSON_TYPES = ['application/json', 'application/*+json'];

/**
 * Reads JSON bodies of at most `limit` bytes into `request.body`; a body that was read before stays as it is. Refused
 * are bodies of other types with a change (415), compressed ones (415), of which a few kilobytes can unpack to
 * megabytes, other charsets than UTF-8 (415), and what {@link checkJsonShape} finds too deep or too much (400).
 */
export function jsonBody(limit: number): RequestHandler {
  const read = express.json({
    limit,
    inflate: false,
    type: JSON_TYPES,
    verify: (_request, _response, bytes, charset) => {
      if (charset !== 'utf-8') throw unsupportedCharset();
      checkJsonShape(bytes);
    },
  });
  return (request, response, next) => {
    if (isOfOtherType(request))
      next(unsupportedMediaType('The request body must be JSON. Send it as application/json.'));
    else read(request, response, next);
  };
}

/** Whether a change comes with a body that says to be something else than JSON. One that says nothing is not read. */
function isOfOtherType(request: Request): boolean {
  const { 'transfer-encoding': encoding, 'content-length': length, 'content-type': type } = request.headers;
  if (request.method === 'GET' || request.method === 'HEAD' || type === undefined) return false;
  const hasBody = encoding !== undefined || Number(length) > 0;
  return hasBody && typeof request.is(JSON_TYPES) !== 'string';
}

/** 415: the body's bytes are no UTF-8. */
export const unsupportedCharset = () =>
  unsupportedMediaType('The charset of the request body is not supported. Use UTF-8.');
