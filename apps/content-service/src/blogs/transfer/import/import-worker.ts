import { type Backoff, backoffMs } from '@blog-content/concurrency';
import type { Logger } from '@blog-content/service-runtime';
import { claimInTurns, type ItemOfAccount } from '../../../platform/workload/claim-in-turns.ts';
import type { DueWatch } from '../../../platform/workload/due-watch-store.ts';
import { startWorkRunner } from '../../../platform/workload/work-runner.ts';
import { FileConflict, FileRefused } from './file-refused.ts';
import { importFile, type ImportFileDependencies } from './import-file.ts';
import { waitingImports, type ImportStore, type WaitingFile } from './import-store.ts';

export interface ImportWorkerDependencies extends ImportFileDependencies {
  readonly imports: Pick<
    ImportStore,
    'unfinished' | 'nextFile' | 'withFile' | 'imagesByHash' | 'standing' | 'fail' | 'finish'
  >;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Which imports it works on: those that fetch images wait for strangers' hosts, and have a worker of their own. */
  readonly hostImages: boolean;
  readonly dueWatch: Pick<DueWatch, 'add'>;
}

interface FileOfAccount extends ItemOfAccount {
  readonly file: WaitingFile;
}

const RETRY_BACKOFF: Backoff = { firstMs: 1_000, maxMs: 60_000 };
/** How often a file is tried while other requests change the blog that has its slug. */
const MAX_CONFLICTS = 10;
const TOO_MANY_CONFLICTS = 'Other requests kept changing the post that has its slug. Import the file again.';
/** Most concurrent files of one worker, each of another account: each is in memory, and may be an image. */
const MAX_FILES_AT_ONCE = 3;

/**
 * Makes blogs of waiting files, of each account one at a time. Accounts take turns, and so do the imports of one
 * account. Every replica has a worker: the row's lock decides who takes a file, and one transaction imports it exactly
 * once, despite crashes. A database error delays only the import that met it, with backoff, and marks no file as
 * failed.
 */
export function startImportWorker(dependencies: ImportWorkerDependencies) {
  const { imports, dueWatch, clock, logger, hostImages } = dependencies;
  /** How often the file that an import is at has met another transaction. */
  const conflicts = new Map<string, { readonly number: number; readonly count: number }>();
  const failures = new Map<string, { readonly count: number; readonly until: number }>();

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

  const workOn = async (file: WaitingFile): Promise<void> => {
    const { importId, number } = file;
    const fields = { import_id: importId, number };
    try {
      const end = await importFile(dependencies, file);
      if (end !== null) logger.info('import.file', { ...fields, status: end.status, blog_id: end.blogId });
    } catch (error) {
      const refusal = error instanceof FileConflict ? noteConflict(file) : error;
      if (refusal === null) return;
      if (!(refusal instanceof FileRefused)) throw error;
      if (await imports.fail(importId, number, refusal.message))
        logger.info('import.file', { ...fields, status: 'failed' });
    }
  };

  const finish = async (importId: string): Promise<void> => {
    failures.delete(importId);
    if (await imports.finish(importId)) logger.info('import.finished', { import_id: importId });
  };

  const dueImports = async () => {
    const open = await imports.unfinished(hostImages);
    const openImports = new Set([...open.values()].flat());
    for (const notes of [failures, conflicts])
      for (const importId of notes.keys()) if (!openImports.has(importId)) notes.delete(importId);
    return open;
  };

  const take = async (importId: string, account: string): Promise<FileOfAccount | null> => {
    const failure = failures.get(importId);
    if (failure && failure.until > clock().getTime()) return null;
    try {
      const file = await imports.nextFile(importId);
      if (file !== null) return { account, file };
      await finish(importId);
    } catch (error) {
      noteFailure(importId, error);
    }
    return null;
  };

  const runner = startWorkRunner<FileOfAccount>({
    name: 'import',
    logger,
    slots: MAX_FILES_AT_ONCE,
    claim: claimInTurns(dueImports, take),
    run: ({ file }) =>
      workOn(file)
        .then(() => finish(file.importId))
        .catch((error: unknown) => noteFailure(file.importId, error)),
  });
  dueWatch.add(() => waitingImports(hostImages), runner.wake);
  return runner;
}
