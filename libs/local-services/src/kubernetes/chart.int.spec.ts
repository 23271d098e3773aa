import { goProgram, hasGoProgram } from '@blog-content/local-infrastructure';
import { serviceNames } from '@blog-content/payload-schemas';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments, stringify } from 'yaml';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const run = promisify(execFile);
const chart = join(import.meta.dirname, '../../../../k8s');
const read = (file: string) => readFileSync(join(chart, file), 'utf8');
/** Helm and Kustomize are built the first time. */
const BUILD_MS = 1_200_000;
const MAX_OUTPUT = 16 * 1024 ** 2;

let helm = '';
let kustomize = '';
let folder = '';

/** What a kustomization makes, by kind and name; ConfigMaps without the hash in their names. */
async function kustomized(kustomization: object): Promise<ReadonlyMap<string, unknown>> {
  writeFileSync(join(folder, 'kustomization.yaml'), stringify(kustomization));
  const { stdout } = await run(kustomize, ['build', folder], { maxBuffer: MAX_OUTPUT });
  const names = manifestsOf(stdout).flatMap(({ kind, metadata }) => (kind === 'ConfigMap' ? [metadata.name] : []));
  const plain = names.reduce((text, name) => text.replaceAll(name, name.replace(/-[a-z0-9]{10}$/, '')), stdout);
  return byName(manifestsOf(plain));
}

async function template(values: object): Promise<string> {
  const file = join(folder, 'values.yaml');
  writeFileSync(file, stringify(values));
  const args = ['template', 'blog-content', chart, '--kube-version', '1.34.0', '--values', file];
  return (await run(helm, args, { maxBuffer: MAX_OUTPUT })).stdout;
}

/** What the chart makes, by kind and name, without the annotation that replaces that hash. */
async function templated(values: object): Promise<ReadonlyMap<string, unknown>> {
  const text = await template(values);
  return byName(manifestsOf(text.replaceAll(/^ {6}annotations:\n {8}checksum\/config: .*\n/gm, '')));
}

const manifestsOf = (text: string) =>
  parseAllDocuments(text).flatMap((document) => (document.toJS({ maxAliasCount: -1 }) as Manifest | null) ?? []);
const byName = (manifests: readonly Manifest[]) =>
  new Map(manifests.map((manifest) => [`${manifest.kind}/${manifest.metadata.name}`, manifest]));

const components = (...names: readonly string[]) => ({
  resources: [relative(folder, join(chart, 'base'))],
  components: names.map((name) => relative(folder, join(chart, 'components', name))),
});
const without = (kind: string) => ({
  patches: [{ target: { kind }, patch: `$patch: delete\nkind: ${kind}\nmetadata: { name: any }\n` }],
});
const patches = (kind: string, name: string, ...operations: readonly object[]) => ({
  patches: [{ target: { kind, name }, patch: stringify(operations) }],
});

