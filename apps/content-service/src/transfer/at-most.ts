import type { OperationalError } from '@blog-content/service-runtime';
import type { RequestHandler } from 'express';

/** Lets at most `count` requests of this process through at once, until they are answered. Others are refused. */
export function atMost(count: number, refusal: () => OperationalError): RequestHandler {
  let running = 0;
  return (_request, response, next) => {
    if (running >= count) throw refusal();
    running += 1;
    response.once('close', () => {
      running -= 1;
    });
    next();
  };
}
