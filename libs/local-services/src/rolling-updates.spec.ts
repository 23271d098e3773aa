import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const base = join(import.meta.dirname, '../../../k8s/base');
/** What a service may take to stop (SHUTDOWN_TIMEOUT_MS). */
const STOP_S = 15;

describe.each(['content-service', 'public-read-service', 'webhook-dispatcher'])('a rolling update of %s', (service) => {
  const manifest = readFileSync(join(base, `${service}.yaml`), 'utf8');
  const servesS = Number(/preStop: \{ sleep: \{ seconds: (\d+) \} \}/.exec(manifest)?.[1]);

  it('has a new pod ready before an old one goes', () => {
    expect(manifest).toContain('rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }');
    expect(manifest).toContain('readinessProbe:');
  });

  it('lets a pod that goes serve until nobody sends it requests any more', () => {
    expect(servesS).toBeGreaterThanOrEqual(5);
  });

  it('gives a pod time for that and for its graceful stop', () => {
    const graceS = Number(/terminationGracePeriodSeconds: (\d+)/.exec(manifest)?.[1]);
    expect(graceS).toBeGreaterThan(servesS + STOP_S);
  });
});
