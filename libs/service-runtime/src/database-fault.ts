/** What keeps a database from doing what it is asked, though the statement is right. */
export interface DatabaseFault {
  readonly reason: 'disk_full' | 'read_only' | 'timeout' | 'unreachable';
  /** As PostgreSQL says it; null where the client noticed. */
  readonly sqlState: string | null;
}

/** By SQLSTATE, or the beginning of it: PostgreSQL's appendix A. */
const BY_SQL_STATE: readonly (readonly [string, DatabaseFault['reason']])[] = [
  ['53100', 'disk_full'],
  ['25006', 'read_only'],
  ['57014', 'timeout'],
  ['08', 'unreachable'],
  ['53300', 'unreachable'],
  ['57P', 'unreachable'],
];
/** Prisma's own: no answer, none in time, no free connection, or a transaction that couldn't start or end. */
const BY_PRISMA_CODE: Readonly<Record<string, DatabaseFault['reason']>> = {
  P1001: 'unreachable',
  P1002: 'timeout',
  P1008: 'timeout',
  P1017: 'unreachable',
  P2024: 'timeout',
  P2028: 'timeout',
};
/** How the pool of `libs/postgres`, and `pg`'s, say that the server is silent. */
const SILENT = /The database did not respond within|timeout exceeded when trying to connect/;
/** How `pg` says that a connection is gone. */
const LOST = /^Connection terminated|connection error and is not queryable/;
const MAX_CAUSES = 5;

interface Thrown extends Error {
  readonly code?: unknown;
  /** Of an answer of PostgreSQL. */
  readonly severity?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: AdapterCause } };
}

interface AdapterCause {
  readonly kind?: string;
  readonly originalCode?: string;
}

/** The fault of the database behind an error of `pg` or Prisma, or behind its causes; undefined for all others. */
export function databaseFaultOf(thrown: unknown): DatabaseFault | undefined {
  let error = thrown;
  for (let depth = 0; error instanceof Error && depth < MAX_CAUSES; depth++) {
    const fault = faultOf(error);
    if (fault !== undefined) return fault;
    error = error.cause;
  }
  return undefined;
}

function faultOf({ code, severity, meta, message }: Thrown): DatabaseFault | undefined {
  const cause = meta?.driverAdapterError?.cause;
  const sqlState = cause?.originalCode ?? (severity === undefined ? undefined : code);
  if (typeof sqlState === 'string') {
    const [, reason] = BY_SQL_STATE.find(([beginning]) => sqlState.startsWith(beginning)) ?? [];
    if (reason !== undefined) return { reason, sqlState };
  }
  if (SILENT.test(message)) return { reason: 'timeout', sqlState: null };
  if (LOST.test(message)) return { reason: 'unreachable', sqlState: null };
  const reason = cause?.kind === 'DatabaseNotReachable' ? 'unreachable' : BY_PRISMA_CODE[String(code)];
  return reason === undefined ? undefined : { reason, sqlState: null };
}
