import type { RequestHandler } from 'express';
import { badRequest } from './operational-error.ts';

/** Deepest nesting of objects and arrays in a body: far more than any has, far less than what ends a recursion. */
const MAX_DEPTH = 32;

/** Text as PostgreSQL holds it: without NUL, and with U+FFFD for half a surrogate pair. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Makes every text of a parsed body one that can be stored, before it is checked. Deeply nested bodies are answered 400. */
export const storableBody: RequestHandler = (request, _response, next) => {
  const body: unknown = request.body;
  if (typeof body === 'object' && body !== null && !Buffer.isBuffer(body)) makeStorable(body);
  next();
};

function makeStorable(body: object): void {
  const open: { holder: Record<string, unknown>; depth: number }[] = [
    { holder: body as Record<string, unknown>, depth: 1 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { holder, depth } = next;
    if (depth > MAX_DEPTH) throw badRequest(`The body is nested more than ${MAX_DEPTH} levels deep.`);
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value === 'string') holder[key] = storableText(value);
      else if (typeof value === 'object' && value !== null) {
        open.push({ holder: value as Record<string, unknown>, depth: depth + 1 });
      }
    }
  }
}
