import { tooManyRequests, READS, tryAgain } from '@blog-content/service-runtime';
import type { RequestHandler, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE_S = 60;

/** Answers 429 to the writes of one credential beyond `perMinute` in this process. @param credentialOf its id. */
export function limitWrites(perMinute: number, credentialOf: (response: Response) => string): RequestHandler {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: MINUTE_S });
  return async (request, response, next) => {
    if (!READS.has(request.method)) {
      try {
        await limiter.consume(credentialOf(response));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        throw tooManyRequests(tryAgain(`Limit reached: ${perMinute} writes per minute.`), error.msBeforeNext / 1_000);
      }
    }
    next();
  };
}
