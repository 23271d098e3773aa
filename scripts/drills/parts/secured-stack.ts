import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalSettings, signIn, startLocalServices, whenProjectIsKnown } from '@blog-content/local-services';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import { createTestCertificate, startMailServer, startReceiver } from '@blog-content/testing';
import { Kafka, logLevel } from 'kafkajs';
import { deployedAcls } from '../../../apps/end-to-end/src/kafka-acls.ts';
import type { DrillContext } from './drill.ts';
import { createSecretFiles } from './secret-files.ts';
import { newPassword, startKafkaWithPasswords, startPostgresWithRoles } from './secured-servers.ts';
import { startS3WithKeys } from './s3-keys.ts';

export type SecuredStack = Awaited<ReturnType<typeof startSecuredStack>>;

/** The services that have images. */
export const WITH_IMAGES = ['content-service', 'public-read-service'] as const satisfies readonly ServiceName[];

/**
 * All services on servers that ask for passwords, with their secrets in files, and a project with a webhook. Ends with
 * the drill.
 */
export async function startSecuredStack({ folder, resources, say }: DrillContext) {
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
  const secret = newPassword();
  const receiver = await startReceiver({ secret });
  resources.defer(() => receiver.close());
  const kafkaAdmin = (username: string, password: string) =>
    new Kafka({
      brokers: kafka.brokers,
      logLevel: logLevel.NOTHING,
      ssl: { ca: certificate.authority },
      sasl: { mechanism: 'scram-sha-512', username, password },
      retry: { retries: 0 },
    }).admin();
  const admin = kafkaAdmin('admin', kafka.users['admin'] ?? '');
  await admin.connect();
  await admin.createAcls({ acl: await deployedAcls() });
  await admin.disconnect();

  say('Starting the services, with their secrets in files');
  const settings = await createLocalSettings();
  const files = createSecretFiles(join(folder, 'secrets'));
  const smtpUrl = () => `smtp://${login.user}:${login.password}@localhost:${mail.port}`;
  const s3Key = await s3.createKey();
  for (const service of serviceNames) {
    files.set(service, 'DATABASE_URL', postgres.serviceUrl(service));
    files.set(service, 'KAFKA_SASL_PASSWORD', kafka.users[service] ?? '');
    files.set(service, 'ENCRYPTION_KEYS', settings.encryptionKeys);
    files.set(service, 'OWNER_SESSION_JWKS', settings.ownerSessionJwks);
  }
  for (const service of WITH_IMAGES) {
    files.set(service, 'S3_ACCESS_KEY_ID', s3Key.id);
    files.set(service, 'S3_SECRET_ACCESS_KEY', s3Key.secret);
  }
  files.set('content-service', 'OWNER_SESSION_PRIVATE_JWK', settings.ownerSessionPrivateJwk);
  files.set('content-service', 'SMTP_URL', smtpUrl());
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, certificate.authority);
  const environment = files.environment();
  for (const service of serviceNames) {
    Object.assign(environment[service], {
      KAFKA_SSL_CA: authority,
      KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
      KAFKA_SASL_USERNAME: service,
    });
  }
  const images = { IMAGE_STORAGE: 's3', S3_ENDPOINT: s3.endpoint, S3_BUCKET: s3.bucket, S3_FORCE_PATH_STYLE: 'true' };
  for (const service of WITH_IMAGES) Object.assign(environment[service], images);
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

  let owner = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  const { id: projectId } = await owner.post<{ id: string }>('projects', { name: 'Drill', site_url: null });
  const webhook = { url: receiver.url, secret, headers: { 'X-Drill': newPassword() } };
  await whenProjectIsKnown(() => owner.post(`projects/${projectId}/webhooks`, webhook));
  const { public_key: publicKey } = await whenProjectIsKnown(() =>
    owner.post<{ public_key: string }>(`projects/${projectId}/public-key`),
  );
  let restarts = 0;
  return {
    ...{ postgres, kafka, kafkaAdmin, s3, s3Key, mail, login, smtpUrl, receiver, settings, files },
    ...{ origin: local.origin, projectId, publicKey },
    owner: () => owner,
    /** A new token of the owner's session. */
    renewSession: async (): Promise<void> => {
      owner = await owner.renew();
    },
    /** Has services read their files again, one after the other. */
    restart: async (...services: readonly ServiceName[]): Promise<void> => {
      for (const service of services) {
        await local.services[service].stop();
        await local.services[service].start();
        restarts += 1;
      }
    },
    restarts: () => restarts,
  };
}
