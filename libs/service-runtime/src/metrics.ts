import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A service's metrics: its own are made with `counter`, `gauge` and `histogram`, or registered at `registry`. */
export interface Metrics {
  readonly registry: Registry;
  /** Duration of answers in seconds, by `method`, `route` (the pattern, never the path) and `status`. */
  readonly httpRequestDuration: Histogram<'method' | 'route' | 'status'>;
  counter<Label extends string>(name: string, help: string, labels?: readonly Label[]): Counter<Label>;
  /** @param collect sets the value at the moment it is read; when it throws, the metric is left out this time. */
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

const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Makes the metrics of a service, with Node's own ones and the HTTP histogram. Every metric has the label `service`. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const histogram: Metrics['histogram'] = (name, help, labels = [], buckets = DURATION_BUCKETS_S) =>
    new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers });
  return {
    registry,
    httpRequestDuration: histogram('http_request_duration_seconds', 'How long answers took.', [
      'method',
      'route',
      'status',
    ]),
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: labels, registers }),
    gauge: (name, help, labels = [], collect) =>
      new Gauge({
        name,
        help,
        labelNames: labels,
        registers,
        ...(collect && {
          async collect() {
            // One metric that cannot be read must not take all the others away.
            try {
              await collect(this);
            } catch {
              if (labels.length === 0) this.remove();
              else this.reset();
            }
          },
        }),
      }),
    histogram,
  };
}
