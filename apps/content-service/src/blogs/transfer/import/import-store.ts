import { randomUUID } from 'node:crypto';
import type { Page } from '@blog-content/service-runtime';
import { Prisma, type Import, type ImportFile } from '../../../generated/prisma/client.ts';
import type { StoredName } from '../../../images/image-urls.ts';
import { longTransaction, type Database, type Transaction } from '../../../platform/database/open-database.ts';
import { idsByAccount } from '../../../platform/workload/ids-by-account.ts';
import { shareLockProject } from '../../../projects/project-change-store.ts';
import type { ImportAuthor, ImportDataFields, ImportImage, ImportPost, PlannedFile } from '../archive/plan-import.ts';
import { insertFiles, withImage } from './import-file-store.ts';
import type { NamedFile, Standing } from './same-post.ts';
import { findStanding } from './standing-store.ts';

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
  readonly path: string;
  readonly post: ImportPost | ImportImage | ImportAuthor | ImportDataFields;
}

/** A waiting file that is to become a blog. */
export type WaitingPost = WaitingFile & { readonly post: ImportPost };

/** What has become of a file. */
export interface FileResult {
  readonly status: Exclude<ImportFileStatus, 'failed'>;
  readonly message: string | null;
  readonly blogId: string | null;
  /** The slug that the file gave its blog. */
  readonly slug?: string;
  readonly imageId?: string;
  /** Of a file that waits: what is still to be done. */
  readonly post?: ImportPost;
}

/** Most imports of a project that have not finished. */
export const MAX_UNFINISHED_IMPORTS = 10;
/** Most imports of a project that are kept for their owner to look at. */
const MAX_KEPT_IMPORTS = 100;
/** Most imports that one round works on. */
const MAX_IMPORTS_PER_ROUND = 1_000;
/** Enough for an archive of the largest size on a slow machine. */
const CREATION_TIMEOUT_MS = 120_000;

const goesOn = Prisma.sql`
  NOT EXISTS (SELECT FROM project WHERE project.id = import.project_id AND project.suspended IS NOT NULL)`;

export const waitingImports = (hostImages: boolean): Prisma.Sql =>
  Prisma.sql`SELECT FROM import WHERE finished_at IS NULL AND host_images = ${hostImages} AND ${goesOn}`;

/** Imports and their files. */
export function createImportStore(database: Database | Transaction, clock: () => Date) {
  const counted = async (imports: Import[]): Promise<CountedImport[]> => countFiles(database, imports);
  return {
    /** Stores the import with all its files, or nothing of it. Deletes old imports that have finished. */
    create: (
      request: ImportRequest,
      files: AsyncIterable<PlannedFile>,
    ): Promise<CountedImport | 'too_many' | 'no_project'> =>
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
          if (!shown) throw new Error('The new import was deleted.');
          return shown;
        },
        { timeout: CREATION_TIMEOUT_MS },
      ),

    async find(projectId: string, importId: string): Promise<CountedImport | null> {
      const found = await database.import.findFirst({ where: { id: importId, projectId } });
      return found ? ((await counted([found]))[0] ?? null) : null;
    },

    /** What of the project may be the post of each file, by the slugs of the files. */
    standing: (projectId: string, files: readonly NamedFile[]): Promise<ReadonlyMap<string, Standing>> =>
      findStanding(database, projectId, files),

    /** Those of the hashes that are of an image in the project, or of the bytes that one was made from. */
    async knownImages(projectId: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
      const found = await database.$queryRaw<{ hash: string }[]>`
        SELECT given_sha256 AS hash FROM image
        WHERE project_id = ${projectId}::uuid AND state = 'stored' AND given_sha256 = ANY (${hashes}::text[])
        UNION SELECT sha256 FROM image
        WHERE project_id = ${projectId}::uuid AND state = 'stored' AND sha256 = ANY (${hashes}::text[])`;
      return new Set(found.map(({ hash }) => hash));
    },

    /** Newest first, one more than the page holds. */
    list: async (projectId: string, { from, limit }: Page): Promise<CountedImport[]> =>
      counted(
        await database.import.findMany({
          where: { projectId, ...(from !== null && { position: { lt: BigInt(from) } }) },
          orderBy: { position: 'desc' },
          take: limit + 1,
        }),
      ),

    /** In the order of the archive, one more than the page holds. */
    listFiles: (projectId: string, importId: string, { from, limit }: Page): Promise<ListedFile[]> =>
      database.importFile.findMany({
        where: { importId, import: { projectId }, ...(from !== null && { number: { gt: Number(from) } }) },
        select: { number: true, path: true, status: true, message: true, blogId: true },
        orderBy: { number: 'asc' },
        take: limit + 1,
      }),

    /** Imports with files that may be waiting, by the account that asked for them: of each account the oldest first. */
    async unfinished(hostImages: boolean): Promise<ReadonlyMap<string, readonly string[]>> {
      // However many imports one account has, those of the others are among them.
      const found = await database.$queryRaw<{ id: string; account: string }[]>`
        SELECT id, requested_by AS account FROM import
        WHERE finished_at IS NULL AND host_images = ${hostImages} AND ${goesOn}
        ORDER BY row_number() OVER (PARTITION BY requested_by ORDER BY position), position
        LIMIT ${MAX_IMPORTS_PER_ROUND}`;
      return idsByAccount(found);
    },

    /** A waiting file that nobody else has locked; null when there is none. Does not lock it. */
    async nextFile(importId: string): Promise<WaitingFile | null> {
      const file = await lockWaitingFile(database, importId);
      return file && withImage(database, file);
    },

    /**
     * Takes a waiting file, runs `work`, and writes what became of the file: all in one transaction. When `work`
     * throws, nothing has happened, and the file waits.
     * @returns null when the file does not wait any more, or somebody else has it locked.
     */
    withFile: (
      { importId, number }: Pick<WaitingFile, 'importId' | 'number'>,
      work: (tx: Transaction) => Promise<FileResult>,
    ): Promise<FileResult | null> =>
      database.$transaction(async (tx) => {
        if ((await lockWaitingFile(tx, importId, number)) === null) return null;
        const end = await work(tx);
        const where = { importId_number: { importId, number } };
        const post = end.post === undefined ? Prisma.DbNull : (end.post as unknown as Prisma.InputJsonObject);
        await tx.importFile.update({ where, data: { ...end, post } });
        if (end.imageId !== undefined) await tx.importImagePart.deleteMany({ where: { importId, number } });
        return end;
      }, longTransaction()),

    /**
     * Images of the project by the hashes that their names had where they come from: those whose bytes have the hash,
     * or were made from bytes that have it, whichever import brought them; else what this import brought under the
     * name.
     */
    async imagesByHash(
      { importId, projectId }: Pick<WaitingFile, 'importId' | 'projectId'>,
      hashes: readonly string[],
    ): Promise<ReadonlyMap<string, StoredName>> {
      if (hashes.length === 0) return new Map();
      // The last row of a hash counts.
      const found = await database.$queryRaw<(StoredName & { hash: string })[]>`
        SELECT hash, project_id AS "projectId", sha256, ext FROM (
          SELECT substr(file.path, length('images/') + 1, 64) AS hash, image.*
          FROM import_file file JOIN image ON image.id = file.image_id WHERE file.import_id = ${importId}::uuid
          UNION ALL SELECT given_sha256, image.* FROM image
          WHERE project_id = ${projectId}::uuid AND given_sha256 = ANY (${hashes}::text[])
          UNION ALL SELECT sha256, image.* FROM image
          WHERE project_id = ${projectId}::uuid AND sha256 = ANY (${hashes}::text[])
        ) AS image WHERE state = 'stored'`;
      return new Map(found.map(({ hash, ...image }) => [hash, image]));
    },

    /** Marks a file that still waits as failed. @returns whether it did wait. */
    fail: (importId: string, number: number, message: string): Promise<boolean> =>
      database.$transaction(async (tx) => {
        const { count } = await tx.importFile.updateMany({
          where: { importId, number, status: 'waiting' },
          data: { status: 'failed', message, post: Prisma.DbNull },
        });
        if (count > 0) await tx.importImagePart.deleteMany({ where: { importId, number } });
        return count > 0;
      }),

    /** Ends the import if none of its files waits. */
    async finish(importId: string): Promise<boolean> {
      const finished = await database.$executeRaw`
        UPDATE import SET finished_at = ${clock()} WHERE id = ${importId}::uuid AND finished_at IS NULL
        AND NOT EXISTS (SELECT FROM import_file WHERE import_id = import.id AND status = 'waiting')`;
      return finished > 0;
    },
  };
}
export type ImportStore = ReturnType<typeof createImportStore>;

