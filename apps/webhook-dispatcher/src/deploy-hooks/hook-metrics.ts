import type { Metrics } from '@blog-content/service-runtime';
import type { HookMetrics } from './make-request.ts';
import type { RequestCounts } from './request-store.ts';

/** Registers the metrics of deploy hooks; `counts` is asked when somebody scrapes. */
export function registerHookMetrics(metrics: Metrics, counts: () => Promise<RequestCounts>): HookMetrics {
  const attempts = metrics.counter(
    'deploy_hook_attempts_total',
    'Deploy hook requests, by result and failure reason.',
    ['kind', 'verdict', 'reason'],
  );
  metrics.gauge(
    'deploy_hook_requests_waiting',
    'Requests collecting changes or waiting for a retry, across all replicas.',
    [],
    async (gauge) => {
      gauge.set((await counts()).waiting);
    },
  );
  metrics.gauge(
    'deploy_hook_oldest_due_seconds',
    'How long the oldest due request has been due, across all replicas.',
    [],
    async (gauge) => {
      gauge.set((await counts()).oldestDueMs / 1_000);
    },
  );
  metrics.gauge(
    'deploy_hook_changes_unserved',
    'Changes waiting for the public API to serve them, across all replicas.',
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
