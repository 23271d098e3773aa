import type { Metrics } from './metrics.ts';

/** What is measured of a service's connection to the event log. */
export interface ObservedEventLog {
  ping(): Promise<void>;
  lag(): Promise<readonly { readonly topic: string; readonly messages: number }[]>;
}

/** Measures, whenever metrics are read, whether the event log can be reached and how far the service is behind. */
export function observeEventLog(eventLog: ObservedEventLog, metrics: Pick<Metrics, 'gauge'>): void {
  metrics.gauge('event_log_up', '1 while the event log can be reached, else 0.', [], async (gauge) => {
    const isUp = await eventLog.ping().then(
      () => true,
      () => false,
    );
    gauge.set(isUp ? 1 : 0);
  });
  metrics.gauge('event_log_lag_messages', 'Messages not yet applied.', ['topic'], async (gauge) => {
    for (const { topic, messages } of await eventLog.lag()) gauge.set({ topic }, messages);
  });
}
