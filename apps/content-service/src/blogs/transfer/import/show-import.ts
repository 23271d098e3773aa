import type { importFile, importJob } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import type { CountedImport, ListedFile } from './import-store.ts';

/** An import as its owner sees it. */
export function showImport({ id, counts, createdAt, finishedAt }: CountedImport): z.infer<typeof importJob> {
  return {
    id,
    status: finishedAt === null ? 'running' : 'finished',
    files: Object.values(counts).reduce((total, count) => total + count, 0),
    ...counts,
    created_at: createdAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}

/** A file of an import. */
export function showImportFile({ number, path, status, message, blogId }: ListedFile): z.infer<typeof importFile> {
  return { number, path, status: status as z.infer<typeof importFile>['status'], message, blog_id: blogId };
}
