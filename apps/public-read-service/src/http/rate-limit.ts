import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE_S = 60;
/** Windows per minute: a reader may use a window's requests in one burst. */
const WINDOWS = 4;

export type RateLimit = NonNullable<ReturnType<typeof createRateLimit>>;

/** Limits how often each project's key is used, in this process. Null when `perMinute` is 0: no limit. */
export function createRateLimit(perMinute: number) {
  if (perMinute === 0) return null;
  const points = Math.max(1, Math.floor(perMinute / WINDOWS));
  const limiter = new RateLimiterMemory({ points, duration: (MINUTE_S * points) / perMinute });
  return {
    /** Counts one request. 0 when it may be answered, else after how many seconds the next one may. */
    async take(projectId: string): Promise<number> {
      try {
        await limiter.consume(projectId);
        return 0;
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        return Math.ceil(error.msBeforeNext / 1_000);
      }
    },
  };
}
