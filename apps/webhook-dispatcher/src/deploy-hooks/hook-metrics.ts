import type { Metrics } from '@blog-content/service-runtime';
import type { HookMetrics } from './make-request.ts';
import type { RequestCounts } from './request-store.ts';

/** Registers the metrics of deploy hooks; `counts` is asked when somebody scrapes. */
export function registerHookMetrics(metrics: Metrics, counts: () => Promise<RequestCounts>): HookMetrics {
  const attempts = metrics.counter(
    'deploy_hook_attempts_total',
    'Requests made to deploy hooks by what followed and why they failed.',
    ['kind', 'verdict', 'reason'],
  );
  metrics.gauge(
    'deploy_hook_requests_waiting',
    'Requests that gather changes or wait for a retry, of all replicas.',
    [],
    async (gauge) => {
      gauge.set((await counts()).waiting);
    },
  );
  metrics.gauge(
    'deploy_hook_oldest_due_seconds',
    'How long the oldest request that is due has been due, of all replicas.',
    [],
    async (gauge) => {
      gauge.set((await counts()).oldestDueMs / 1_000);
    },
  );
  metrics.gauge(
    'deploy_hook_changes_unserved',
    'Changes that wait until the public API serves them, of all replicas.',
    [],
    async (gauge) => {
      gauge.set((await counts()).unserved);
    },
  );
  return {
    attempted: (kind, verdict, reason) => {
      attempts.inc({ kind, verdict, reason });
    },
  };
}
