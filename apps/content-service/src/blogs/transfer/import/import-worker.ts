import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Backoff, backoffMs, createFairQueue, createTurnOrder, type FairQueue } from '@blog-content/concurrency';
import type { Logger } from '@blog-content/service-runtime';
import { repeatOnWake } from '../../../platform/workload/repeat-on-wake.ts';
import { FileConflict, FileRefused, importFile, type ImportFileDependencies } from './import-file.ts';
import type { ImportStore, WaitingFile } from './import-store.ts';

export interface ImportWorkerDependencies extends Omit<ImportFileDependencies, 'imports'> {
  readonly imports: Pick<
    ImportStore,
    'unfinished' | 'nextFile' | 'withFile' | 'imagesByHash' | 'standing' | 'fail' | 'finish'
  >;
  /** Accounts take turns at the connections to the database that work in rounds may hold. */
  readonly transactions: Pick<FairQueue, 'run'>;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Which imports it works on: those that fetch images wait for strangers' hosts, and have a worker of their own. */
  readonly hostImages: boolean;
  /** How often waiting files are looked for, in milliseconds. */
  readonly pollMs: number;
}

export interface ImportWorker {
  /** Looks for waiting files now. */
  wake(): void;
  /** Finishes the files that it works on, and begins no other. */
  stop(): Promise<void>;
}

const RETRY_BACKOFF: Backoff = { firstMs: 1_000, maxMs: 60_000 };
/** How often a file is tried while other requests change the blog that has its slug. */
const MAX_CONFLICTS = 10;
const TOO_MANY_CONFLICTS = 'Other requests kept changing the post that has its slug. Import the file again.';
/** Most files that one worker works on at once, each of another account: each is in memory, and may be an image. */
const MAX_FILES_AT_ONCE = 3;

/**
 * Makes blogs of waiting files, of each account one at a time. Accounts take turns and do not wait for what a file of
 * another takes: hosts that are silent, or a publish that waits for its account's turn. The imports of one account take
 * turns, too. Every replica has a worker: the row's lock decides who takes a file, and one transaction imports it
 * exactly once, whatever crashes. A database error delays only the import that met it, with backoff, and marks no file
 * as failed.
 */
export function startImportWorker(dependencies: ImportWorkerDependencies): ImportWorker {
  const { imports, transactions, clock, logger, hostImages, pollMs } = dependencies;
  const slots = createFairQueue({ slots: MAX_FILES_AT_ONCE, slotsEach: 1 });
  /** Accounts of which a file is being worked on, or is to be. */
  const running = new Map<string, Promise<void>>();
  /** How often the file that an import is at has met another transaction. */
  const conflicts = new Map<string, { readonly number: number; readonly count: number }>();
  const failures = new Map<string, { readonly count: number; readonly until: number }>();
  const turns = createTurnOrder();

  const noteFailure = (importId: string, error: unknown) => {
    const count = (failures.get(importId)?.count ?? 0) + 1;
    const delayMs = backoffMs(count, RETRY_BACKOFF);
    failures.set(importId, { count, until: clock().getTime() + delayMs });
    logger.warn('import.trouble', { import_id: importId, tries: count, retry_in_ms: delayMs, error });
  };

  /** @returns null while the file may be tried again. */
  const noteConflict = ({ importId, number }: WaitingFile): FileRefused | null => {
    const before = conflicts.get(importId);
    const count = before?.number === number ? before.count + 1 : 1;
    conflicts.set(importId, { number, count });
    return count < MAX_CONFLICTS ? null : new FileRefused(TOO_MANY_CONFLICTS);
  };

  const workOn = async (file: WaitingFile, account: string): Promise<void> => {
    const { importId, number } = file;
    const fields = { import_id: importId, number };
    const withFile: ImportStore['withFile'] = (...given) => transactions.run(account, () => imports.withFile(...given));
    try {
      const end = await importFile({ ...dependencies, imports: { ...imports, withFile } }, file);
      if (end !== null) logger.info('import.file', { ...fields, status: end.status, blog_id: end.blogId });
    } catch (error) {
      const refusal = error instanceof FileConflict ? noteConflict(file) : error;
      if (refusal === null) return;
      if (!(refusal instanceof FileRefused)) throw error;
      if (await imports.fail(importId, number, refusal.message))
        logger.info('import.file', { ...fields, status: 'failed' });
    }
  };

  /** @returns whether there was a file to work on now. */
  const workOnce = async (importId: string, account: string): Promise<boolean> => {
    const failure = failures.get(importId);
    if (failure && failure.until > clock().getTime()) return false;
    try {
      const file = await imports.nextFile(importId);
      if (file !== null) await workOn(file, account);
      failures.delete(importId);
      if (await imports.finish(importId)) logger.info('import.finished', { import_id: importId });
      return file !== null;
    } catch (error) {
      noteFailure(importId, error);
      return true;
    }
  };

  /** Works on one file of an account. @returns whether there was one. */
  const takeTurn = async (account: string, open: readonly string[], isStopping: () => boolean): Promise<boolean> => {
    for (const importId of turns.sort(open)) {
      if (isStopping()) return false;
      turns.note(importId);
      if (await workOnce(importId, account)) return true;
    }
    return false;
  };

  const round = async (isStopping: () => boolean): Promise<boolean> => {
    const open = await imports.unfinished(hostImages);
    const openImports = new Set([...open.values()].flat());
    for (const notes of [failures, conflicts])
      for (const importId of notes.keys()) if (!openImports.has(importId)) notes.delete(importId);
    turns.keepOnly(openImports);
    for (const [account, importIds] of open) {
      if (running.has(account)) continue;
      const turnOfAccount = slots.run(account, () => takeTurn(account, importIds, isStopping));
      running.set(
        account,
        turnOfAccount.then((hasWorked) => {
          running.delete(account);
          if (hasWorked) repetition.wake();
        }),
      );
    }
    // Let other work run between two files.
    await nextTurn();
    return false;
  };

  const repetition = repeatOnWake('import.round', pollMs, round, logger);
  return {
    wake: repetition.wake,
    async stop() {
      await repetition.stop();
      await Promise.all(running.values());
    },
  };
}
