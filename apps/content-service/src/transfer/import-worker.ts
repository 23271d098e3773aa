import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '@blog-content/service-runtime';
import { FileOvertaken, FileRefused, importFile, type ImportFileDependencies } from './import-file.ts';
import type { ImportStore } from './import-store.ts';

export interface ImportWorkerDependencies extends ImportFileDependencies {
  readonly imports: Pick<ImportStore, 'unfinished' | 'withNextFile' | 'fail' | 'finish'>;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** How often waiting files are looked for, in milliseconds. */
  readonly pollMs: number;
}

export interface ImportWorker {
  /** Looks for waiting files now. */
  kick(): void;
  /** Ends the file it is at, and begins no other. */
  stop(): Promise<void>;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/**
 * Makes blogs of waiting files, one at a time and of each unfinished import in turn. Every replica has one: the row's lock
 * decides who takes a file, and its one transaction makes the file happen once, whatever dies. Trouble with the database holds
 * up only the import that met it, for longer each time, and marks no file as failed.
 */
export function startImportWorker(dependencies: ImportWorkerDependencies): ImportWorker {
  const { imports, clock, logger, pollMs } = dependencies;
  const troubles = new Map<string, { readonly count: number; readonly until: number }>();
  let isStopping = false;
  let wake: () => void = () => undefined;
  let isAwake = true;

  const noteTrouble = (importId: string, error: unknown) => {
    const count = (troubles.get(importId)?.count ?? 0) + 1;
    const delayMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (count - 1));
    troubles.set(importId, { count, until: clock().getTime() + delayMs });
    logger.warn('import.trouble', { import_id: importId, tries: count, retry_in_ms: delayMs, error });
  };

  /** @returns whether there may be more to do in this import now. */
  const workOnce = async (importId: string): Promise<boolean> => {
    const trouble = troubles.get(importId);
    if (trouble && trouble.until > clock().getTime()) return false;
    try {
      const worked = await imports.withNextFile(importId, (file) => importFile(dependencies, file));
      if (worked !== null && 'error' in worked) {
        const { number, error } = worked;
        if (error instanceof FileOvertaken) return true;
        if (!(error instanceof FileRefused)) throw error;
        await imports.fail(importId, number, error.message);
        logger.info('import.file', { import_id: importId, number, status: 'failed' });
      } else if (worked !== null) {
        const { number, end } = worked;
        logger.info('import.file', { import_id: importId, number, status: end.status, blog_id: end.blogId });
      }
      troubles.delete(importId);
      if (await imports.finish(importId)) {
        logger.info('import.finished', { import_id: importId });
        return false;
      }
      return worked !== null;
    } catch (error) {
      noteTrouble(importId, error);
      return false;
    }
  };

  const round = async () => {
    let isBusy = true;
    while (isBusy && !isStopping) {
      isBusy = false;
      const open = await imports.unfinished();
      for (const importId of troubles.keys()) if (!open.includes(importId)) troubles.delete(importId);
      for (const importId of open) {
        if (isStopping) return;
        if (await workOnce(importId)) isBusy = true;
        // One file, and then whoever else waits.
        await nextTurn();
      }
    }
  };

  const loop = async () => {
    while (!isStopping) {
      isAwake = false;
      await round().catch((error: unknown) => {
        logger.warn('import.round.failed', { error });
      });
      if (isStopping || isAwake) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const running = loop();

  return {
    kick() {
      isAwake = true;
      wake();
    },
    async stop() {
      isStopping = true;
      wake();
      await running;
    },
  };
}
