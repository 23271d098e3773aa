import { serviceNames } from '@blog-content/payload-schemas';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
const containers = (
  parse(read('docker/compose.yml'), { merge: true }) as {
    readonly services: Readonly<Record<string, { readonly mem_limit: string }>>;
  }
).services;

/** The limits of a manifest as compose writes them: the init container's comes first. */
const limitsOnKubernetes = (manifest: string) =>
  [...read(manifest).matchAll(/limits: \{ memory: (\d+[MG])i \}/g)].map(([, limit]) => limit?.toLowerCase());

describe('compose', () => {
  it.each([
    ...serviceNames.map((service) => [service, `k8s/base/${service}.yaml`] as const),
    ['dashboard', 'k8s/components/dashboard/dashboard.yaml'] as const,
    ['postgres', 'k8s/overlays/local/postgres.yaml'] as const,
    ['kafka', 'k8s/overlays/local/kafka.yaml'] as const,
    ['rebuild-read-model', 'k8s/jobs/rebuild-read-model/cronjob.yaml'] as const,
  ])('gives %s as much memory as Kubernetes does', (container, manifest) => {
    const limit = limitsOnKubernetes(manifest).at(-1);
    expect(limit).toBeDefined();
    expect(containers[container]?.mem_limit).toBe(limit);
  });

  it.each(serviceNames)('gives the migration of %s as much memory as Kubernetes does', (service) => {
    expect(containers[`${service}-migration`]?.mem_limit).toBe(limitsOnKubernetes(`k8s/base/${service}.yaml`)[0]);
  });
});
