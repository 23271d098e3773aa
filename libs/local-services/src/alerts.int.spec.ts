import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: { readonly summary: string; readonly runbook_url: string };
}

const root = join(import.meta.dirname, '../../..');
const files = ['alerts.yaml', 'slos.yaml'];
const groupsOf = (file: string) => {
  const resource = parse(readFileSync(join(root, 'k8s/components/monitoring', file), 'utf8')) as {
    readonly spec: { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
  };
  return resource.spec;
};
const rules = files.flatMap((file) => groupsOf(file).groups).flatMap((group) => group.rules);
const alerts = rules.filter((rule) => rule.alert !== undefined);

/** Series of metrics and the values that they have, minute by minute, as promtool writes them. */
type Series = Readonly<Record<string, string>>;

const [content, reads, dispatcher] = ['content-service', 'public-read-service', 'webhook-dispatcher'] as const;
const up = (pod: string) => `up{job="blog-content/blog-content", pod="${pod}"}`;
const logUp = (service: string, pod = `${service}-1`) => `event_log_up{service="${service}", pod="${pod}"}`;
const check = (service: string, pod = `${service}-1`) =>
  `readiness_check_up{service="${service}", pod="${pod}", check="database"}`;
const writes = (service: string, pod = `${service}-1`) =>
  `readiness_check_up{service="${service}", pod="${pod}", check="writes"}`;
const readAgo = (service: string) => `outbox_read_seconds_ago{service="${service}", pod="${service}-1"}`;
const answered = (service: string, status: number) =>
  `http_request_duration_seconds_count{service="${service}", pod="${service}-1", status="${status}"}`;
const delay = (le: string) => `projection_delay_seconds_bucket{topic="blog.lifecycle", le="${le}"}`;
const delayCount = 'projection_delay_seconds_count{topic="blog.lifecycle"}';
const firstByte = (le: string) => `webhook_event_to_first_byte_seconds_bucket{le="${le}"}`;
const firstByteCount = 'webhook_event_to_first_byte_seconds_count';
const attempts = (verdict: string) => `webhook_delivery_attempts_total{verdict="${verdict}"}`;
const duration = (le: string) => `http_request_duration_seconds_bucket{service="${reads}", le="${le}"}`;
const lag = `event_log_lag_messages{service="${reads}", topic="blog.lifecycle"}`;
const failedBatches = `event_log_failed_batches_total{service="${reads}", topic="blog.lifecycle"}`;

/** Three services of one pod each, with ten requests a second. */
const HEALTHY: Series = Object.assign(
  {},
  ...[content, reads, dispatcher].map((service) => ({
    [up(`${service}-1`)]: '1x600',
    [logUp(service)]: '1x600',
    [check(service)]: '1x600',
    [writes(service)]: '1x600',
    [readAgo(service)]: '0x600',
    [answered(service, 200)]: '0+600x600',
  })),
) as Series;
const NOBODY_ASKS: Series = {
  [answered(content, 200)]: '0x600',
  [answered(reads, 200)]: '0x600',
  [answered(dispatcher, 200)]: '0x600',
};

/** What breaks after nine minutes, and the alerts that must have fired five minutes later. */
const outages: readonly [name: string, series: Series, alerts: readonly string[]][] = [
  [
    'all pods of a service are gone, and their targets with them',
    {
      [up(`${reads}-1`)]: '1x9 stale',
      [logUp(reads)]: '1x9 stale',
      [check(reads)]: '1x9 stale',
      [writes(reads)]: '1x9 stale',
      [readAgo(reads)]: '0x9 stale',
      [answered(reads, 200)]: '0+600x9 stale',
    },
    ['ServiceGone'],
  ],
  ['one of two pods doesn’t answer', { [up('b')]: '1x9 0x60', [logUp(reads, 'b')]: '1x9 stale' }, ['PodDown']],
  [
    'PostgreSQL of the read service is gone, and readers get 500',
    {
      [check(reads)]: '1x9 0x60',
      [answered(reads, 200)]: '0+600x9 5400x60',
      [answered(reads, 500)]: '0x9 0+600x60',
      [readAgo(reads)]: '0x9 0+60x60',
    },
    ['CheckFails', 'ReadsBurnFast', 'ServerErrors'],
  ],
  ['PostgreSQL is gone while nobody asks', { ...NOBODY_ASKS, [check(dispatcher)]: '1x9 0x60' }, ['CheckFails']],
  [
    'the disk is full or the database read-only, as one of two pods noticed',
    { [writes(content, 'b')]: '1x9 0x60' },
    ['WritesRefused'],
  ],
  ['a write was refused once', { [writes(content)]: '1x9 0 0 1x60' }, []],
  ['one of two pods is unready', { [check(reads, 'b')]: '1x9 0x60' }, []],
  [
    'a fifth of the writes fails, as with a full disk',
    { [answered(content, 500)]: '0x9 0+120x60', [answered(content, 200)]: '0+600x9 5400+480x60' },
    ['ServerErrors'],
  ],
  ['two requests fail', { [answered(content, 500)]: '0x9 1 2x60' }, []],
  ['the queue’s state can’t be read', { [readAgo(dispatcher)]: '0x9 120+60x60' }, ['ReadingsFail']],
  [
    'the origin doesn’t reach a service',
    { 'caddy_http_request_errors_total{handler="subroute"}': '0x9 0+60x60' },
    ['OriginErrors'],
  ],
  [
    'reads that miss the cache get slow',
    { [duration('1')]: '0+600x9 5400x60', [duration('2.5')]: '0+600x60', [duration('+Inf')]: '0+600x60' },
    ['ReadsSlow'],
  ],
  ['the event log is out of reach', { [logUp(content)]: '1x9 0x60' }, ['EventLogUnreachable']],
  ['one event blocks a partition', { [failedBatches]: '0x9 0+2x60', [lag]: '0x9 4x60' }, ['BatchesFail']],
  [
    'one post’s events are parked, as both pods say',
    {
      [`event_log_parked_keys{service="${reads}", pod="a", topic="blog.lifecycle"}`]: '0x9 1x60',
      [`event_log_parked_keys{service="${reads}", pod="b", topic="blog.lifecycle"}`]: '0x9 1x60',
    },
    ['EventsParked'],
  ],
  ['a batch failed twice during a restart', { [failedBatches]: '0x9 2x60' }, []],
  ['a service is 10,001 messages behind', { [lag]: '0x8 10001x60' }, ['EventLogLag']],
  ['a service is 10,000 messages behind', { [lag]: '0x8 10000x60' }, []],
  [
    'a message is unreadable',
    { [`event_log_dead_letters_total{service="${reads}", topic="blog.lifecycle"}`]: '0x9 1x60' },
    ['DeadLetters'],
  ],
  [
    'changes wait in the outbox',
    { [`outbox_oldest_unpublished_seconds{service="${content}"}`]: '0x9 0+60x60' },
    ['OutboxWaits'],
  ],
  [
    'changes become visible late',
    {
      [delay('2.5')]: '0+60x9 540x60',
      [delay('10')]: '0+60x9 540x60',
      [delay('30')]: '0+60x60',
      [delay('+Inf')]: '0+60x60',
      [delayCount]: '0+60x60',
    },
    ['FreshnessBurnsFast', 'VisibleLate'],
  ],
  [
    'a delivery has been due for two minutes, as both pods say',
    {
      [`webhook_delivery_oldest_due_seconds{service="${dispatcher}", pod="a"}`]: '0x9 121x60',
      [`webhook_delivery_oldest_due_seconds{service="${dispatcher}", pod="b"}`]: '0x9 121x60',
    },
    ['DeliveriesDueForLong'],
  ],
  [
    'half of all deliveries fail',
    {
      [attempts('succeeded')]: '0+60x9 540+30x60',
      [attempts('retry')]: '0x9 0+15x60',
      [attempts('failed')]: '0x9 0+15x60',
    },
    ['DeliveriesFail'],
  ],
  [
    'a third of all deliveries fails',
    { [attempts('succeeded')]: '0+60x9 540+40x60', [attempts('retry')]: '0x9 0+20x60' },
    [],
  ],
  [
    'first attempts leave late',
    { [firstByte('60')]: '0+60x9 540x60', [firstByte('+Inf')]: '0+60x60', [firstByteCount]: '0+60x60' },
    ['DeliveriesBurnFast'],
  ],
  [
    'a deploy hook has been due for 20 minutes',
    { [`deploy_hook_oldest_due_seconds{service="${dispatcher}"}`]: '0x9 1201x60' },
    ['DeployHooksDueForLong'],
  ],
  ['emails fail', { 'content_emails_total{outcome="failed"}': '0x9 0+3x60' }, ['EmailsFail']],
];

/** What goes wrong all the time, and the alerts that must fire within ten hours, and not within ten minutes. */
const creeping: readonly [name: string, series: Series, alerts: readonly string[]][] = [
  ['nothing', {}, []],
  [
    'one read of a hundred fails',
    { [answered(reads, 500)]: '0+6x600', [answered(reads, 200)]: '0+594x600' },
    ['ReadsBurnSlowly'],
  ],
  [
    'a tenth of the changes is late',
    { [delay('2.5')]: '0+54x600', [delay('10')]: '0+60x600', [delay('+Inf')]: '0+60x600', [delayCount]: '0+60x600' },
    ['FreshnessBurnsSlowly'],
  ],
  [
    'a tenth of the first attempts is late',
    { [firstByte('60')]: '0+54x600', [firstByte('+Inf')]: '0+60x600', [firstByteCount]: '0+60x600' },
    ['DeliveriesBurnSlowly'],
  ],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'blog-content-alerts-'));
  for (const file of files) writeFileSync(join(folder, file), JSON.stringify(groupsOf(file)));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Fails with promtool’s report unless exactly these alerts fire at each time. */
