import type { Metrics } from '@blog-content/service-runtime';
import type { HookMetrics } from './make-request.ts';
import type { RequestCounts } from './request-store.ts';

/** Registers the metrics of deploy hooks; `counts` is called on each scrape. */
export function registerHookMetrics(metrics: Metrics, counts: () => Promise<RequestCounts>): HookMetrics {
  const attempts = metrics.counter(
    'deploy_hook_attempts_total',
    'Deploy hook requests, by result and failure reason.',
    ['kind', 'verdict', 'reason'],
  );
  metrics.reading('deploy_hook', counts, {
    deploy_hook_requests_waiting: {
      help: 'Requests collecting changes or waiting for a retry, across all replicas.',
      value: ({ waiting }) => waiting,
    },
    deploy_hook_oldest_due_seconds: {
      help: 'How long the oldest due request has been due, across all replicas.',
      value: ({ oldestDueMs }) => oldestDueMs / 1_000,
    },
    deploy_hook_changes_unserved: {
      help: 'Changes waiting for the public API to serve them, across all replicas.',
      value: ({ unserved }) => unserved,
    },
  });
  return {
    attempted: (kind, verdict, reason) => {
      attempts.inc({ kind, verdict, reason });
    },
  };
}
