import { signIn, type OwnerClient } from '@blog-content/local-services';
import { constants, cpus, loadavg, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fillLargeProject } from '../content/fill-large-project.ts';
import { percentile } from '../percentiles.ts';
import { startChild } from '../processes/child.ts';
import { row, tableHead } from '../publish/table.ts';
import { verdict } from '../read/ratio-table.ts';
import type { TenantJob } from './ask-tenant.main.ts';
import { attacks, type Attack, type Attacker } from './attacks.ts';
import { startStack } from '../processes/start-stack.ts';

export interface BenchWriteOptions {
  /** How long each attack is kept up, in seconds. */
  readonly seconds: number;
  /** Measures only the attacks whose names hold this. */
  readonly only: string | undefined;
}

/** Requests a second of the tenant that is measured: half of them write. */
const RATE = 25;
const NEED_MS = 100;
const LARGE_PROJECT_POSTS = 20_000;

/** Measures how long one tenant's requests take at content-service while another tenant attacks it. */
export async function benchWrite({ seconds, only }: BenchWriteOptions): Promise<void> {
  console.log(
    `write: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ` +
      `load average before ${(loadavg()[0] ?? 0).toFixed(1)}, Node ${process.versions.node}`,
  );
  await using resources = new AsyncDisposableStack();
  const { settings, local } = resources.use(await startStack({ environment: { all: { LOG_LEVEL: 'error' } } }));

  // Straight to the service: the gateway would share this process with the attack.
  const origin = `http://127.0.0.1:${local.services['content-service'].port}`;
  const administrator = await signIn(origin, settings.ownerEmail, settings.ownerPassword);
  const victim = await startTenant(administrator, 'Victim');
  const attackingTenant = await startTenant(await newAccount(origin, administrator), 'Attacker');
  const attacker = await startAttacker(origin, attackingTenant, () =>
    fillLargeProject(attackingTenant.owner, local.databaseUrls['content-service'], LARGE_PROJECT_POSTS),
  );
  const client = startChild(import.meta.resolve('./ask-tenant.main.ts'), undefined);
  resources.defer(() => client.stop());
  // Attackers have machines of their own: what this process does for one is not to slow what is measured.
  setPriority(constants.priority.PRIORITY_LOW);
  const job: TenantJob = {
    blogs: `${origin}/blog/api/v1/owner/projects/${victim.projectId}/blogs`,
    token: victim.owner.token,
    perSecond: RATE,
  };
  /** Latencies in milliseconds of the tenant's requests while something is done. */
  const during = async (work: () => Promise<void>): Promise<number[]> => {
    await client.ask(job);
    await work();
    return client.ask('end');
  };
  await during(() => pause(2_000));
  console.log(`\none tenant's requests, ${RATE} a second, half of them writes`);
  console.log(tableHead);
  for (const attack of attacks().filter(({ name }) => only === undefined || name.includes(only))) {
    await attack.prepare?.(attacker);
    // Measured again each time: the machine's other load changes in between.
    console.log(row('nobody attacks', await during(() => pause(seconds * 1_000))));
    const counts = new Map<number, number>();
    const latencies = await during(() => keepUp(attack, attacker, seconds, counts));
    const isMet = percentile(latencies, 99) <= NEED_MS;
    const statuses = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
    console.log(`${row(attack.name, latencies)}  need p99 ≤ ${NEED_MS}  ${verdict(isMet)}  (answered ${statuses})`);
  }
}

/** Strikes again and again for some seconds, and to the end of the last time. Counts the answers by status. */
async function keepUp(attack: Attack, attacker: Attacker, seconds: number, counts: Map<number, number>): Promise<void> {
  for (const end = performance.now() + seconds * 1_000; performance.now() < end;) {
    for (const status of await attack.strike(attacker)) counts.set(status, (counts.get(status) ?? 0) + 1);
  }
}

interface Tenant {
  readonly owner: OwnerClient;
  readonly projectId: string;
}

/** Somebody else, signed in: accounts take turns. */
async function newAccount(origin: string, administrator: OwnerClient): Promise<OwnerClient> {
  const [email, password] = ['attacker@example.com', 'the attacker has a password too'];
  const { token } = await administrator.post<{ token: string }>('invitations', { email });
  await administrator.post('invitations/accept', { token, password });
  return signIn(origin, email, password);
}

async function startTenant(owner: OwnerClient, name: string): Promise<Tenant> {
  const { id } = await owner.post<{ id: string }>('projects', { name });
  return { owner, projectId: id };
}

async function startAttacker(
  origin: string,
  { owner, projectId }: Tenant,
  makeLargeProject: () => Promise<string>,
): Promise<Attacker> {
  const { key } = await owner.post<{ key: string }>(`projects/${projectId}/agent-keys`, { name: 'Attacker' });
  const imports = `${origin}/blog/api/v1/owner/projects/${projectId}/imports`;
  let largeProject: Promise<string> | undefined;
  return {
    async inLargeProject(method, path, body) {
      const id = await (largeProject ??= makeLargeProject());
      const answer = await fetch(`${origin}/blog/api/v1/owner/projects/${id}/${path}`, {
        method,
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      await answer.arrayBuffer();
      return answer.status;
    },
    async asAgent(method, path, body) {
      const answer = await fetch(`${origin}/blog/api/v1/agent/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
    async upload(bytes) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'image/jpeg' };
      const answer = await fetch(`${origin}/blog/api/v1/agent/images`, {
        method: 'POST',
        headers,
        body: Buffer.from(bytes),
      });
      await answer.arrayBuffer();
      return answer.status;
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
