import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A service's metrics: its own are made with `counter`, `gauge` and `histogram`, or registered at `registry`. */
export interface Metrics {
  readonly registry: Registry;
  /** Duration of answers in seconds, by `method`, `route` (the pattern, never the path) and `status`. */
  readonly httpRequestDuration: Histogram<'method' | 'route' | 'status'>;
  /**
   * @param collect adds, when metrics are read, what was counted in a variable meanwhile: `inc` with labels puts a text
   *   together each time, which is much beside an answer from memory.
   */
  counter<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    collect?: (counter: Counter<Label>) => void,
  ): Counter<Label>;
  /**
   * @param collect sets the value when metrics are read. When it throws, the metric is left out this time; while it
   *   takes
   *   longer than half a second, metrics are answered with the last value, or without one.
   */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    collect?: (gauge: Gauge<Label>) => void | Promise<void>,
  ): Gauge<Label>;
  /** @param buckets upper bounds, in the unit of the name; seconds from 1 ms to 30 s unless given. */
  histogram<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    buckets?: readonly number[],
  ): Histogram<Label>;
}

/** How long one metric may hold up the answer with all the others. */
const COLLECT_TIMEOUT_MS = 500;
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Makes the metrics of a service, with Node's own ones and the HTTP histogram. Every metric has the label `service`.
 */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const histogram: Metrics['histogram'] = (name, help, labels = [], buckets = DURATION_BUCKETS_S) =>
    new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers });
  return {
    registry,
    httpRequestDuration: histogram('http_request_duration_seconds', 'Response duration.', [
      'method',
      'route',
      'status',
    ]),
    counter: (name, help, labels = [], collect) =>
      new Counter({
        name,
        help,
        labelNames: labels,
        registers,
        ...(collect && {
          collect() {
            collect(this);
          },
        }),
      }),
    gauge: (name, help, labels = [], collect) =>
      new Gauge({
        name,
        help,
        labelNames: labels,
        registers,
        ...(collect && { collect: boundedCollect(collect, labels.length > 0) }),
      }),
    histogram,
  };
}

/** One metric that cannot be read, or not yet, takes none of the others away. At most one reading of it runs. */
function boundedCollect<Label extends string>(
  collect: (gauge: Gauge<Label>) => void | Promise<void>,
  hasLabels: boolean,
): (this: Gauge<Label>) => Promise<void> {
  let running: Promise<void> | undefined;
  let isKnown = false;
  const read = async (gauge: Gauge<Label>) => {
    try {
      await collect(gauge);
      isKnown = true;
    } catch {
      isKnown = false;
    } finally {
      running = undefined;
    }
  };
  return async function () {
    running ??= read(this);
    const timedOut = new AbortController();
    await Promise.race([
      running,
      sleep(COLLECT_TIMEOUT_MS, undefined, { signal: timedOut.signal }).catch(() => undefined),
    ]);
    timedOut.abort();
    if (isKnown) return;
    // A gauge without labels would be 0.
    if (hasLabels) this.reset();
    else this.remove();
  };
}
