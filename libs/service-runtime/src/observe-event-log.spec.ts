import { createMetrics } from './metrics.ts';
import { observeEventLog, type ObservedEventLog } from './observe-event-log.ts';

const log: ObservedEventLog = {
  isUp: () => true,
  unreachableSince: () => undefined,
  parkedKeys: () => new Map([['blog.lifecycle', 2]]),
  lag: () => Promise.resolve([{ topic: 'blog.lifecycle', messages: 3 }]),
};
const metricsOf = async (observed: ObservedEventLog) => {
  const metrics = createMetrics('tested');
  observeEventLog(observed, metrics);
  return metrics.registry.metrics();
};

describe('the metrics of an event log', () => {
  it('say how many rows of the outbox wait and how old the oldest is, from one reading', async () => {
    let readings = 0;
    const text = await metricsOf({
      ...log,
      measureOutbox: () => {
        readings += 1;
        return Promise.resolve({ rows: 7, oldestAgeS: 61.5 });
      },
    });
    expect(text).toContain('outbox_unpublished_rows{service="tested"} 7\n');
    expect(text).toContain('outbox_oldest_unpublished_seconds{service="tested"} 61.5\n');
    expect(readings).toBe(1);
  });

  it('say nothing of an outbox for a service that has none', async () => {
    const text = await metricsOf(log);
    expect(text).toContain('event_log_lag_messages{topic="blog.lifecycle",service="tested"} 3\n');
    expect(text).toContain('event_log_parked_keys{topic="blog.lifecycle",service="tested"} 2\n');
    expect(text).not.toMatch(/outbox_(unpublished_rows|oldest)/);
  });
});
