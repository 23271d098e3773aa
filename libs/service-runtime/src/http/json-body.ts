import express, { type RequestHandler } from 'express';
import { checkJsonShape } from './check-json-shape.ts';
import { unsupportedMediaType } from './operational-error.ts';

const JSON_TYPES = ['application/json', 'application/*+json'];

/**
 * Reads JSON bodies of at most `limit` bytes into `request.body`; a body that was read before stays as it is. Refused are
 * compressed bodies (415), of which a few kilobytes can unpack to megabytes, other charsets than UTF-8 (415), and what
 * {@link checkJsonShape} finds too deep or too much (400).
 */
export function jsonBody(limit: number): RequestHandler {
  return express.json({
    limit,
    inflate: false,
    type: JSON_TYPES,
    verify: (_request, _response, bytes, charset) => {
      if (charset !== 'utf-8') throw unsupportedCharset();
      checkJsonShape(bytes);
    },
  });
}

/** 415: the body's bytes are no UTF-8. */
export const unsupportedCharset = () =>
  unsupportedMediaType('The charset of the request body is not supported; send UTF-8.');
