import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureDatabase, migrateDatabase } from '@blog-content/database-migrations';
import { javaCommand, resolveKafkaJars, startKafka, startPostgres } from '@blog-content/local-infrastructure';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import type { TestCertificate } from '@blog-content/testing';
import pg from 'pg';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
export const newPassword = (): string => randomBytes(18).toString('base64url');
export const databaseOf = (service: ServiceName): string => service.replaceAll('-', '_');

/** Runs statements on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A PostgreSQL with the roles and databases of a deployment, migrated. */
export async function startPostgresWithRoles(dataDir: string) {
  const postgres = await startPostgres({ dataDir, databaseUrl: '', settings: { fsync: 'off' }, disposable: true });
  const urlAs = (role: string, password: string, database: string) => {
    const url = new URL(postgres.url(database));
    url.username = role;
    url.password = password;
    return url.href;
  };
  const passwords = new Map<string, string>();
  for (const role of ['migrations', ...serviceNames.map(databaseOf)]) {
    passwords.set(role, newPassword());
    await query(postgres.url('postgres'), `CREATE ROLE ${role} LOGIN PASSWORD '${passwords.get(role)}'`);
  }
  const rights = readFileSync(join(root, 'k8s/overlays/local/postgres/service-rights.psql'), 'utf8');
  const migrationUrl = (database: string) => urlAs('migrations', passwords.get('migrations') ?? '', database);
  for (const service of serviceNames) {
    const database = databaseOf(service);
    await ensureDatabase(postgres.url(database));
    await query(
      postgres.url(database),
      rights.replaceAll(':"service"', database).replaceAll(':"migrations"', 'migrations'),
    );
    const prismaFolder = join(root, 'apps', service, 'prisma');
    await migrateDatabase({ databaseUrl: migrationUrl(database), prismaFolder });
  }
  return {
    ...postgres,
    urlAs,
    migrationUrl,
    serviceUrl: (service: ServiceName) =>
      urlAs(databaseOf(service), passwords.get(databaseOf(service)) ?? '', databaseOf(service)),
  };
}

/** A Kafka that asks for passwords (SCRAM-SHA-512 over TLS), and may be told new ones. */
export async function startKafkaWithPasswords(dataDir: string, certificate: TestCertificate) {
  const users = Object.fromEntries(['admin', ...serviceNames].map((name) => [name, newPassword()]));
  const kafka = await startKafka({
    dataDir,
    brokers: [],
    disposable: true,
    security: { certificate: certificate.certificate, key: certificate.key, users, superUser: 'admin' },
  });
  const authority = join(dataDir, 'authority.pem');
  const properties = join(dataDir, 'admin.properties');
  writeFileSync(authority, certificate.authority);
  writeFileSync(
    properties,
    `security.protocol=SASL_SSL
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="admin" password="${users['admin']}";
ssl.truststore.type=PEM
ssl.truststore.location=${authority}
`,
    { mode: 0o600 },
  );
  const jars = await resolveKafkaJars();
  return {
    ...kafka,
    users,
    /** What `kafka-configs.sh` does. */
    async setPassword(user: string, password: string): Promise<void> {
      await run(javaCommand(), [
        ...['-cp', join(jars, '*'), 'kafka.admin.ConfigCommand'],
        ...['--bootstrap-server', kafka.brokers.join(','), '--command-config', properties],
        ...['--alter', '--add-config', `SCRAM-SHA-512=[password=${password}]`],
        ...['--entity-type', 'users', '--entity-name', user],
      ]);
    },
  };
}
