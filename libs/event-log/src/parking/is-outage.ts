import { sqlStateOf } from '@blog-content/postgres';

/** SQLSTATEs, and classes of them, that say something of the server or the moment, not of the event. */
const OF_THE_MOMENT = /^(?:08|53|57|58|25006|40|55P03)/;
const OF_THE_NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** The client’s own errors of a broken connection have no code. */
const LOST_CONNECTION =
  /connection terminated|connection error|timeout exceeded when trying to connect|did not respond within|kafkajs/i;
/** Prisma: the database is out of reach, closed the connection, or gave none in time; a conflict of transactions. */
const OF_PRISMA = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034']);

/** What a handler wanted to append could not be appended: the log is away, and no event is at fault. */
export class AppendFailed extends Error {
  constructor(cause: unknown) {
    super('The event log could not be appended to.', { cause });
  }
}

/** Whether an error comes from an outage, or from a moment, and would have met any other event as well. */
export function isOutage(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth++) {
    const { code } = each as { code?: unknown };
    if (each instanceof AppendFailed || LOST_CONNECTION.test(`${each.name} ${each.message}`)) return true;
    // What is thrown may have crossed a boundary that keeps only the code of PostgreSQL's error.
    const sqlState = sqlStateOf(each) ?? (typeof code === 'string' && code.length === 5 ? code : '');
    if (OF_THE_MOMENT.test(sqlState)) return true;
    if (typeof code === 'string' && (OF_THE_NETWORK.has(code) || OF_PRISMA.has(code))) return true;
  }
  return false;
}