/** Values and the kustomization that says the same. */
const variants: readonly (readonly [title: string, values: object, kustomization: () => object])[] = [
  ['its defaults', {}, () => components('dashboard')],
  ['no dashboard', { dashboard: { enabled: false } }, () => components()],
  ['an Ingress', { ingress: { enabled: true } }, () => components('dashboard', 'ingress')],
  [
    'the host and the class of an Ingress',
    { ingress: { enabled: true, className: 'nginx', host: 'a.example', tlsSecret: 'tls', annotations: { a: 'b' } } },
    () => ({
      ...components('dashboard', 'ingress'),
      ...patches(
        'Ingress',
        'blog-content',
        { op: 'replace', path: '/spec/ingressClassName', value: 'nginx' },
        { op: 'replace', path: '/spec/rules/0/host', value: 'a.example' },
        { op: 'replace', path: '/spec/tls', value: [{ hosts: ['a.example'], secretName: 'tls' }] },
        { op: 'add', path: '/metadata/annotations', value: { a: 'b' } },
      ),
    }),
  ],
  ['a gateway', { gateway: { enabled: true } }, () => components('dashboard', 'gateway')],
  [
    'the host and the certificate of a gateway',
    {
      dashboard: { enabled: false },
      gateway: { enabled: true, className: 'c', hostname: 'a.example', tlsSecret: 't' },
    },
    () => ({
      ...components('gateway'),
      ...patches(
        'Gateway',
        'blog-content',
        { op: 'replace', path: '/spec/gatewayClassName', value: 'c' },
        {
          op: 'replace',
          path: '/spec/listeners/0',
          value: {
            name: 'https',
            protocol: 'HTTPS',
            port: 443,
            hostname: 'a.example',
            tls: { mode: 'Terminate', certificateRefs: [{ name: 't' }] },
          },
        },
      ),
    }),
  ],
  ['monitoring', { monitoring: { enabled: true } }, () => components('dashboard', 'monitoring')],
  [
    'labels for Prometheus',
    { monitoring: { enabled: true, labels: { release: 'prometheus' } } },
    () => ({
      ...components('dashboard', 'monitoring'),
      patches: ['PodMonitor', 'PrometheusRule'].map((kind) => ({
        target: { kind },
        patch: stringify([{ op: 'add', path: '/metadata/labels', value: { release: 'prometheus' } }]),
      })),
    }),
  ],
  ['autoscaling by processor time', { autoscaling: { enabled: true } }, () => components('dashboard', 'autoscaling')],
  [
    'autoscaling by lag, with other limits',
    { autoscaling: { enabled: true, byLag: true, services: { 'webhook-dispatcher': { maxReplicas: 9 } } } },
    () => ({
      ...components('dashboard', 'autoscaling', 'autoscaling-by-lag'),
      ...patches('HorizontalPodAutoscaler', 'webhook-dispatcher', {
        op: 'replace',
        path: '/spec/maxReplicas',
        value: 9,
      }),
    }),
  ],
  [
    'no network policies',
    { networkPolicies: { enabled: false } },
    () => ({ ...components('dashboard'), ...without('NetworkPolicy') }),
  ],
  [
    'a database elsewhere',
    { networkPolicies: { egress: { 'services-to-postgres': [{ to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] }] } } },
    () => ({
      ...components('dashboard'),
      ...patches('NetworkPolicy', 'services-to-postgres', {
        op: 'replace',
        path: '/spec/egress',
        value: [{ to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] }],
      }),
    }),
  ],
  [
    'no disruption budgets',
    { podDisruptionBudgets: { enabled: false } },
    () => ({ ...components('dashboard'), ...without('PodDisruptionBudget') }),
  ],
  [
    'a priority class that exists',
    { priorityClass: { create: false } },
    () => ({ ...components('dashboard'), ...without('PriorityClass') }),
  ],
  [
    'images of a registry, one of them with a digest',
    {
      image: { repository: 'registry.example/team', tag: '1.0.0' },
      services: { 'webhook-dispatcher': { image: 'registry.example/wd@sha256:00' } },
    },
    () => ({
      ...components('dashboard'),
      images: [
        ...['content-service', 'public-read-service', 'dashboard'].map((name) => ({
          name: `blog-content/${name}`,
          newName: `registry.example/team/${name}`,
          newTag: '1.0.0',
        })),
        { name: 'blog-content/webhook-dispatcher', newName: 'registry.example/wd', digest: 'sha256:00' },
      ],
    }),
  ],
  [
    'replicas, settings and variables',
    {
      config: { LOG_LEVEL: 'warn', S3_BUCKET: 'images' },
      services: {
        'content-service': { replicas: 3, env: { SMTP_FROM: 'a@example.com' } },
        dashboard: { replicas: 1, resources: { limits: { memory: '1Gi' } } },
      },
    },
    () => ({
      ...components('dashboard'),
      configMapGenerator: [
        { name: 'blog-content', behavior: 'merge', literals: ['LOG_LEVEL=warn', 'S3_BUCKET=images'] },
      ],
      replicas: [
        { name: 'content-service', count: 3 },
        { name: 'dashboard', count: 1 },
      ],
      patches: [
        ...patches('Deployment', 'content-service', {
          op: 'add',
          path: '/spec/template/spec/containers/0/env/-',
          value: { name: 'SMTP_FROM', value: 'a@example.com' },
        }).patches,
        ...patches('Deployment', 'dashboard', {
          op: 'replace',
          path: '/spec/template/spec/containers/0/resources/limits/memory',
          value: '1Gi',
        }).patches,
      ],
    }),
  ],
  [
    'images on a volume, as overlays/local has them',
    { imagesClaim: 'images' },
    () => ({
      ...components('dashboard'),
      configMapGenerator: [
        {
          name: 'blog-content',
          behavior: 'merge',
          literals: ['IMAGE_STORAGE=disk', 'IMAGE_DISK_PATH=/var/lib/blog-content/images'],
        },
      ],
      patches: (parse(read('overlays/local/kustomization.yaml')) as { readonly patches: unknown }).patches,
    }),
  ],
  [
    'settings of all pods',
    { podSpec: { imagePullSecrets: [{ name: 'registry' }], nodeSelector: { pool: 'web' } } },
    () => ({
      ...components('dashboard'),
      patches: [
        ['Deployment', '/spec/template/spec'] as const,
        ['CronJob', '/spec/jobTemplate/spec/template/spec'] as const,
      ].map(([kind, path]) => ({
        target: { kind },
        patch: stringify([
          { op: 'add', path: `${path}/imagePullSecrets`, value: [{ name: 'registry' }] },
          { op: 'add', path: `${path}/nodeSelector`, value: { pool: 'web' } },
        ]),
      })),
    }),
  ],
];

