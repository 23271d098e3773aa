import type { RequestHandler } from 'express';

/** Text as PostgreSQL holds it: without NUL, and with U+FFFD for half a surrogate pair. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Whether PostgreSQL holds the text as it is. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/**
 * Makes every text of a parsed body one that can be stored, before it is checked. For services whose texts people read:
 * where every character counts, as in a secret, such text is refused instead.
 */
export const storableBody: RequestHandler = (request, _response, next) => {
  const body: unknown = request.body;
  if (typeof body === 'object' && body !== null && !Buffer.isBuffer(body)) makeStorable(body);
  next();
};

/** The depth is bounded by `checkJsonShape`. */
function makeStorable(holder: object): void {
  for (const [key, value] of Object.entries(holder)) {
    if (typeof value === 'string') (holder as Record<string, unknown>)[key] = storableText(value);
    else if (typeof value === 'object' && value !== null) makeStorable(value as object);
  }
}
