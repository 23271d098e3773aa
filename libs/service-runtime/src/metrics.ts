import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A service's metrics: its own are made with `counter`, `gauge` and `histogram`, or registered at `registry`. */
export interface Metrics {
  readonly registry: Registry;
  /** Of the service, as `build_info` has it. */
  readonly version: string;
  /** Duration of answers in seconds, by `method`, `route` (the pattern, never the path) and `status`. */
  readonly httpRequestDuration: Histogram<'method' | 'route' | 'status'>;
  /**
   * @param collect adds, when metrics are read, what was counted in a variable since: `inc` with labels puts a text
   *   together each time, which is much beside an answer from memory.
   */
  counter<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    collect?: (counter: Counter<Label>) => void,
  ): Counter<Label>;
  /** @param collect sets the value when metrics are read, from memory. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    collect?: (gauge: Gauge<Label>) => void,
  ): Gauge<Label>;
  /**
   * Gauges that show one reading of a database or a server, taken when metrics are read. While it fails, or takes longer
   * than half a second, they keep the values of the last one; before the first they have none. Beside them,
   * `<name>_read_seconds_ago` says how old the last one is: without a first one, how long this process has waited for it.
   *
   * @param name names the reading
   * @param gauges by their names
   */
  reading<Reading>(
    name: string,
    read: () => Promise<Reading>,
    gauges: Readonly<Record<string, GaugeOf<Reading>>>,
  ): void;
  /** @param buckets upper bounds, in the unit of the name; seconds from 1 ms to 30 s unless given. */
  histogram<Label extends string>(
    name: string,
    help: string,
    labels?: readonly Label[],
    buckets?: readonly number[],
  ): Histogram<Label>;
}

/** A gauge that shows something of a reading. */
export interface GaugeOf<Reading> {
  readonly help: string;
  /** The value; with a label, the value of each of its values. */
  readonly value: (reading: Reading) => number | ReadonlyMap<string, number>;
  readonly label?: string;
}

/** How long one reading may hold up the answer with all the others. */
const COLLECT_TIMEOUT_MS = 500;
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Makes the metrics of a service, with Node's own ones, the HTTP histogram, and `build_info`, which names its version.
 * Every metric has the label `service`.
 */
export function createMetrics(service: string, version = 'unknown'): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const histogram: Metrics['histogram'] = (name, help, labels = [], buckets = DURATION_BUCKETS_S) =>
    new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers });
  const build = { name: 'build_info', help: '1, with the version that runs.', labelNames: ['version'], registers };
  new Gauge(build).set({ version }, 1);
  return {
    registry,
    version,
    httpRequestDuration: histogram('http_request_duration_seconds', 'Response duration.', [
      'method',
      'route',
      'status',
    ]),
    counter: (name, help, labels = [], collect) =>
      new Counter({ name, help, labelNames: labels, registers, ...(collect && collecting(collect)) }),
    gauge: (name, help, labels = [], collect) =>
      new Gauge({ name, help, labelNames: labels, registers, ...(collect && collecting(collect)) }),
    reading: (name, read, gauges) => registerReading(registry, name, read, gauges),
    histogram,
  };
}

function collecting<Metric>(collect: (metric: Metric) => void) {
  return {
    collect(this: Metric) {
      collect(this);
    },
  };
}

function registerReading<Reading>(
  registry: Registry,
  name: string,
  read: () => Promise<Reading>,
  gauges: Readonly<Record<string, GaugeOf<Reading>>>,
): void {
  let lastMs = performance.now();
  let last: Reading | undefined;
  let running: Promise<void> | undefined;
  const readAgain = async () => {
    const askedMs = performance.now();
    try {
      last = await read();
      lastMs = askedMs;
    } catch {
      // Its age tells.
    } finally {
      running = undefined;
    }
  };
  /** At most one reading runs, for all gauges and all concurrent scrapes. */
  const refresh = async () => {
    running ??= readAgain();
    const answered = new AbortController();
    const late = sleep(COLLECT_TIMEOUT_MS, undefined, { signal: answered.signal }).catch(() => undefined);
    await Promise.race([running, late]);
    answered.abort();
  };
  const register = (gauge: string, help: string, labelNames: string[], set: (gauge: Gauge) => void) =>
    new Gauge({
      name: gauge,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        await refresh();
        set(this);
      },
    });
  for (const [gauge, { help, value, label }] of Object.entries(gauges)) {
    register(gauge, help, label === undefined ? [] : [label], (metric) => {
      if (last === undefined) {
        // It would be 0.
        if (label === undefined) metric.remove();
        return;
      }
      const values = value(last);
      if (typeof values === 'number') metric.set(values);
      else {
        // What is no longer in the reading is over.
        metric.reset();
        for (const [of, labelled] of values) metric.set({ [label ?? '']: of }, labelled);
      }
    });
  }
  register(`${name}_read_seconds_ago`, 'Age of the last reading of these values.', [], (metric) =>
    metric.set((performance.now() - lastMs) / 1_000),
  );
}
