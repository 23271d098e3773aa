import { startPostgres } from '@blog-content/local-infrastructure';
import { createLocalSettings, signIn, startLocalServices, type OwnerClient } from '@blog-content/local-services';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile } from '../percentiles.ts';
import { row, tableHead } from '../publish/table.ts';
import { verdict } from '../read/ratio-table.ts';
import { attacks, type Attack, type Attacker } from './attacks.ts';

export interface BenchWriteOptions {
  /** How long each attack is kept up, in seconds. */
  readonly seconds: number;
  /** Measures only the attacks whose names hold this. */
  readonly only: string | undefined;
}

/** Requests a second of the tenant that is measured: half of them write. */
const RATE = 25;
const NEED_MS = 100;

/** Measures how long one tenant's requests take at content-service while another tenant attacks it. */
export async function benchWrite({ seconds, only }: BenchWriteOptions): Promise<void> {
  console.log(
    `write: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ` +
      `load average before ${(loadavg()[0] ?? 0).toFixed(1)}, Node ${process.versions.node}`,
  );
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-bench-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres') });
  resources.defer(() => postgres.stop());
  const settings = await createLocalSettings();
  const local = await startLocalServices({
    databaseUrl: (database) => postgres.url(database),
    databasePrefix: 'bench_',
    settings,
    logFolder: join(folder, 'logs'),
    environment: { all: { LOG_LEVEL: 'error' } },
  });
  resources.defer(() => local.stop());

  const newSession = () => signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  const victim = await startTenant(await newSession(), 'Victim');
  const attacker = await startAttacker(local.origin, await startTenant(await newSession(), 'Attacker'));
  const measure = (until: () => boolean) => measureTenant(local.origin, victim, until);

  const forSeconds = (length: number) => {
    const end = performance.now() + length * 1_000;
    return () => performance.now() >= end;
  };
  await measure(forSeconds(2));
  console.log(`\none tenant's requests, ${RATE} a second, half of them writes`);
  console.log(tableHead);
  for (const attack of attacks().filter(({ name }) => only === undefined || name.includes(only))) {
    await attack.prepare?.(attacker);
    // Anew each time: what else the machine does changes meanwhile.
    console.log(row('nobody attacks', await measure(forSeconds(seconds))));
    const { latencies, statuses } = await during(attack, attacker, seconds, measure);
    const isMet = percentile(latencies, 99) <= NEED_MS;
    console.log(`${row(attack.name, latencies)}  need p99 ≤ ${NEED_MS}  ${verdict(isMet)}  (answered ${statuses})`);
  }
}

/** Strikes again and again for some seconds, and to the end of the last time. */
async function during(
  attack: Attack,
  attacker: Attacker,
  seconds: number,
  measure: (until: () => boolean) => Promise<number[]>,
): Promise<{ readonly latencies: number[]; readonly statuses: string }> {
  let isOver = false;
  const counts = new Map<number, number>();
  const measured = measure(() => isOver);
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    for (const status of await attack.strike(attacker)) counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  isOver = true;
  return {
    latencies: await measured,
    statuses: [...counts].map(([status, count]) => `${count} × ${status}`).join(', '),
  };
}

interface Tenant {
  readonly owner: OwnerClient;
  readonly projectId: string;
}

async function startTenant(owner: OwnerClient, name: string): Promise<Tenant> {
  const { id } = await owner.post<{ id: string }>('projects', { name });
  return { owner, projectId: id };
}

async function startAttacker(origin: string, { owner, projectId }: Tenant): Promise<Attacker> {
  const { key } = await owner.post<{ key: string }>(`projects/${projectId}/agent-keys`, { name: 'Attacker' });
  const imports = `${origin}/blog/api/v1/owner/projects/${projectId}/imports`;
  return {
    async asAgent(method, path, body) {
      const answer = await fetch(`${origin}/blog/api/v1/agent/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
    async import(archive) {
      const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/zip' };
      const answer = await fetch(imports, { method: 'POST', headers, body: Buffer.from(archive) });
      await answer.arrayBuffer();
      return answer.status;
    },
    async isImporting() {
      const { items } = await owner.get<{ items: { status: string }[] }>(`projects/${projectId}/imports`);
      return items.some(({ status }) => status === 'running');
    },
  };
}

/** Latencies in milliseconds of the tenant's requests, which begin evenly, whether those before were answered or not. */
async function measureTenant(origin: string, { owner, projectId }: Tenant, until: () => boolean): Promise<number[]> {
  const blogs = `${origin}/blog/api/v1/owner/projects/${projectId}/blogs`;
  const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ title: 'Small', content: '<p>A small post.</p>' });
  const ask = async (isWrite: boolean) => {
    const askedAt = performance.now();
    const answer = await fetch(`${blogs}?limit=5`, { headers, ...(isWrite && { method: 'POST', body }) });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The tenant that is measured was answered ${answer.status}.`);
    return performance.now() - askedAt;
  };
  const running: Promise<number>[] = [];
  const startedAt = performance.now();
  for (let count = 0; !until(); count += 1) {
    const dueInMs = startedAt + (count * 1_000) / RATE - performance.now();
    if (dueInMs > 0) await new Promise((resolve) => setTimeout(resolve, dueInMs));
    running.push(ask(count % 2 === 0));
  }
  return Promise.all(running);
}
