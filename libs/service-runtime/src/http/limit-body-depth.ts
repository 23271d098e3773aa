import type { RequestHandler } from 'express';
import { badRequest } from './operational-error.ts';

/** Deepest nesting of objects and arrays in a body: far more than any has, far less than what ends a recursion. */
const MAX_DEPTH = 32;

/** Answers 400 to bodies whose nesting alone could end a recursion that goes through them. */
export const limitBodyDepth: RequestHandler = (request, _response, next) => {
  let holders = holdersIn(Buffer.isBuffer(request.body) ? [] : [request.body]);
  for (let depth = 1; holders.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw badRequest(`The body is nested more than ${MAX_DEPTH} levels deep.`);
    holders = holdersIn(holders.flatMap((holder): unknown[] => Object.values(holder)));
  }
  next();
};

/** The objects and arrays among the values. */
function holdersIn(values: readonly unknown[]): object[] {
  return values.filter((value) => typeof value === 'object' && value !== null);
}
