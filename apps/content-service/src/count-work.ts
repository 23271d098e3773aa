import type { Metrics } from '@blog-content/service-runtime';
import type { ImportStore } from './blogs/transfer/import/import-store.ts';

/** The files of a store's imports are counted, by how they ended. */
export function countImportedFiles(store: ImportStore, metrics: Pick<Metrics, 'counter'>): ImportStore {
  const files = metrics.counter('content_import_files_total', 'Import files processed.', ['status']);
  return {
    ...store,
    async withFile(file, work) {
      const end = await store.withFile(file, work);
      if (end !== null && end.status !== 'waiting') files.inc({ status: end.status });
      return end;
    },
    async fail(importId, number, message) {
      const hasFailed = await store.fail(importId, number, message);
      if (hasFailed) files.inc({ status: 'failed' });
      return hasFailed;
    },
  };
}
