import { randomUUID } from 'node:crypto';
import type { Page } from '@blog-content/service-runtime';
import { Prisma, type Import, type ImportFile } from '../../../generated/prisma/client.ts';
import type { ImageFormat } from '../../../images/encoding/sniff-image.ts';
import type { Database, Transaction } from '../../../platform/database/open-database.ts';
import { shareLockProject } from '../../../projects/project-change-store.ts';
import type { ImportImage, ImportPost, PlannedFile } from '../archive/plan-import.ts';

export type ImportFileStatus = 'waiting' | 'created' | 'updated' | 'skipped' | 'failed';
/** An import with how many files there are in each status. */
export type CountedImport = Import & { readonly counts: Readonly<Record<ImportFileStatus, number>> };
export type ListedFile = Pick<ImportFile, 'number' | 'path' | 'status' | 'message' | 'blogId'>;

export interface ImportRequest {
  readonly projectId: string;
  /** The account. */
  readonly requestedBy: string;
  readonly publish: boolean;
  readonly existing: 'skip' | 'update';
  /** Whether images of other hosts are taken over. */
  readonly hostImages: boolean;
}

/** A file that waits, with the options of its import. */
export interface WaitingFile extends ImportRequest {
  readonly importId: string;
  readonly number: number;
  readonly post: ImportPost | ImportImage;
}

/** A waiting file that is to become a blog. */
export type WaitingPost = WaitingFile & { readonly post: ImportPost };

/** An image that an import has brought. */
export interface ImportedImage {
  /** In the archive. */
  readonly path: string;
  readonly projectId: string;
  readonly sha256: string;
  readonly ext: ImageFormat;
}

/** What has become of a file. */
export interface FileResult {
  readonly status: Exclude<ImportFileStatus, 'waiting' | 'failed'>;
  readonly message: string | null;
  readonly blogId: string | null;
  readonly imageId?: string;
}

/** Imports and their files. */
export interface ImportStore {
  /** Stores the import with all its files, or nothing of it. Deletes old imports that have finished. */
  create(request: ImportRequest, files: AsyncIterable<PlannedFile>): Promise<CountedImport | 'too_many' | 'no_project'>;
  find(projectId: string, importId: string): Promise<CountedImport | null>;
  /** Newest first, one more than the page holds. */
  list(projectId: string, page: Page): Promise<CountedImport[]>;
  /** In the order of the archive, one more than the page holds. */
  listFiles(projectId: string, importId: string, page: Page): Promise<ListedFile[]>;

