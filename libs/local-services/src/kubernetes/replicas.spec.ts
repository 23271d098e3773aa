import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import { connectionsDuringUpdate, MAX_CONNECTIONS } from '@blog-content/postgres';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

interface Container {
  readonly name: string;
  readonly args?: readonly string[];
  readonly resources: { readonly requests: { readonly memory: string }; readonly limits: { readonly memory: string } };
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly maxReplicas?: number;
    readonly minReplicas?: number;
    readonly maxUnavailable?: number;
    readonly strategy: { readonly rollingUpdate: { readonly maxSurge: number; readonly maxUnavailable: number } };
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly spec: {
        readonly priorityClassName?: string;
        readonly topologySpreadConstraints?: readonly {
          readonly topologyKey: string;
          readonly labelSelector: { readonly matchLabels: Readonly<Record<string, string>> };
        }[];
        readonly initContainers?: readonly Container[];
        readonly containers: readonly Container[];
      };
    };
  };
}

const k8s = join(import.meta.dirname, '../../../../k8s');
const read = (file: string) => readFileSync(join(k8s, file), 'utf8');
const manifestsOf = (file: string) =>
  parseAllDocuments(read(file)).map((document) => document.toJS({ maxAliasCount: -1 }) as Manifest);
const find = (kind: string, name: string, file: string): Manifest => {
  const found = manifestsOf(file).find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined) throw new Error(`${file} has no ${kind} ${name}.`);
  return found;
};

const files = [
  ...serviceNames.map((name) => [name, `base/${name}.yaml`] as const),
  ['dashboard', 'components/dashboard/dashboard.yaml'] as const,
];

describe.each(files)('%s', (name, file) => {
  const { spec } = find('Deployment', name, file);

  it('has two replicas, whose budget lets one be evicted', () => {
    expect(spec.replicas).toBe(2);
    expect(find('PodDisruptionBudget', name, file).spec).toMatchObject({
      maxUnavailable: 1,
      selector: spec.selector,
    });
  });

  it('spreads them over zones and nodes', () => {
    const constraints = spec.template.spec.topologySpreadConstraints ?? [];
    expect(constraints.map(({ topologyKey }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
    for (const { labelSelector } of constraints) expect(labelSelector).toEqual(spec.selector);
  });

  it('has the priority class of the base', () => {
    const [{ kind, metadata } = { kind: '', metadata: { name: '' } }] = manifestsOf('base/priority-class.yaml');
    expect(kind).toBe('PriorityClass');
    expect(spec.template.spec.priorityClassName).toBe(metadata.name);
  });

  it('requests at least a fifth of the memory that it may use', () => {
    const { initContainers = [], containers } = spec.template.spec;
    for (const { resources } of [...initContainers, ...containers]) {
      expect(mebibytes(resources.limits.memory) / mebibytes(resources.requests.memory)).toBeLessThanOrEqual(5);
    }
  });
});

function mebibytes(quantity: string): number {
  const [, number, unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(number) * { Mi: 1, Gi: 1_024 }[unit as 'Mi' | 'Gi'];
}

describe('connections to PostgreSQL during an update', () => {
  const replicasOf = (count: (service: ServiceName) => number | undefined) =>
    Object.fromEntries(serviceNames.map((service) => [service, count(service) ?? Number.NaN])) as Readonly<
      Record<ServiceName, number>
    >;
  const ofDeployments = replicasOf((service) => find('Deployment', service, `base/${service}.yaml`).spec.replicas);
  const ofAutoscalers = (field: 'minReplicas' | 'maxReplicas') =>
    replicasOf(
      (service) => find('HorizontalPodAutoscaler', service, 'components/autoscaling/autoscalers.yaml').spec[field],
    );

  it.each(serviceNames)('count one pod of %s more than its replicas at most, besides those that stop', (service) => {
    const { rollingUpdate } = find('Deployment', service, `base/${service}.yaml`).spec.strategy;
    expect(rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
  });

  it('fit PostgreSQL’s limit in the local overlay and in compose', () => {
    const needed = connectionsDuringUpdate(ofDeployments);
    const [postgres] = find('StatefulSet', 'postgres', 'overlays/local/postgres.yaml').spec.template.spec.containers;
    const limits = [postgres?.args?.join(' ') ?? '', read('../docker/compose.yml')].map((text) =>
      Number(/max_connections=(\d+)/.exec(text)?.[1]),
    );
    expect(limits).toEqual([MAX_CONNECTIONS.ours, MAX_CONNECTIONS.ours]);
    expect(needed).toBeLessThanOrEqual(MAX_CONNECTIONS.ours);
    expect(read('README.md')).toContain(`need up to ${needed} connections`);
  });

  it('fit the limit that is documented for autoscaling', () => {
    expect(ofAutoscalers('minReplicas')).toEqual(ofDeployments);
    const needed = connectionsDuringUpdate(ofAutoscalers('maxReplicas'));
    const documented = Number(
      /`max_connections` of (\d+)/.exec(read('components/autoscaling/kustomization.yaml'))?.[1],
    );
    expect(needed).toBeLessThanOrEqual(documented);
    expect(read('README.md')).toContain(`\`max_connections=${documented}\``);
  });
});
