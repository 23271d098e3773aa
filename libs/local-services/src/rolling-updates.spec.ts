import { serviceNames } from '@blog-content/payload-schemas';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const base = join(import.meta.dirname, '../../../k8s/base');
const shared = readFileSync(join(base, 'kustomization.yaml'), 'utf8');
const secondsOf = (name: string) => Number(new RegExp(`- ${name}=(\\d+)\n`).exec(shared)?.[1]) / 1_000;
/** What a service may take to stop. */
const STOP_S = secondsOf('SHUTDOWN_TIMEOUT_MS');
/** What a check of /readyz may take (`serveAdmin`). */
const CHECK_S = 2;

describe.each(serviceNames)('a rolling update of %s', (service) => {
  const manifest = readFileSync(join(base, `${service}.yaml`), 'utf8');
  const servesS = Number(/preStop: \{ sleep: \{ seconds: (\d+) \} \}/.exec(manifest)?.[1]);

  it('has a new pod ready before an old one goes', () => {
    expect(manifest).toContain('rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }');
    expect(manifest).toContain('readinessProbe:');
  });

  it('waits for an answer to a probe for longer than a check may take: a busy pod is not taken for a dead one', () => {
    const timeoutsS = [...manifest.matchAll(/Probe:\n(?: {12}.*\n)*? {12}timeoutSeconds: (\d+)/g)].map(([, s]) =>
      Number(s),
    );
    expect(timeoutsS).toHaveLength(3);
    for (const timeoutS of timeoutsS) expect(timeoutS).toBeGreaterThan(CHECK_S);
  });

  it('lets a pod that goes serve until nobody sends it requests any more', () => {
    expect(servesS).toBeGreaterThanOrEqual(5);
  });

  it('leaves kept connections open for longer than common clients keep idle ones', () => {
    // undici, which is Node's fetch: 4 s.
    expect(secondsOf('LAST_REQUEST_MS')).toBeGreaterThan(4);
  });

  it('gives a pod time for that and for its graceful stop', () => {
    const graceS = Number(/terminationGracePeriodSeconds: (\d+)/.exec(manifest)?.[1]);
    expect(graceS).toBeGreaterThan(servesS + STOP_S);
  });

  it('does not lose two of its pods together when nodes are drained', () => {
    const [, budget = ''] = manifest.split('kind: PodDisruptionBudget\n');
    expect(budget).toContain('  maxUnavailable: 1\n');
    expect(budget).toContain(`matchLabels: { app.kubernetes.io/name: ${service} }\n`);
  });
});
