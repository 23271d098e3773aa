import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';

const root = join(import.meta.dirname, '../../..');
const versionOf = (file: string) => (JSON.parse(readFileSync(join(root, file), 'utf8')) as { version: string }).version;

/** By service: the migrations of the last release, in order, with the SHA-256 of their SQL. */
const released = JSON.parse(readFileSync(join(root, 'docs/released-migrations.json'), 'utf8')) as {
  readonly version: string;
  readonly migrations: Readonly<Record<ServiceName, Readonly<Record<string, string>>>>;
};
const folderOf = (service: ServiceName) => join(root, 'apps', service, 'prisma/migrations');
const migrationsOf = (service: ServiceName) =>
  readdirSync(folderOf(service), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

describe('a release', () => {
  it('has one version: of every package, of the chart, and the newest of CHANGELOG.md', () => {
    const files = ['package.json', ...globSync('{apps,libs}/*/package.json', { cwd: root })];
    const [, newest] = /^## (\d+\.\d+\.\d+)$/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
    expect(Object.fromEntries(files.map((file) => [file, versionOf(file)]))).toEqual(
      Object.fromEntries(files.map((file) => [file, newest])),
    );
    const chart = readFileSync(join(root, 'k8s/Chart.yaml'), 'utf8');
    expect(chart).toContain(`\nversion: ${newest}\nappVersion: ${newest}\n`);
  });

  it.each(serviceNames)(
    'keeps the released migrations of %s as they were: change the schema by a new one',
    (service) => {
      for (const [name, sum] of Object.entries(released.migrations[service])) {
        const file = join(folderOf(service), name, 'migration.sql');
        const now = existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : 'deleted';
        expect({ name, sum: now }).toEqual({ name, sum });
      }
    },
  );

  it.each(serviceNames)('adds migrations of %s behind the released ones', (service) => {
    const before = Object.keys(released.migrations[service]);
    expect(migrationsOf(service).slice(0, before.length)).toEqual(before);
  });
});
