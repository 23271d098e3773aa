import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, kafkaAvailability, startKafka, type RunningKafka } from '@blog-content/local-infrastructure';
import { serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import { createTestCertificate, eventually, startReceiver, type Receiver } from '@blog-content/testing';
import { Kafka, logLevel } from 'kafkajs';
import { deployedAcls } from './kafka-acls.ts';
import { createProject, publishThroughAll } from './project.ts';
import { startStack, type Stack } from './stack.ts';

const START_TIMEOUT_MS = 240_000;
const ADMIN = 'admin';

// Without Java this is skipped, loudly; in CI it fails.
const kafkaFound = await kafkaAvailability('java');
if (!kafkaFound.available) console.warn(`NOT TESTED without Kafka on Java: ${kafkaFound.reason}`);
const describeWithKafka = kafkaFound.available || process.env['CI'] ? describe : describe.skip;

describeWithKafka('Kafka with TLS, SCRAM and the ACLs of k8s/components/kafka-acls', () => {
  let kafka: RunningKafka;
  let receiver: Receiver;
  let stack: Stack;
  let authority: string;
  const passwords = Object.fromEntries(
    [ADMIN, ...serviceNames].map((name) => [name, randomBytes(16).toString('base64url')]),
  );

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'blog-content-e2e-'));
    const made = await createTestCertificate();
    authority = made.authority;
    const port = await freePort();
    [kafka, receiver] = await Promise.all([
      startKafka({
        dataDir: join(folder, 'kafka'),
        port,
        brokers: [],
        disposable: true,
        security: { certificate: made.certificate, key: made.key, users: passwords, superUser: ADMIN },
      }),
      startReceiver(),
    ]);
    const admin = clientOf(ADMIN).admin();
    await admin.connect();
    await admin.createAcls({ acl: await deployedAcls() });
    await admin.disconnect();
    stack = await startStack({
      kafkaBrokers: kafka.brokers,
      environment: Object.fromEntries(serviceNames.map((name) => [name, kafkaSettingsOf(name)])),
    });
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await stack?.[Symbol.asyncDispose]();
    await receiver?.close();
    await kafka?.stop();
  });

  const kafkaSettingsOf = (name: ServiceName) => ({
    KAFKA_SSL_CA: authority,
    KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
    KAFKA_SASL_USERNAME: name,
    KAFKA_SASL_PASSWORD: passwords[name] ?? '',
  });
  const clientOf = (username: string) =>
    new Kafka({
      brokers: kafka.brokers,
      clientId: 'test',
      logLevel: logLevel.NOTHING,
      ssl: { ca: authority },
      sasl: { mechanism: 'scram-sha-512', username, password: passwords[username] ?? '' },
      retry: { retries: 3 },
    });
  const logOf = (name: ServiceName) => readFile(stack.local.services[name].logFile, 'utf8');

  it(
    'each service does its work with exactly its own',
    async () => {
      const project = await createProject(stack.owner, { siteUrl: null, receiverUrls: [receiver.url] });
      await publishThroughAll(stack.owner, project.id, 'a');
      for (const name of serviceNames) expect(await logOf(name)).not.toMatch(/not authorized/i);
    },
    START_TIMEOUT_MS,
  );

  it.each(['blog.projects', 'blog.lifecycle', 'blog.sessions', 'blog.autopilot'])(
    'nobody but content-service may write %s',
    async (topic) => {
      for (const name of serviceNames.filter((service) => service !== 'content-service')) {
        const producer = clientOf(name).producer();
        await producer.connect();
        const forged = { event: 'project.saved', project_id: randomUUID(), project_event_number: 1, members: [] };
        const sent = producer.send({ topic, messages: [{ key: 'k', value: JSON.stringify(forged) }] });
        await expect(sent).rejects.toThrow(/not authorized/i);
        await producer.disconnect();
      }
    },
  );

  it('a wrong password is an error that says so, without the password', async () => {
    const replica = await stack.local.startReplica('webhook-dispatcher', { KAFKA_SASL_PASSWORD: 'wrong-password-1' });
    const lines = await eventually(async () => {
      const log = await readFile(replica.logFile, 'utf8');
      expect(log).toMatch(/invalid credentials with SASL mechanism SCRAM-SHA-512/i);
      return log;
    });
    expect(lines).not.toContain('wrong-password-1');
    for (const name of serviceNames) {
      for (const password of Object.values(passwords)) expect(await logOf(name)).not.toContain(password);
    }
  });
});