async function expectFiring(
  name: string,
  series: Series,
  firing: Readonly<Record<string, readonly string[]>>,
  evaluation_interval: string,
) {
  const expr = 'count by (alertname) (ALERTS{alertstate="firing"})';
  const test = {
    name,
    interval: '1m',
    input_series: Object.entries({ ...HEALTHY, ...series }).map(([of, values]) => ({ series: of, values })),
    promql_expr_test: Object.entries(firing).map(([eval_time, names]) => ({
      expr,
      eval_time,
      exp_samples: names.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
    })),
  };
  const file = join(folder, 'test.yaml');
  writeFileSync(file, JSON.stringify({ rule_files: files, evaluation_interval, tests: [test] }));
  await promisify(execFile)('promtool', ['test', 'rules', file]).catch((error: { stderr: string }) => {
    throw new Error(error.stderr);
  });
}

describe('five minutes after the outage, exactly the right alerts fire', () => {
  it.each(outages)('%s', (name, series, firing) => expectFiring(name, series, { '9m': [], '15m': firing }, '30s'));
});

describe('a slow failure makes its alert fire within hours', () => {
  it.each(creeping)('%s', (name, series, firing) => expectFiring(name, series, { '10m': [], '600m': firing }, '5m'));
});

describe('every alert', () => {
  const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root, exclude: ['**/*.spec.ts', '**/generated/**'] })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');

  it('is tested', () => {
    const tested = [...outages, ...creeping].flatMap(([, , firing]) => firing);
    expect(new Set(tested)).toEqual(new Set(alerts.map(({ alert }) => alert)));
  });

  it.each(alerts.map((rule) => [rule.alert ?? '', rule] as const))(
    '%s has a severity, a summary and a runbook',
    (name, rule) => {
      expect(['critical', 'warning']).toContain(rule.labels?.severity);
      expect(rule.annotations?.summary).toMatch(/\.$/);
      const page = join(root, 'docs/runbooks', basename(rule.annotations?.runbook_url ?? ''));
      expect(existsSync(page)).toBe(true);
      expect(readFileSync(page, 'utf8')).toContain(`\n## ${name}\n`);
    },
  );

  it('has a runbook that names only log events that services write', () => {
    const pages = globSync('docs/runbooks/*.md', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
    const named = pages.flatMap((page) => [...page.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, event = '']) => event));
    expect(named.length).toBeGreaterThan(4);
    // What any loop may write begins with the name of the loop.
    const isWritten = (event: string) =>
      sources.includes(`'${event}'`) || sources.includes(`}.${event.split('.')[1] ?? ''}\``);
    expect(named.filter((event) => !isWritten(event))).toEqual([]);
  });

  it('uses metrics that the product has', () => {
    const asked = rules.flatMap(({ expr }) => expr.match(/\b[a-z]+(?:_[a-z]+){2,}(?=[{[\s)]|$)/g) ?? []);
    const own = new Set(asked.map((metric) => metric.replace(/_(?:bucket|count|sum)$/, '')));
    // Caddy’s own, which Prometheus records of the proxy.
    own.delete('caddy_http_request_errors_total');
    expect(own.size).toBeGreaterThan(8);
    expect([...own].filter((metric) => !new RegExp(`\\b${metric}['\`:]`).test(sources))).toEqual([]);
  });
});
