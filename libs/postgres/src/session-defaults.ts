/**
 * Prisma writes times without their zone, and reads each as one of UTC. In a session of another zone an hour of spring
 * does not exist, and what the database itself calls now is hours away.
 */
export const OPTIONS = '-c TimeZone=UTC';

export const TIMEOUTS = {
  /** How long the server may work on one statement, in milliseconds. */
  statement_timeout: 5_000,
  /** How long a transaction may idle between two statements: when its client is gone, it keeps its locks no longer. */
  idle_in_transaction_session_timeout: 10_000,
} as const;
