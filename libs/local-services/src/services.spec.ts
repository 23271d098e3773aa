import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceOfRoute } from './service-for-path.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const databaseOf = (service: ServiceName) => service.replaceAll('-', '_');

/** What each file beside a service’s own folder says of it; regular expressions are asked of single lines. */
const places: readonly [file: string, what: string, mention: (service: ServiceName) => string][] = [
  ['tsconfig.json', 'a project reference', (service) => `"path": "./apps/${service}"`],
  ['README.md', 'its line in “Where things are”', (service) => `${service}   `],
  ['apps/dashboard/package.json', 'an implicit dependency', (service) => `"${service}"`],
  ['docs/ARCHITECTURE.md', 'the overview', (service) => `\n| [${service}](../apps/${service}/README.md) | `],
  ['docs/ARCHITECTURE.md', 'its code', (service) => `\n| \`apps/${service}/src\` | `],
  ['docs/ARCHITECTURE.md', 'its metrics', (service) => `\n| ${service} | \``],
  ['docs/kafka-security.md', 'its rights', (service) => `\n| \`${service}\` | `],
  [
    'libs/payload-schemas/src/documents/limits.md',
    'its connections',
    (service) => `${service} {CONNECTIONS_OF_REPLICA.${service}}`,
  ],
  ['docker/README.md', 'its address', (service) => `\n| ${service} `],
  ['docker/README.md', 'its option of the smoke test', (service) => `  --${service} http://127.0.0.1:`],
  ['k8s/README.md', 'its option of the smoke test', (service) => `  --${service} http://127.0.0.1:`],
  ['k8s/README.md', 'its port', (service) => ` port-forward service/${service} `],
  ['docs/operations.md', 'what its database holds', (service) => `\n| database \`${databaseOf(service)}\` | `],
  ['docs/operations.md', 'its migration’s log', (service) => ` ${service}-migration`],
  ['knip.json', 'its entries', (service) => `"apps/${service}": {`],
  ['apps/end-to-end/package.json', 'an implicit dependency', (service) => `"${service}"`],
  ['libs/postgres/src/connection-budget.ts', 'the connections of a replica', (service) => `'${service}': `],
  ['libs/operator-commands/src/smoke.main.ts', 'its option in the usage', (service) => `--${service} <url>`],
  ['docker/compose.yml', 'its container', (service) => `\n  ${service}:\n    <<: *service\n`],
  ['docker/compose.yml', 'its migration', (service) => `\n  ${service}-migration:\n    <<: *migration\n`],
  ['docker/compose.yml', 'the end of its migration', (service) => `      ${service}-migration: { condition: `],
  ['docker/compose.smoke.yml', 'a port of its own', (service) => `\n  ${service}:\n    ports: !override`],
  ['k8s/base/kustomization.yaml', 'its manifest', (service) => `\n  - ${service}.yaml\n`],
  ['k8s/components/kafka-acls/kafka-users.yaml', 'its rights', (service) => `\n  name: ${service}\n`],
  ['k8s/overlays/local/kustomization.yaml', 'its secrets', (service) => `[secrets/${service}.env]`],
  ['k8s/overlays/local/kustomization.yaml', 'its migration’s', (service) => `[secrets/${service}-migration.env]`],
  [
    'k8s/overlays/local/postgres/create-databases.sql',
    'its role and database',
    (service) =>
      `\\set service ${databaseOf(service)}\n\\getenv password ${databaseOf(service).toUpperCase()}_PASSWORD\n`,
  ],
];

const VALUES = /values: \[(.*)\]/g;