  /** Imports with files that may be waiting, by the account that asked for them: of each account the oldest first. */
  unfinished(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** A waiting file that nobody else has locked; null when there is none. Does not lock it. */
  nextFile(importId: string): Promise<WaitingFile | null>;
  /**
   * Takes a waiting file, runs `work`, and writes what became of the file: all in one transaction, with whatever stores
   * do meanwhile. When `work` throws, nothing has happened, and the file waits.
   * @returns null when the file does not wait any more, or somebody else has it locked.
   */
  withFile(file: Pick<WaitingFile, 'importId' | 'number'>, work: () => Promise<FileResult>): Promise<FileResult | null>;
  /** The images that the import has brought so far. */
  importedImages(importId: string): Promise<ImportedImage[]>;
  /** Marks a file that still waits as failed. @returns whether it did wait. */
  fail(importId: string, number: number, message: string): Promise<boolean>;
  /** Ends the import if none of its files waits. */
  finish(importId: string): Promise<boolean>;
}

/** Most imports of a project that have not finished. */
export const MAX_UNFINISHED_IMPORTS = 10;
/** Most imports of a project that are kept for their owner to look at. */
const MAX_KEPT_IMPORTS = 100;
/** Most imports that one round works on. */
const MAX_IMPORTS_PER_ROUND = 1_000;
/** What is written at once, in files and in characters. */
const MAX_BATCH_FILES = 100;
const MAX_BATCH_LENGTH = 1_000_000;
/** Enough for an archive of the largest size on a slow machine. */
const CREATION_TIMEOUT_MS = 120_000;

export function createImportStore(database: Database, clock: () => Date): ImportStore {
  const counted = async (imports: Import[]): Promise<CountedImport[]> => countFiles(database, imports);
  return {
    create: (request, files) =>
      database.$transaction(
        async (tx) => {
          const { projectId } = request;
          // One at a time in a project, so that the limit holds.
          await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`import ${projectId}`}, 0))`;
          if (!(await shareLockProject(tx, projectId))) return 'no_project';
          if ((await tx.import.count({ where: { projectId, finishedAt: null } })) >= MAX_UNFINISHED_IMPORTS) {
            return 'too_many';
          }
          await deleteOldImports(tx, projectId);
          const now = clock();
          const created = await tx.import.create({ data: { id: randomUUID(), ...request, createdAt: now } });
          const hasWaiting = await insertFiles(tx, created.id, files);
          const kept = hasWaiting
            ? created
            : await tx.import.update({ where: { id: created.id }, data: { finishedAt: now } });
          const [shown] = await countFiles(tx, [kept]);
          if (!shown) throw new Error('The import just made is gone.');
          return shown;
        },
        { timeout: CREATION_TIMEOUT_MS },
      ),

    async find(projectId, importId) {
      const found = await database.import.findFirst({ where: { id: importId, projectId } });
      return found ? ((await counted([found]))[0] ?? null) : null;
    },

    list: async (projectId, { from, limit }) =>
      counted(
        await database.import.findMany({
          where: { projectId, ...(from !== null && { position: { lt: BigInt(from) } }) },
          orderBy: { position: 'desc' },
          take: limit + 1,
        }),
      ),

    listFiles: (projectId, importId, { from, limit }) =>
      database.importFile.findMany({
        where: { importId, import: { projectId }, ...(from !== null && { number: { gt: Number(from) } }) },
        select: { number: true, path: true, status: true, message: true, blogId: true },
        orderBy: { number: 'asc' },
        take: limit + 1,
      }),

    async unfinished() {
      // However many imports one account has, those of the others are among them.
      const found = await database.$queryRaw<{ id: string; account: string }[]>`
        SELECT id, requested_by AS account FROM import WHERE finished_at IS NULL
        ORDER BY row_number() OVER (PARTITION BY requested_by ORDER BY position), position LIMIT ${MAX_IMPORTS_PER_ROUND}`;
      const byAccount = new Map<string, string[]>();
      for (const { id, account } of found) byAccount.set(account, [...(byAccount.get(account) ?? []), id]);
      return byAccount;
    },

    nextFile: (importId) => lockWaitingFile(database, importId),

    withFile: ({ importId, number }, work) =>
      database.inOneTransaction(async (tx) => {
        if ((await lockWaitingFile(tx, importId, number)) === null) return null;
        const end = await work();
        const where = { importId_number: { importId, number } };
        await tx.importFile.update({ where, data: { ...end, post: Prisma.DbNull } });
        return end;
      }),

    importedImages: (importId) => database.$queryRaw<ImportedImage[]>`
      SELECT file.path, image.project_id AS "projectId", image.sha256, image.ext
      FROM import_file file JOIN image ON image.id = file.image_id
      WHERE file.import_id = ${importId}::uuid AND image.state = 'stored'`,

    async fail(importId, number, message) {
      const { count } = await database.importFile.updateMany({
        where: { importId, number, status: 'waiting' },
        data: { status: 'failed', message, post: Prisma.DbNull },
      });
      return count > 0;
    },

    async finish(importId) {
      const finished = await database.$executeRaw`
        UPDATE import SET finished_at = ${clock()} WHERE id = ${importId}::uuid AND finished_at IS NULL
        AND NOT EXISTS (SELECT FROM import_file WHERE import_id = import.id AND status = 'waiting')`;
      return finished > 0;
    },
  };
}

/** @returns whether there is anything to do. */
async function insertFiles(tx: Transaction, importId: string, files: AsyncIterable<PlannedFile>): Promise<boolean> {
  let hasWaiting = false;
  let number = 0;
  let length = 0;
  let batch: Prisma.ImportFileCreateManyInput[] = [];
  const write = async () => {
    if (batch.length > 0) await tx.importFile.createMany({ data: batch });
    batch = [];
    length = 0;
  };
  for await (const file of files) {
    number += 1;
    const { path, status } = file;
    if (status === 'waiting') {
      const { post } = file;
      const notes = 'image' in post ? [] : post.notes;
      const message = notes.length > 0 ? notes.join(' ') : null;
      batch.push({ importId, number, path, status, message, post: post as unknown as Prisma.InputJsonObject });
      length += ('image' in post ? post.image : (post.request.content ?? post.request.content_markdown ?? '')).length;
      hasWaiting = true;
    } else batch.push({ importId, number, path, status, message: file.message });
    if (batch.length >= MAX_BATCH_FILES || length >= MAX_BATCH_LENGTH) await write();
  }
  await write();
  return hasWaiting;
}

async function deleteOldImports(tx: Transaction, projectId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM import WHERE project_id = ${projectId}::uuid AND finished_at IS NOT NULL AND position < (
      SELECT position FROM import WHERE project_id = ${projectId}::uuid
      ORDER BY position DESC OFFSET ${MAX_KEPT_IMPORTS - 2} LIMIT 1)`;
}

/**
 * Locks a waiting file that nobody else has locked, the first or the given one, until the transaction ends; without a
 * transaction the lock ends at once. The lock also keeps the project from being deleted; a project that is being
 * deleted is skipped.
 */
async function lockWaitingFile(
  tx: Pick<Transaction, '$queryRaw'>,
  importId: string,
  number: number | null = null,
): Promise<WaitingFile | null> {
  const [file] = await tx.$queryRaw<WaitingFile[]>`
    SELECT file.import_id AS "importId", file.number, file.post, import.project_id AS "projectId",
      import.requested_by AS "requestedBy", import.publish, import.existing, import.host_images AS "hostImages"
    FROM import_file file JOIN import ON import.id = file.import_id JOIN project ON project.id = import.project_id
    WHERE file.import_id = ${importId}::uuid AND file.status = 'waiting' AND project.deleted_at IS NULL
      AND file.number = coalesce(${number}::int, file.number)
      -- Posts name images: they come after all of them.
      AND (file.post ? 'image' OR NOT EXISTS (
        SELECT FROM import_file image
        WHERE image.import_id = file.import_id AND image.status = 'waiting' AND image.post ? 'image'))
    ORDER BY file.number LIMIT 1
    FOR UPDATE OF file SKIP LOCKED FOR KEY SHARE OF project SKIP LOCKED`;
  return file ?? null;
}

async function countFiles(tx: Pick<Transaction, 'importFile'>, imports: readonly Import[]): Promise<CountedImport[]> {
  const groups = await tx.importFile.groupBy({
    by: ['importId', 'status'],
    where: { importId: { in: imports.map(({ id }) => id) } },
    _count: true,
  });
  return imports.map((job) => {
    const counts = { waiting: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
    for (const { importId, status, _count } of groups) {
      if (importId === job.id) counts[status as ImportFileStatus] = _count;
    }
    return { ...job, counts };
  });
}
