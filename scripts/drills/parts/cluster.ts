// A cluster with k8s/overlays/smoke, for drills: what runs there, and load on it from within.
import { forEachService, serviceNames } from '@blog-content/payload-schemas';
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import type { DrillContext } from './drill.ts';

const run = promisify(execFile);
const NAMESPACE = 'blog-content';
/** Of the load: a gateway's, which network policies let in. */
const LOAD_NAMESPACE = 'blog-content-drill';
export const DEPLOYMENTS = [...serviceNames, 'dashboard'];
const MAX_OUTPUT = 64 * 1024 ** 2;

export const kubectl = async (...args: readonly string[]) =>
  (await run('kubectl', args, { maxBuffer: MAX_OUTPUT })).stdout.trim();
export const inNamespace = (...args: readonly string[]) => kubectl('--namespace', NAMESPACE, ...args);

function apply(manifest: object): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn('kubectl', ['apply', '--filename', '-'], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.once('error', reject);
  child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`kubectl apply ended with ${code}.`))));
  child.stdin.end(JSON.stringify(manifest));
  return promise;
}

/** @throws Error that says what to do if there is no cluster with two ready replicas of everything */
export async function requireCluster(): Promise<void> {
  const advice = 'Set up a cluster as in k8s/README.md, with k8s/overlays/smoke, and select it for kubectl.';
  for (const name of DEPLOYMENTS) {
    const ready = await inNamespace('get', 'deployment', name, '--output', 'jsonpath={.status.readyReplicas}').catch(
      (error: { stderr?: string }) => {
        throw new Error(`${advice}\n${error.stderr ?? ''}`, { cause: error });
      },
    );
    if (Number(ready) < 2) throw new Error(`${name} has ${ready || 'no'} ready replicas, not two. ${advice}`);
  }
}

/** What came of a load. */
export interface LoadResult {
  /** What `smoke` printed. */
  readonly output: string;
  readonly succeeded: boolean;
}

/** Starts `smoke --load` in the cluster, and waits until the load itself has begun. */
export async function startLoad(seconds: number, { resources, say }: DrillContext) {
  const deployment = JSON.parse(await inNamespace('get', 'deployment', 'content-service', '--output', 'json')) as {
    spec: { template: { spec: { containers: { image: string; envFrom: { secretRef?: { name: string } }[] }[] } } };
  };
  const [container] = deployment.spec.template.spec.containers;
  const secret = container?.envFrom.flatMap(({ secretRef }) => secretRef?.name ?? [])[0] ?? '';
  const { data } = JSON.parse(await inNamespace('get', 'secret', secret, '--output', 'json')) as {
    data: Readonly<Record<string, string>>;
  };
  const addresses = forEachService((name) => `http://${name}.${NAMESPACE}.svc`);
  const labels = { 'blog-content/gateway': 'true', 'pod-security.kubernetes.io/enforce': 'restricted' };
  await kubectl('delete', 'namespace', LOAD_NAMESPACE, '--ignore-not-found');
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: LOAD_NAMESPACE, labels } });
  resources.defer(async () => {
    await kubectl('delete', 'namespace', LOAD_NAMESPACE, '--wait=false');
  });
  const metadata = { name: 'load', namespace: LOAD_NAMESPACE };
  const owner = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    data: { OWNER_PASSWORD: data['BOOTSTRAP_OWNER_PASSWORD'] },
  };
  await apply(owner);
  const email = Buffer.from(data['BOOTSTRAP_OWNER_EMAIL'] ?? '', 'base64').toString();
  const options = [
    ...Object.entries(addresses).flatMap(([name, address]) => [`--${name}`, address]),
    ...['--email', email, '--load', String(seconds), '--timeout', '120'],
    ...['--receiver', 'http://receiver:8080/hooks/blog', '--secret', 'smoke-test-webhook-secret'],
  ];
  await apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      // Else new pods of the services would displace it on a full node.
      priorityClassName: 'blog-content',
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'load',
          image: container?.image,
          command: ['smoke', ...options],
          envFrom: [{ secretRef: { name: 'load' } }],
          // Else it would be the first to starve on a busy node, and count its own delays as failures.
          resources: { requests: { cpu: '300m', memory: '128Mi' } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        },
      ],
    },
  });
  const inLoad = (...args: readonly string[]) => kubectl('--namespace', LOAD_NAMESPACE, ...args);
  const phase = () => inLoad('get', 'pod', 'load', '--output', 'jsonpath={.status.phase}');
  const output = () => inLoad('logs', 'load').catch(() => '');
  const hasBegun = async () => /^ok .*deliver/m.test(await output()) || /Failed|Succeeded/.test(await phase());
  while (!(await hasBegun())) await sleep(500);
  say(`load for ${seconds} s: 50 reads and 2 publishes a second`);
  return {
    async finished(): Promise<LoadResult> {
      let state = await phase();
      while (!/Failed|Succeeded/.test(state)) {
        await sleep(2_000);
        state = await phase();
      }
      return { output: await output(), succeeded: state === 'Succeeded' };
    },
  };
}

/** Deliveries that the receiver accepted since `since` (RFC 3339): how often each. */
export async function acceptedDeliveries(since: string): Promise<ReadonlyMap<string, number>> {
  const log = await inNamespace('logs', 'deployment/receiver', '--since-time', since);
  const counts = new Map<string, number>();
  for (const line of log.split('\n').filter((one) => one.startsWith('{'))) {
    const { delivery, status } = JSON.parse(line) as { delivery?: string; status: number };
    if (delivery !== undefined && status === 200) counts.set(delivery, (counts.get(delivery) ?? 0) + 1);
  }
  return counts;
}

/** Counts connections to PostgreSQL each second until `stop`, which returns the most at a time. */
export function countConnections() {
  const query = 'SELECT count(*) FROM pg_stat_activity WHERE datname IS NOT NULL AND pid <> pg_backend_pid()';
  const command = `psql -h 127.0.0.1 -U "$POSTGRES_USER" -d postgres -tAc '${query}'`;
  let most = 0;
  let stopped = false;
  const counting = (async () => {
    while (!stopped) {
      const count = await inNamespace('exec', 'postgres-0', '--', 'sh', '-c', command).catch(() => '0');
      most = Math.max(most, Number(count));
      await sleep(1_000);
    }
  })();
  return {
    async stop(): Promise<number> {
      stopped = true;
      await counting;
      return most;
    },
  };
}

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
