import { detectPooler, type Pooler } from './pooler.ts';

/** The variables of a loaded config that say where databases are. */
export interface DatabaseUrls {
  readonly DATABASE_URL: string;
  readonly DATABASE_SESSION_URL?: string | undefined;
  readonly EVENT_LOG_DATABASE_URL?: string | undefined;
}

/** Which connection gives sessions: what holds locks, listens or has settings connects there. */
export const sessionUrlOf = ({ DATABASE_URL, DATABASE_SESSION_URL }: DatabaseUrls): string =>
  DATABASE_SESSION_URL ?? DATABASE_URL;

/** A variable whose pooler can't give a service what it needs: why, and what to do. */
interface PoolerProblem {
  readonly variable: string;
  readonly message: string;
}

interface PoolerLogger {
  warn(event: string, fields: object): void;
}

/**
 * Finds poolers that can't give a service what it needs. A database that doesn't answer isn't checked, because services
 * start without it; `openSession` then checks what needs a session.
 */
export async function findPoolerProblems(urls: DatabaseUrls, logger: PoolerLogger): Promise<readonly PoolerProblem[]> {
  const { DATABASE_URL, DATABASE_SESSION_URL, EVENT_LOG_DATABASE_URL } = urls;
  // One after the other: their transactions would wait for each other in a pool of one connection.
  const problems = [
    await problemOf('DATABASE_URL', DATABASE_URL, DATABASE_SESSION_URL === undefined, logger),
    await problemOf('DATABASE_SESSION_URL', DATABASE_SESSION_URL, true, logger),
    await problemOf('EVENT_LOG_DATABASE_URL', EVENT_LOG_DATABASE_URL, true, logger),
  ];
  return problems.filter((problem) => problem !== null);
}

async function problemOf(
  variable: keyof DatabaseUrls,
  url: string | undefined,
  needsSessions: boolean,
  logger: PoolerLogger,
): Promise<PoolerProblem | null> {
  if (url === undefined) return null;
  let pooler: Pooler;
  try {
    pooler = await detectPooler(url);
  } catch (error) {
    logger.warn('database.pooler_unchecked', { variable, error });
    return null;
  }
  const message = messageOf(variable, pooler, needsSessions);
  if (message !== null) return { variable, message };
  if (pooler.mode !== 'none' && pooler.mode !== 'refuses' && !pooler.hasTimeouts) {
    logger.warn('database.no_timeouts', {
      variable,
      warning: 'The pooler drops statement_timeout and idle_in_transaction_session_timeout. Set both for the role.',
    });
  }
  return null;
}

const SEE = 'See “PgBouncer” in docs/operations.md.';

function messageOf(variable: keyof DatabaseUrls, pooler: Pooler, needsSessions: boolean): string | null {
  if (pooler.mode === 'none') return null;
  if (pooler.mode === 'refuses') return `uses a pooler that rejects the connection: “${pooler.message}”. ${SEE}`;
  if (pooler.timeZone !== 'UTC') {
    return `uses a pooler whose sessions are in the time zone ${pooler.timeZone}. Set TimeZone to UTC for the role. ${SEE}`;
  }
  if (pooler.mode === 'session') return null;
  if (needsSessions) {
    const wayOut =
      variable === 'DATABASE_URL'
        ? 'Keep it, and set DATABASE_SESSION_URL to a direct connection to the same database.'
        : 'Set it to a direct connection, or to a pooler in session mode.';
    return `uses a pooler in transaction mode, which can’t LISTEN or hold advisory locks. ${wayOut} ${SEE}`;
  }
  if (pooler.keepsStatements) return null;
  return (
    'uses a pooler in transaction mode that loses prepared statements. Use PgBouncer 1.21 or later with ' +
    `max_prepared_statements above 0, or session mode. ${SEE}`
  );
}