// Where Go is missing it is skipped; in CI it fails.
(hasGoProgram('helm') || process.env['CI'] ? describe : describe.skip)('the Helm chart', () => {
  beforeAll(async () => {
    helm = await goProgram('helm', console.warn);
    kustomize = await goProgram('kustomize', console.warn);
    folder = mkdtempSync(join(tmpdir(), 'blog-content-chart-'));
  }, BUILD_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(variants)('renders the same as kustomize with %s', async (_title, values, kustomization) => {
    const [expected, rendered] = [await kustomized(kustomization()), await templated(values)];
    expect([...rendered.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
    for (const [name, manifest] of expected) expect({ [name]: rendered.get(name) }).toEqual({ [name]: manifest });
  });

  it('takes the names of existing Secrets', async () => {
    const services = Object.fromEntries(
      serviceNames.map((name) => [name, { secret: `my-${name}`, migrationSecret: `my-${name}-owner` }]),
    );
    const text = await template({ services });
    const names = [...text.matchAll(/secretRef:\n +name: (.*)/g)].map(([, name]) => name);
    const expected = serviceNames.flatMap((name) => [`my-${name}`, `my-${name}-owner`]);
    expect([...new Set(names)].toSorted()).toEqual(expected.toSorted());
  });

  it('restarts pods when their settings change', async () => {
    const sums = async (values: object) =>
      new Set([...(await template(values)).matchAll(/checksum\/config: (.*)/g)].map(([, sum]) => sum));
    const [before, after] = [await sums({}), await sums({ config: { LOG_LEVEL: 'warn' } })];
    expect([before.size, after.size, new Set([...before, ...after]).size]).toEqual([1, 1, 2]);
  });

  it('links alerts to the runbooks of your repository', async () => {
    const text = await template({ monitoring: { enabled: true, repository: 'https://git.company.example/blog' } });
    expect(text).toContain('runbook_url: https://git.company.example/blog/');
    expect(text).not.toContain('git.example.com');
  });

  it('takes the values that k8s/README.md shows', async () => {
    const [, example = ''] = /`my-values.yaml`:\n\n```yaml\n(.*?)```/s.exec(read('README.md')) ?? [];
    expect(await template(parse(example) as object)).toContain(
      'image: registry.example.com/blog-content/dashboard:1.0.0',
    );
  });

  it('documents every value in k8s/README.md', () => {
    const values = parse(read('values.yaml')) as object;
    const rows = [...read('README.md').matchAll(/^\| `([a-zA-Z]+)[.`].*\|$/gm)].map(([, name]) => name);
    expect([...new Set(rows)].filter((name) => name !== 'base').toSorted()).toEqual(
      expect.arrayContaining(Object.keys(values).toSorted()),
    );
  });

  it.each([
    ['a misspelt value', { services: { 'content-service': { replica: 3 } } }, "additional properties 'replica'"],
    ['a number as a tag', { image: { tag: 1 } }, 'got number, want string'],
    [
      'an Ingress without what it leads to',
      { ingress: { enabled: true }, dashboard: { enabled: false } },
      '/dashboard',
    ],
    ['a service without its Secret', { services: { 'content-service': { secret: '' } } }, '/services/content-service'],
  ])('refuses %s', async (_what, values, message) => {
    await expect(template(values)).rejects.toThrow(message);
  });

  it('is packed without secrets, from nothing but what it renders', async () => {
    await run(helm, ['package', chart, '--destination', folder]);
    const { stdout } = await run('tar', ['-tzf', join(folder, globSync('*.tgz', { cwd: folder })[0] ?? '')]);
    const folders = stdout
      .trim()
      .split('\n')
      .map((path) => path.split('/').slice(1, 3).join('/'));
    expect(folders.filter((path) => /overlays|secrets|kafka-acls|README/.test(path))).toEqual([]);
    expect(folders).toEqual(expect.arrayContaining(['base/content-service.yaml', 'components/monitoring']));
  });
});
