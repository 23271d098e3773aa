import { databaseFaultOf, type DatabaseFault } from './database-fault.ts';
import type { Logger } from './log/logger.ts';

/** How long a refused write counts: nobody may write for a while, and reads say nothing of the disk. */
const COUNTS_FOR_MS = 90_000;

/** Knows whether a database refuses to store anything, though it may answer reads. */
export type WriteWatch = ReturnType<typeof watchWrites>;

/**
 * Notices refused writes among the statements that fail: trying a write of its own would cost one at each look. A
 * database in read-only mode is noticed at each ping, before anybody writes.
 */
export function watchWrites(logger: Pick<Logger, 'error' | 'info'>, monotonicMs: () => number) {
  let refused: { readonly fault: DatabaseFault; readonly message: string; readonly atMs: number } | undefined;
  const isRefused = () => refused !== undefined && monotonicMs() - refused.atMs < COUNTS_FOR_MS;

  const note = (error: unknown): void => {
    const fault = databaseFaultOf(error);
    if (fault?.reason !== 'disk_full' && fault?.reason !== 'read_only') return;
    if (!isRefused()) logger.error('database.writes_refused', { ...fields(fault), error });
    refused = { fault, message: (error as Error).message.trim().split('\n').at(-1) ?? '', atMs: monotonicMs() };
  };
  return {
    /** Told of each statement that failed. */
    note,
    /** Told by each ping whether the database accepts only reads. */
    notePing(isReadOnly: boolean): void {
      if (isReadOnly) {
        note(Object.assign(new Error('the database is read-only'), { code: '25006', severity: 'ERROR' }));
      } else if (refused?.fault.reason === 'read_only') {
        refused = undefined;
        logger.info('database.writable_again', {});
      }
    },
    /** For readiness. Rejects for a while after a refused write. */
    check: (): Promise<void> => {
      if (refused === undefined || !isRefused()) return Promise.resolve();
      const { fault, message } = refused;
      return Promise.reject(new Error(`${fault.reason} (SQLSTATE ${fault.sqlState}): ${message}`));
    },
  };
}

const fields = ({ reason, sqlState }: DatabaseFault) => ({ reason, sqlstate: sqlState });
