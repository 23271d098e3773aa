import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const alerts = readFileSync(join(root, 'k8s/components/monitoring/alerts.yaml'), 'utf8');
const metrics = [...alerts.matchAll(/expr: .*?(\w+_\w+)/g)].map(([, metric = '']) => metric);
const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root, exclude: ['**/*.spec.ts', '**/generated/**'] })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

describe('the alerts of Kubernetes', () => {
  it.each(metrics)('ask for %s, which a service has', (metric) => {
    expect(sources).toContain(`'${metric}'`);
  });

  it('know an event log out of reach, a lag, and an outbox, deliveries and deploy hooks that wait for long', () => {
    expect(metrics).toEqual(
      expect.arrayContaining([
        'event_log_up',
        'event_log_lag_messages',
        'outbox_oldest_unpublished_seconds',
        'webhook_delivery_oldest_due_seconds',
        'deploy_hook_oldest_due_seconds',
      ]),
    );
  });
});