describe.each(serviceNames)('%s', (service) => {
  it.each(places)('is named in %s: %s', (file, _what, mention) => {
    expect(read(file)).toContain(mention(service));
  });

  it.each([
    ['k8s/base/network-policies.yaml', VALUES],
    ['k8s/overlays/local/network-policies.yaml', VALUES],
    ['k8s/components/dashboard/network-policies.yaml', VALUES],
    ['k8s/components/monitoring/pod-monitor.yaml', VALUES],
    ['k8s/README.md', /for service in (.*); do/g],
    ['docker/compose.yml', /depends_on: \[(.*)\]/g],
    ['docs/operations.md', /for service in (.*); do/g],
    ['docs/operations.md', /docker compose start (.*) dashboard/g],
  ])('is named in every list of services in %s', (file, pattern) => {
    const lists = [...read(file).matchAll(pattern)].map(([, list = '']) => list.split(/,? /));
    expect(lists.length).toBeGreaterThan(0);
    for (const list of lists) expect(list).toContain(service);
  });

  it('is stopped, backed up and restored by docs/operations.md', () => {
    const listsOf = (pattern: RegExp) =>
      [...read('docs/operations.md').matchAll(pattern)].map(([, list = '']) => list.split(' '));
    expect(listsOf(/docker compose stop (.*)/g).flat()).toContain(service);
    expect(listsOf(/kubectl .* scale (.*) --replicas=0/g).flat()).toContain(`deployment/${service}`);
    const awaited = read('docs/operations.md').match(/kubectl .* wait --for=delete pod .*/g) ?? [];
    expect(awaited.join()).toContain(service);
    const copied = listsOf(/for database in (.*); do\n.* pg_(?:dump|restore) /g);
    expect(copied.map((databases) => databases.includes(databaseOf(service)))).toEqual([true, true, true, true]);
  });

  it('has the topics of its ACLs in its row of docs/kafka-security.md', () => {
    const users = read('k8s/components/kafka-acls/kafka-users.yaml').split('\n---\n');
    const acls = users.find((user) => user.includes(`\n  name: ${service}\n`)) ?? '';
    const topics = [...acls.matchAll(/name: (blog\.[\w.]+), patternType: literal/g)].map(([, topic = '']) => topic);
    const row = read('docs/kafka-security.md').match(new RegExp(`^\\| \`${service}\` \\|.*`, 'm'))?.[0] ?? '';
    expect([...row.matchAll(/`(blog\.[\w.]+)`/g)].map(([, topic = '']) => topic).sort()).toEqual(topics.sort());
  });

  it('has a spec that compares its connections with the budget of libs/postgres', () => {
    const folder = join(root, 'apps', service, 'src');
    const specs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.spec.ts'),
    );
    const compared = `CONNECTIONS_OF_REPLICA['${service}']`;
    expect(specs.some((file) => readFileSync(join(folder, file), 'utf8').includes(compared))).toBe(true);
  });

  it.each([
    `apps/${service}/README.md`,
    `apps/${service}/prisma/schema.prisma`,
    `apps/${service}/src/main.ts`,
    `apps/${service}/src/migrate.ts`,
    `k8s/base/${service}.yaml`,
  ])('has %s', (file) => {
    expect(existsSync(join(root, file))).toBe(true);
  });
});

const routed = serviceNames.filter((name) => [...serviceOfRoute.values()].includes(name));

describe.each(routed)('%s, with routes', (service) => {
  const variable = databaseOf(service).toUpperCase();

  it('is known to the dashboard’s proxy on Kubernetes, where Services have port 80', () => {
    const manifest = read('k8s/components/dashboard/dashboard.yaml');
    expect(manifest).toContain(`- { name: ${variable}, value: '${service}:80' }`);
  });

  it('has the variable of its address in docker/README.md, and its paths in docs/ARCHITECTURE.md', () => {
    expect(read('docker/README.md')).toContain(`\`${variable}\``);
    expect(read('docs/ARCHITECTURE.md')).toMatch(new RegExp(`^\\| \`/.* \\| ${service} \\| `, 'm'));
  });
});

it('Services are the apps that have the tag type:app, and each has its own scope', () => {
  const tags = readdirSync(join(root, 'apps')).map((app) => {
    const manifest = JSON.parse(read(`apps/${app}/package.json`)) as { nx: { tags: string[] } };
    return [app, manifest.nx.tags] as const;
  });
  expect(tags.filter(([, [type]]) => type === 'type:app')).toEqual(
    serviceNames.toSorted().map((service) => [service, ['type:app', `scope:${service}`]]),
  );
});
