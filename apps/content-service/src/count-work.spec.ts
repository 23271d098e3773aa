import { createMetrics } from '@blog-content/service-runtime';
import type { PublishStore } from './blogs/publishing/publish-store.ts';
import type { ImportStore } from './blogs/transfer/import/import-store.ts';
import { countImportedFiles, countPublishes } from './count-work.ts';

const request = { projectId: 'p', blogId: 'b', requestedBy: 'a', trigger: 'autopilot' } as const;

describe('the metrics of content-service’s own work', () => {
  it('count publishes by trigger and outcome, and those of schedules apart', async () => {
    const metrics = createMetrics('content-service');
    const answers = [{ publishId: '1' }, { refused: 'changed' as const }];
    const scheduled = [{ publishId: '2', projectId: 'p' }, null];
    const counted = countPublishes(metrics)({
      publish: () => Promise.resolve(answers.shift() ?? Promise.reject(new Error('The database is away.'))),
      publishScheduled: () => Promise.resolve(scheduled.shift() ?? null),
    } as Partial<PublishStore> as PublishStore);
    await counted.publish(request, 'publish');
    await counted.publish({ ...request, trigger: 'manual' }, 'publish');
    await expect(counted.publish(request, 'sync')).rejects.toThrow('away');
    await counted.publishScheduled('b');
    await counted.publishScheduled('b');
    const text = await metrics.registry.metrics();
    expect(text).toContain(
      'content_publishes_total{trigger="autopilot",outcome="accepted",service="content-service"} 1',
    );
    expect(text).toContain('content_publishes_total{trigger="manual",outcome="changed",service="content-service"} 1');
    expect(text).toContain('content_publishes_total{trigger="autopilot",outcome="error",service="content-service"} 1');
    expect(text).toContain('content_schedules_fired_total{outcome="accepted",service="content-service"} 1');
  });

  it('count files of imports by how they ended', async () => {
    const metrics = createMetrics('content-service');
    const end = { status: 'created', message: null, blogId: 'b' } as const;
    const counted = countImportedFiles(
      {
        withFile: () => Promise.resolve(end),
        fail: () => Promise.resolve(true),
      } as Partial<ImportStore> as ImportStore,
      metrics,
    );
    await counted.withFile({ importId: 'i', number: 1 }, () => Promise.resolve(end));
    await counted.fail('i', 2, 'no title');
    const text = await metrics.registry.metrics();
    expect(text).toContain('content_import_files_total{status="created",service="content-service"} 1');
    expect(text).toContain('content_import_files_total{status="failed",service="content-service"} 1');
  });
});
