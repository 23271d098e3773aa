/**
 * Prisma writes times without their zone, and reads each as one of UTC. In a session of another zone an hour of spring
 * does not exist, and what the database itself calls now is hours away.
 */
export const OPTIONS = '-c TimeZone=UTC';

/** How long the server may work on one statement. */
const STATEMENT_TIMEOUT_MS = 5_000;
/** How long a transaction may idle between two statements: when its client is gone, it keeps its locks no longer. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

export const TIMEOUTS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
} as const;
