import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { createLocalSettings, signIn, startLocalServices, whenProjectIsKnown } from '@blog-content/local-services';
import { serviceNames, type Publish, type ServiceName } from '@blog-content/payload-schemas';
import { createTestCertificate, eventually, startMailServer, startReceiver } from '@blog-content/testing';
import { Kafka, logLevel } from 'kafkajs';
import { deployedAcls } from '../../apps/end-to-end/src/kafka-acls.ts';
import type { Drill, DrillContext } from './parts/drill.ts';
import { createSecretFiles } from './parts/secret-files.ts';
import { startS3WithKeys } from './parts/s3-keys.ts';
import {
  databaseOf,
  newPassword,
  query,
  startKafkaWithPasswords,
  startPostgresWithRoles,
} from './parts/secured-servers.ts';
import { startPublishing } from './parts/steady-publishing.ts';

const run = promisify(execFile);
const WAIT = { timeoutMs: 120_000 };

async function rotateSecrets({ folder, resources, say, check }: DrillContext): Promise<void> {
  say('Starting PostgreSQL, Kafka with SASL, S3 and a mail server');
  const certificate = await createTestCertificate();
  const postgres = await startPostgresWithRoles(join(folder, 'postgres'));
  resources.defer(() => postgres.stop());
  const kafka = await startKafkaWithPasswords(join(folder, 'kafka'), certificate);
  resources.defer(() => kafka.stop());
  const s3 = await startS3WithKeys(join(folder, 's3'));
  resources.defer(() => s3.stop());
  const login = { user: 'blog', password: newPassword() };
  const mail = resources.use(await startMailServer({ certificate, login }));
  const receiver = await startReceiver();
  resources.defer(() => receiver.close());
  const client = (username: string, password: string) =>
    new Kafka({
      brokers: kafka.brokers,
      logLevel: logLevel.NOTHING,
      ssl: { ca: certificate.authority },
      sasl: { mechanism: 'scram-sha-512', username, password },
      retry: { retries: 0 },
    }).admin();
  const admin = client('admin', kafka.users['admin'] ?? '');
  await admin.connect();
  await admin.createAcls({ acl: await deployedAcls() });
  await admin.disconnect();

  say('Starting the services, with their secrets in files');
  const settings = await createLocalSettings();
  const files = createSecretFiles(join(folder, 'secrets'));
  const smtpUrl = () => `smtp://${login.user}:${login.password}@localhost:${mail.port}`;
  const key = await s3.createKey();
  for (const service of serviceNames) {
    files.set(service, 'DATABASE_URL', postgres.serviceUrl(service));
    files.set(service, 'KAFKA_SASL_PASSWORD', kafka.users[service] ?? '');
    files.set(service, 'ENCRYPTION_KEYS', settings.encryptionKeys);
    files.set(service, 'OWNER_SESSION_JWKS', settings.ownerSessionJwks);
  }
  for (const service of ['content-service', 'public-read-service'] as const) {
    files.set(service, 'S3_ACCESS_KEY_ID', key.id);
    files.set(service, 'S3_SECRET_ACCESS_KEY', key.secret);
  }
  files.set('content-service', 'OWNER_SESSION_PRIVATE_JWK', settings.ownerSessionPrivateJwk);
  files.set('content-service', 'SMTP_URL', smtpUrl());
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, certificate.authority);
  const environment = files.environment();
  const images = { IMAGE_STORAGE: 's3', S3_ENDPOINT: s3.endpoint, S3_BUCKET: s3.bucket, S3_FORCE_PATH_STYLE: 'true' };
  for (const service of serviceNames) {
    Object.assign(environment[service], {
      KAFKA_SSL_CA: authority,
      KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
      KAFKA_SASL_USERNAME: service,
      ...(service !== 'webhook-dispatcher' && images),
    });
  }
  Object.assign(environment['content-service'], {
    SMTP_FROM: 'blog@blog.example',
    DASHBOARD_URL: 'https://blog.example',
    NODE_EXTRA_CA_CERTS: authority,
  });
  const local = await startLocalServices({
    databaseUrl: (database) => postgres.migrationUrl(database),
    kafkaBrokers: kafka.brokers,
    settings,
    logFolder: join(folder, 'logs'),
    imageFolder: join(folder, 'images'),
    environment,
  });
  resources.defer(() => local.stop());
  let restarts = 0;
  const restart = async (...services: readonly ServiceName[]) => {
    for (const service of services) {
      await local.services[service].stop();
      await local.services[service].start();
      restarts += 1;
    }
  };

  let owner = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  const { id: projectId } = await owner.post<{ id: string }>('projects', { name: 'Drill', site_url: null });
  const webhook = { url: receiver.url, secret: newPassword(), headers: { 'X-Drill': newPassword() } };
  await whenProjectIsKnown(() => owner.post(`projects/${projectId}/webhooks`, webhook));
  receiver.useSecret(webhook.secret);
  const { public_key: publicKey } = await whenProjectIsKnown(() =>
    owner.post<{ public_key: string }>(`projects/${projectId}/public-key`),
  );
  const publishing = startPublishing({ origin: () => local.origin, projectId, token: () => owner.token, everyMs: 300 });
  const rotate = async (args: readonly string[], env: Record<string, string>) => {
    const program = join(import.meta.dirname, '../../libs/operator-commands/src/rotate.main.ts');
    const options = ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning'];
    return (await run(process.execPath, [...options, program, ...args], { env })).stdout;
  };

  say('Encryption keys: new key behind, then in front, then re-encrypt, then alone');
  const k2 = `k2:${randomBytes(32).toString('base64')}`;
  for (const keys of [`${settings.encryptionKeys},${k2}`, `${k2},${settings.encryptionKeys}`]) {
    for (const service of serviceNames) files.set(service, 'ENCRYPTION_KEYS', keys);
    await restart(...serviceNames);
  }
  for (const service of serviceNames) {
    const stdout = await rotate(['encryption-key'], {
      DATABASE_URL: postgres.serviceUrl(service),
      ENCRYPTION_KEYS: `${k2},${settings.encryptionKeys}`,
    });
    check(`${service}: the old key may go`, stdout.includes('local may go: 0 values need it'));
    const left = await textsWith(postgres.url(databaseOf(service)), 'v1.local.');
    check(`${service}: no row of any table has a text of the old key`, left === 0);
    files.set(service, 'ENCRYPTION_KEYS', k2);
  }
  await restart(...serviceNames);

  say('Session key: three deployments');
  await rotate(['session-key', join(folder, 'session')], {
    OWNER_SESSION_PRIVATE_JWK: settings.ownerSessionPrivateJwk,
  });
  const step = (file: string, name: string) =>
    parseEnv(readFileSync(join(folder, 'session', file), 'utf8'))[name] ?? '';
  const statusesOf = async (token: string) => {
    const statuses = await Promise.all(
      ['session', `projects/${projectId}/public-key`, `projects/${projectId}/webhooks`].map(
        async (path) =>
          (await fetch(`${local.origin}/blog/api/v1/owner/${path}`, { headers: { authorization: `Bearer ${token}` } }))
            .status,
      ),
    );
    return statuses.join();
  };
  const oldToken = owner.token;
  for (const service of serviceNames) {
    files.set(service, 'OWNER_SESSION_JWKS', step('1-accept-both.env', 'OWNER_SESSION_JWKS'));
  }
  await restart(...serviceNames);
  files.set('content-service', 'OWNER_SESSION_PRIVATE_JWK', step('2-sign-with-new.env', 'OWNER_SESSION_PRIVATE_JWK'));
  await restart('content-service');
  check('the old session works in every service', (await statusesOf(oldToken)) === '200,200,200');
  owner = await owner.renew();
  check('a new session works in every service', (await statusesOf(owner.token)) === '200,200,200');
  for (const service of serviceNames) {
    files.set(service, 'OWNER_SESSION_JWKS', step('3-refuse-old.env', 'OWNER_SESSION_JWKS'));
  }
  await restart(...serviceNames);
  check('then every service refuses the old one', (await statusesOf(oldToken)) === '401,401,401');
  check('and the new one works', (await statusesOf(owner.token)) === '200,200,200');

  say('Database passwords: a second role, then the first one is closed');
  for (const service of serviceNames) {
    const role = databaseOf(service);
    const old = postgres.serviceUrl(service);
    const password = newPassword();
    await query(postgres.url('postgres'), `CREATE ROLE ${role}_2 LOGIN PASSWORD '${password}' IN ROLE ${role}`);
    files.set(service, 'DATABASE_URL', postgres.urlAs(`${role}_2`, password, role));
    await restart(service);
    await query(postgres.url('postgres'), `ALTER ROLE ${role} NOLOGIN PASSWORD NULL`);
    const [sessions] = await query<{ count: number }>(
      postgres.url('postgres'),
      `SELECT count(*)::integer FROM pg_stat_activity WHERE usename = '${role}'`,
    );
    check(`${service}: no session has the old role`, sessions?.count === 0);
    const refused = await query(old, 'SELECT 1').then(
      () => false,
      () => true,
    );
    check(`${service}: the old password is refused`, refused);
  }

  say('Kafka passwords');
  for (const service of serviceNames) {
    const password = newPassword();
    await kafka.setPassword(service, password);
    files.set(service, 'KAFKA_SASL_PASSWORD', password);
    await restart(service);
    const connection = client(service, kafka.users[service] ?? '');
    const refused = await connection.connect().then(
      () => false,
      () => true,
    );
    await connection.disconnect();
    check(`${service}: the old password is refused`, refused);
  }

  say('S3 keys: a second key, then the first one is deleted');
  const second = await s3.createKey();
  for (const service of ['content-service', 'public-read-service'] as const) {
    files.set(service, 'S3_ACCESS_KEY_ID', second.id);
    files.set(service, 'S3_SECRET_ACCESS_KEY', second.secret);
    await restart(service);
  }
  await s3.deleteKey(key.id);
  const image = await owner.upload<{ url: string }>(`projects/${projectId}/images?alt=Drill`, PIXEL, 'image/png');
  const served = await fetch(image.url);
  check('an image is stored and served with the new key', served.status === 200);

  say('SMTP password: the server’s first; what fails until the restart is sent again');
  login.password = newPassword();
  const address = (name: string) => `${name}@people.example`;
  await owner.post('invitations', { email: address('between') });
  files.set('content-service', 'SMTP_URL', smtpUrl());
  await restart('content-service');
  await owner.post('invitations', { email: address('after') });
  await eventually(() => {
    for (const name of ['between', 'after']) {
      if (mail.to(address(name)).length === 0) throw new Error(`No email for ${name} yet`);
    }
  }, WAIT);
  check(
    'each email came once',
    ['between', 'after'].every((name) => mail.to(address(name)).length === 1),
  );

  say('Ending the load');
  await publishing.stop();
  const { accepted, repeated } = publishing;
  await eventually(async () => {
    const missing = accepted.filter((id) => deliveriesOf(id) === 0).length;
    if (missing > 0) throw new Error(`${missing} deliveries are missing`);
    const publishes = await Promise.all(
      accepted.slice(-20).map((id) => owner.get<{ items: Publish[] }>(`projects/${projectId}/blogs/${id}/publishes`)),
    );
    if (publishes.some(({ items }) => items[0]?.status !== 'succeeded'))
      throw new Error('A publish is not recorded yet');
  }, WAIT);
  const doubled = accepted.filter((id) => deliveriesOf(id) > 1).length;
  const unsigned = receiver.requests.filter(({ signature }) => signature !== 'valid').length;
  say(`${accepted.length} publishes, ${restarts} restarts, ${repeated()} requests repeated during them`);
  check('each publish was delivered exactly once, signed', doubled === 0 && unsigned === 0 && accepted.length > 0);
  const listed = await fetch(`${local.origin}/blog/api/v1/public/blogs?limit=1`, {
    headers: { authorization: `Bearer ${publicKey}` },
  });
  check('the public API serves all of them', ((await listed.json()) as { total: number }).total === accepted.length);

  function deliveriesOf(blogId: string): number {
    return receiver.requests.filter((request) => request.json()['blog_id'] === blogId).length;
  }
}

/** How many rows of all tables have a text with it, in whatever column. */
async function textsWith(url: string, text: string): Promise<number> {
  const tables = await query<{ name: string }>(
    url,
    `SELECT format('%I', relname) AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  let sum = 0;
  for (const { name } of tables) {
    const [row] = await query<{ count: number }>(
      url,
      `SELECT count(*)::integer FROM ${name} WHERE position('${text}' IN ${name}::text) > 0`,
    );
    sum += row?.count ?? 0;
  }
  return sum;
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNQaHAAAAGkAOGt06eBAAAAAElFTkSuQmCC',
  'base64',
);

export const drill: Drill = {
  summary: 'rotates every secret while posts are published: keys, and passwords of PostgreSQL, Kafka, S3 and SMTP',
  run: rotateSecrets,
};
