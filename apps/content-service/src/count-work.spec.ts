import { createMetrics } from '@blog-content/service-runtime';
import type { ImportStore } from './blogs/transfer/import/import-store.ts';
import { countImportedFiles } from './count-work.ts';

describe('the metrics of content-service’s own work', () => {
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
