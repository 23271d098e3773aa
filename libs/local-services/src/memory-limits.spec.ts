import { serviceNames } from '@blog-content/payload-schemas';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
/** The parts of docker/compose.yml by their first lines: containers, and what several have in common. */
const parts = new Map(
  [...read('docker/compose.yml').matchAll(/^(?:x-| {2})([a-z-]+):.*\n((?:(?: {2}| {4}).*\n)+)/gm)].map(
    ([, name = '', text = '']) => [name, text],
  ),
);

/** The limit of a container of compose, such as `512m`: its own, or that of what it begins with. */
function limitWithCompose(container: string): string | undefined {
  const text = parts.get(container) ?? '';
  const shared = parts.get(/<<: \*(\w+)/.exec(text)?.[1] ?? '') ?? '';
  return (/mem_limit: (\w+)/.exec(text) ?? /mem_limit: (\w+)/.exec(shared))?.[1];
}

/** The limits of a manifest as compose writes them: the init container's comes first. */
const limitsOnKubernetes = (manifest: string) =>
  [...read(manifest).matchAll(/limits: \{ memory: (\d+[MG])i \}/g)].map(([, limit]) => limit?.toLowerCase());

describe('compose', () => {
  it.each([
    ...serviceNames.map((service) => [service, `k8s/base/${service}.yaml`] as const),
    ['dashboard', 'k8s/components/dashboard/dashboard.yaml'] as const,
    ['rebuild-read-model', 'k8s/jobs/rebuild-read-model/cronjob.yaml'] as const,
  ])('gives %s as much memory as Kubernetes does', (container, manifest) => {
    const limit = limitsOnKubernetes(manifest).at(-1);
    expect(limit).toBeDefined();
    expect(limitWithCompose(container)).toBe(limit);
  });

  it.each(serviceNames)('gives the migration of %s as much memory as Kubernetes does', (service) => {
    expect(limitWithCompose(`${service}-migration`)).toBe(limitsOnKubernetes(`k8s/base/${service}.yaml`)[0]);
  });
});
