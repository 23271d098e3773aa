import type { Backoff } from '@blog-content/concurrency';

/** Between two attempts of a handler (the port's promise). */
export const HANDLER_BACKOFF: Backoff = { firstMs: 100, maxMs: 30_000 };
/** Between two attempts to reach the log or a database: short, since everything waits for it. */
export const RECONNECT_BACKOFF: Backoff = { firstMs: 100, maxMs: 5_000 };
