import type { Metrics } from '@blog-content/service-runtime';
import type { PublishStore } from './blogs/publishing/publish-store.ts';
import { ContentNotReady } from './blogs/publishing/ready-content.ts';
import type { ImportStore } from './blogs/transfer/import/import-store.ts';

/**
 * The publishes of stores are counted, by who asked and what came of it: `accepted`, why it was refused, or `error`.
 */
export function countPublishes(metrics: Pick<Metrics, 'counter'>): (store: PublishStore) => PublishStore {
  const publishes = metrics.counter('content_publishes_total', 'Publishes requested.', ['trigger', 'outcome']);
  const schedules = metrics.counter('content_schedules_fired_total', 'Publishes requested by schedules.', ['outcome']);
  return (store) => ({
    ...store,
    async publish(request, command, options) {
      const { trigger } = request;
      try {
        const result = await store.publish(request, command, options);
        publishes.inc({ trigger, outcome: 'refused' in result ? result.refused : 'accepted' });
        return result;
      } catch (error) {
        if (!(error instanceof ContentNotReady)) publishes.inc({ trigger, outcome: 'error' });
        throw error;
      }
    },
    async publishScheduled(blogId, ready) {
      try {
        const published = await store.publishScheduled(blogId, ready);
        if (published !== null) schedules.inc({ outcome: 'accepted' });
        return published;
      } catch (error) {
        if (!(error instanceof ContentNotReady)) schedules.inc({ outcome: 'error' });
        throw error;
      }
    },
  });
}

/** The files of a store's imports are counted, by how they ended. */
export function countImportedFiles(store: ImportStore, metrics: Pick<Metrics, 'counter'>): ImportStore {
  const files = metrics.counter('content_import_files_total', 'Import files processed.', ['status']);
  return {
    ...store,
    async withFile(file, work) {
      const end = await store.withFile(file, work);
      if (end !== null) files.inc({ status: end.status });
      return end;
    },
    async fail(importId, number, message) {
      const hasFailed = await store.fail(importId, number, message);
      if (hasFailed) files.inc({ status: 'failed' });
      return hasFailed;
    },
  };
}
