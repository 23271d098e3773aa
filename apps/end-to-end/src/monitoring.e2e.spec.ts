import { spawn, type ChildProcess } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@blog-content/local-infrastructure';
import { serviceNames } from '@blog-content/payload-schemas';
import { eventually, startReceiver, type Receiver } from '@blog-content/testing';
import { parse } from 'yaml';
import { createProject, publishThroughAll } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const monitoring = join(import.meta.dirname, '../../../k8s/components/monitoring');

interface Dashboard {
  readonly title: string;
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}
const queries = globSync('dashboards/*.json', { cwd: monitoring }).flatMap((file) => {
  const { title, panels } = JSON.parse(readFileSync(join(monitoring, file), 'utf8')) as Dashboard;
  return panels.flatMap((panel) => panel.targets.map(({ expr }) => [`${title} › ${panel.title}`, expr] as const));
});

/** Of Caddy, which this stack does without; its own tests have it. */
const OF_CADDY = /\bcaddy_/;
/** Metrics of Prometheus itself. */
const OF_PROMETHEUS = new Set(['ALERTS']);

let stack: Stack;
let receiver: Receiver;
let prometheus: ChildProcess;
let folder: string;
let origin: string;

/** What Prometheus answers; an error that it reports is thrown. */
async function ask<Data>(path: string): Promise<Data> {
  const response = await fetch(`${origin}/api/v1/${path}`);
  const answer = (await response.json()) as { status: string; data: Data; error?: string };
  if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`);
  return answer.data;
}
const query = (expr: string) =>
  ask<{ result: readonly { metric: Record<string, string>; value: [number, string] }[] }>(
    `query?query=${encodeURIComponent(expr)}`,
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-monitoring-'));
  receiver = await startReceiver();
  // With emails, so that their metrics are there; none is sent.
  stack = await startStack({
    environment: {
      'content-service': {
        SMTP_URL: 'smtp://127.0.0.1:1',
        SMTP_FROM: 'blog@example.com',
        DASHBOARD_URL: 'https://blog.example.com',
      },
    },
  });
  for (const file of ['alerts.yaml', 'slos.yaml']) {
    const { spec } = parse(readFileSync(join(monitoring, file), 'utf8')) as { spec: unknown };
    await writeFile(join(folder, file), JSON.stringify(spec));
  }
  const targets = serviceNames.map((service) => ({
    targets: [`127.0.0.1:${stack.local.services[service].adminPort}`],
    labels: { pod: `${service}-1` },
  }));
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yaml', 'slos.yaml'],
    scrape_configs: [{ job_name: 'blog-content/blog-content', static_configs: targets }],
  };
  await writeFile(join(folder, 'prometheus.yaml'), JSON.stringify(config));
  const listen = `127.0.0.1:${await freePort()}`;
  origin = `http://${listen}`;
  prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${listen}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const project = await createProject(stack.owner, {
    siteUrl: 'https://tea.example',
    receiverUrls: [receiver.url],
  });
  await publishThroughAll(stack.owner, project.id, 'first');
  await eventually(async () => {
    const { result } = await query('sum(webhook_delivery_attempts_total{verdict="succeeded"})');
    expect(result[0]?.value[1]).toBe('1');
  });
  // Rates need a change between two scrapes.
  await publishThroughAll(stack.owner, project.id, 'second');
  await fetch(`${stack.local.origin}/blog/api/v1/public/blogs`, {
    headers: { Authorization: `Bearer ${project.publicKey}` },
  });
  await eventually(async () => {
    const { result } = await query('sum(rate(webhook_delivery_attempts_total[5m])) > 0');
    expect(result).toHaveLength(1);
  });
}, 180_000);
afterAll(async () => {
  if (prometheus?.exitCode === null) {
    const ended = new Promise((resolve) => prometheus.once('exit', resolve));
    prometheus.kill();
    await ended;
  }
  await stack?.[Symbol.asyncDispose]();
  await receiver?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('Prometheus, scraping the running product', () => {
  it('evaluates every alert and service level, and none fires', async () => {
    await eventually(async () => {
      const { groups } = await ask<{
        groups: readonly { rules: readonly { name: string; health: string; state?: string; lastError?: string }[] }[];
      }>('rules');
      const rules = groups.flatMap((group) => group.rules);
      expect(rules.length).toBeGreaterThan(30);
      for (const { name, health, lastError } of rules) {
        expect({ name, health, lastError }).toEqual({ name, health: 'ok', lastError: undefined });
      }
      expect(rules.filter(({ state }) => state === 'firing')).toEqual([]);
    });
  });

  it.each(queries)('answers the query of “%s”', async (_panel, expr) => {
    await query(expr);
  });

  it('finds each metric that a dashboard asks for', async () => {
    const texts = await Promise.all(
      serviceNames.map(async (service) => {
        const response = await fetch(`http://127.0.0.1:${stack.local.services[service].adminPort}/metrics`);
        return response.text();
      }),
    );
    const exported = new Set(texts.flatMap((text) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)));
    const asked = queries
      .map(([, expr]) => expr.replaceAll(/\{[^}]*\}|by \([^)]*\)|\[\w+\]/g, ''))
      .filter((expr) => !OF_CADDY.test(expr))
      .flatMap((expr) => expr.match(/[a-zA-Z_]+_[a-z_]+|ALERTS/g) ?? [])
      .filter((name) => !name.startsWith('histogram_') && !OF_PROMETHEUS.has(name))
      .map((name) => (exported.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, '')));
    expect(asked.length).toBeGreaterThan(40);
    expect([...new Set(asked)].filter((name) => !exported.has(name))).toEqual([]);
  });

  it('shows what happened: the publish, its delivery, and who reads most', async () => {
    await eventually(async () => {
      const { result } = await query('sum(projection_delay_seconds_count{topic="blog.lifecycle"}) >= 2');
      expect(result).toHaveLength(1);
    });
    expect((await query('build_info')).result).toHaveLength(serviceNames.length);
    expect((await query('readiness_check_up == 1')).result.length).toBeGreaterThan(serviceNames.length);
  });
});