async function deleteOldImports(tx: Transaction, projectId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM import WHERE project_id = ${projectId}::uuid AND finished_at IS NOT NULL AND position < (
      SELECT position FROM import WHERE project_id = ${projectId}::uuid
      ORDER BY position DESC OFFSET ${MAX_KEPT_IMPORTS - 2} LIMIT 1)`;
}

/**
 * Locks a waiting file that nobody else has locked, the first or the given one, until the transaction ends; without a
 * transaction the lock ends immediately. The lock also keeps the project from being deleted; a project that is being
 * deleted is skipped.
 */
async function lockWaitingFile(
  tx: Pick<Transaction, '$queryRaw'>,
  importId: string,
  number: number | null = null,
): Promise<WaitingFile | null> {
  const [file] = await tx.$queryRaw<WaitingFile[]>`
    SELECT file.import_id AS "importId", file.number, file.path,
      -- A post may be long: it is read once.
      CASE WHEN ${number}::int IS NULL THEN file.post END AS post, import.project_id AS "projectId",
      import.requested_by AS "requestedBy", import.publish, import.existing, import.host_images AS "hostImages"
    FROM import_file file JOIN import ON import.id = file.import_id JOIN project ON project.id = import.project_id
    WHERE file.import_id = ${importId}::uuid AND file.status = 'waiting' AND project.deleted_at IS NULL
      AND project.suspended IS NULL
      AND file.number = coalesce(${number}::int, file.number)
      -- Posts need authors and data fields, and authors need images. They come after these, of archives before, too.
      AND (file.post ? 'image' OR NOT EXISTS (
        SELECT FROM import earlier JOIN import_file needed ON needed.import_id = earlier.id
        WHERE earlier.project_id = import.project_id AND earlier.position <= import.position
          AND earlier.finished_at IS NULL AND needed.status = 'waiting'
          AND (needed.post ? 'image' OR
            (needed.post ?| ARRAY['author', 'dataFields'] AND NOT file.post ?| ARRAY['author', 'dataFields']))))
      -- A post that refers to others is completed after all of these are there.
      AND (NOT file.post ? 'brought' OR NOT EXISTS (
        SELECT FROM import_file other
        WHERE other.import_id = file.import_id AND other.status = 'waiting' AND NOT other.post ? 'brought'))
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
