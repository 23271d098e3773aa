import type { Metrics } from '@blog-content/service-runtime';
import type { EventLogWork } from './event-log-work.ts';

/** Measures, whenever metrics are read, whether the event log can be reached and how far this service is behind. */
export function observeEventLog(work: Pick<EventLogWork, 'ping' | 'lag'>, metrics: Pick<Metrics, 'gauge'>): void {
  metrics.gauge('event_log_up', '1 while the event log can be reached, else 0.', [], async (gauge) => {
    const isUp = await work.ping().then(
      () => true,
      () => false,
    );
    gauge.set(isUp ? 1 : 0);
  });
  metrics.gauge('event_log_lag_messages', 'Messages not yet applied.', ['topic'], async (gauge) => {
    for (const { topic, messages } of await work.lag()) gauge.set({ topic }, messages);
  });
}
