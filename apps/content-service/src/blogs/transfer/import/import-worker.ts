import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Backoff, backoffMs } from '@blog-content/concurrency';
import type { Logger } from '@blog-content/service-runtime';
import { repeatOnWake } from '../../../platform/workload/repeat-on-wake.ts';
import { FileConflict, FileRefused, importFile, type ImportFileDependencies } from './import-file.ts';
import type { ImportStore, WaitingFile } from './import-store.ts';

export interface ImportWorkerDependencies extends Omit<ImportFileDependencies, 'imports'> {
  readonly imports: Pick<ImportStore, 'unfinished' | 'nextFile' | 'withFile' | 'imagesByHash' | 'fail' | 'finish'>;
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
  /** Finishes the file that it works on, and begins no other. */
  stop(): Promise<void>;
}

const RETRY_BACKOFF: Backoff = { firstMs: 1_000, maxMs: 60_000 };

/**
 * Makes blogs of waiting files, one at a time. Accounts take turns, and so do the imports of one account. Every replica
 * has a worker: the row's lock decides who takes a file, and one transaction imports it exactly once, whatever crashes.
 * A database error delays only the import that met it, with backoff, and marks no file as failed.
 */
export function startImportWorker(dependencies: ImportWorkerDependencies): ImportWorker {
  const { imports, clock, logger, hostImages, pollMs } = dependencies;
  const failures = new Map<string, { readonly count: number; readonly until: number }>();
  /** The number of each import's last turn. */
  const lastTurns = new Map<string, number>();
  let turn = 0;

  const noteFailure = (importId: string, error: unknown) => {
    const count = (failures.get(importId)?.count ?? 0) + 1;
    const delayMs = backoffMs(count, RETRY_BACKOFF);
    failures.set(importId, { count, until: clock().getTime() + delayMs });
    logger.warn('import.trouble', { import_id: importId, tries: count, retry_in_ms: delayMs, error });
  };

  const workOn = async (file: WaitingFile): Promise<void> => {
    const { importId, number } = file;
    const fields = { import_id: importId, number };
    try {
      const end = await importFile(dependencies, file);
      if (end !== null) logger.info('import.file', { ...fields, status: end.status, blog_id: end.blogId });
    } catch (error) {
      if (error instanceof FileConflict) return;
      if (!(error instanceof FileRefused)) throw error;
      if (await imports.fail(importId, number, error.message))
        logger.info('import.file', { ...fields, status: 'failed' });
    }
  };

  /** @returns whether there was a file to work on now. */
  const workOnce = async (importId: string): Promise<boolean> => {
    const failure = failures.get(importId);
    if (failure && failure.until > clock().getTime()) return false;
    try {
      const file = await imports.nextFile(importId);
      if (file !== null) await workOn(file);
      failures.delete(importId);
      if (await imports.finish(importId)) logger.info('import.finished', { import_id: importId });
      return file !== null;
    } catch (error) {
      noteFailure(importId, error);
      return true;
    }
  };

  /** Works on one file of an account. @returns whether there was one. */
  const takeTurn = async (open: readonly string[], isStopping: () => boolean): Promise<boolean> => {
    const lastTurn = (importId: string) => lastTurns.get(importId) ?? 0;
    for (const importId of open.toSorted((one, other) => lastTurn(one) - lastTurn(other))) {
      if (isStopping()) return false;
      lastTurns.set(importId, (turn += 1));
      if (await workOnce(importId)) return true;
    }
    return false;
  };

  const round = async (isStopping: () => boolean): Promise<boolean> => {
    let isBusy = true;
    while (isBusy && !isStopping()) {
      isBusy = false;
      const open = await imports.unfinished(hostImages);
      const openImports = new Set([...open.values()].flat());
      for (const ofImports of [failures, lastTurns]) {
        for (const importId of ofImports.keys()) if (!openImports.has(importId)) ofImports.delete(importId);
      }
      for (const importIds of open.values()) {
        if (isStopping()) return false;
        if (await takeTurn(importIds, isStopping)) isBusy = true;
        // Let other work run between two files.
        await nextTurn();
      }
    }
    return false;
  };

  return repeatOnWake('import.round', pollMs, round, logger);
}
