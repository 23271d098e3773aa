import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { javaCommand } from './kafka-availability.ts';
import { resolveKafkaJars } from './kafka-jars.ts';
import { handBack, takeOver } from '../postgres/take-over.ts';
import { pingKafka } from './ping-kafka.ts';
import { startServerProcess, untilReady, type ServerProcess } from '../server-process.ts';
import { packageRoot } from '../workspace-root.ts';
import {
  kafkaJvmOptions,
  kafkaSettings,
  kafkaStartTimeoutMs,
  type KafkaBackend,
  type KafkaBackendOptions,
  type KafkaSecurity,
} from './kafka-settings.ts';

/** One broker, its own controller, on the machine's Java. The same ports and data after `restart`. */
export async function startKafkaOnJava(
  options: KafkaBackendOptions & { readonly security?: KafkaSecurity },
): Promise<KafkaBackend> {
  const { dataDir, onProgress } = options;
  const jars = await resolveKafkaJars(onProgress);
  onProgress?.('Starting Apache Kafka with the local Java');
  await mkdir(dataDir, { recursive: true });
  const pidFile = join(dataDir, 'kafka.pid');
  const propertiesFile = join(dataDir, 'server.properties');
  await takeOver({ server: 'Kafka', dataDir, pidFile, commandLine: propertiesFile, stopSignal: 'SIGTERM' });
  const port = await freePort(options.port);
  const controllerPort = await freePort();
  const data = join(dataDir, 'topics');
  const { security } = options;
  // Clients have a listener of their own where they must show who they are; the broker speaks to itself over another
  // one.
  const ownPort = security === undefined ? port : await freePort();
  const plain = `PLAINTEXT://127.0.0.1:${ownPort}`;
  const forClients = security === undefined ? plain : `CLIENTS://127.0.0.1:${port},${plain}`;
  const settings = {
    ...kafkaSettings,
    ...(security && (await securedSettings(security, dataDir))),
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `${forClients},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': forClients,
    'log.dirs': data,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(propertiesFile, lines.join(''));
  const java = [
    '-cp',
    join(jars, '*'),
    ...kafkaJvmOptions,
    '-XX:+UseSerialGC',
    `-Dlog4j2.configurationFile=${join(packageRoot, 'kafka', 'log4j2.properties')}`,
  ];
  if (!existsSync(join(data, 'meta.properties'))) {
    await rm(data, { recursive: true, force: true });
    await format(java, propertiesFile, security?.users ?? {});
  }

  async function launch(): Promise<ServerProcess> {
    const server = await startServerProcess({
      command: javaCommand(),
      args: [...java, 'kafka.Kafka', propertiesFile],
      cwd: dataDir,
      logFile: join(dataDir, 'server.log'),
      stopSignal: 'SIGTERM',
      ...(options.disposable && { deleteWhenOrphaned: [dataDir] }),
    });
    await writeFile(pidFile, `${server.pid}\n`);
    const started = () => checkStarted(server, `127.0.0.1:${ownPort}`);
    await untilReady('Kafka', server, started, kafkaStartTimeoutMs);
    return server;
  }

  let server = await launch();
  return {
    brokers: [`127.0.0.1:${port}`],
    kill: () => server.kill(),
    async restart() {
      await server.stop();
      server = await launch();
    },
    async stop() {
      await server.stop();
      await rm(pidFile, { force: true });
      await handBack(dataDir);
      if (options.disposable) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function securedSettings({ certificate, key, superUser }: KafkaSecurity, dataDir: string) {
  const keyStore = join(dataDir, 'broker.pem');
  await writeFile(keyStore, `${key}${certificate}`, { mode: 0o600 });
  return {
    'listener.security.protocol.map': 'CLIENTS:SASL_SSL,PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': keyStore,
    'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
    'listener.name.clients.scram-sha-512.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    // Who is on the listeners that are the broker's own has no name.
    'super.users': `User:${superUser};User:ANONYMOUS`,
  };
}

async function format(java: string[], propertiesFile: string, users: Readonly<Record<string, string>>): Promise<void> {
  // A leading hyphen would be read as an option.
  const clusterId = randomBytes(16).toString('base64url').replace(/^-/, 'A');
  const scram = Object.entries(users).flatMap(([name, password]) => [
    '--add-scram',
    `SCRAM-SHA-512=[name=${name},password=${password}]`,
  ]);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  execFile(
    javaCommand(),
    [...java, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', propertiesFile, ...scram],
    (error, stdout, stderr) => {
      if (error) reject(new Error(`Kafka could not format its data folder:\n${stdout}${stderr}`));
      else resolve();
    },
  );
  return promise;
}

/** The broker answers requests a moment before it takes part in its own cluster; its log says when it does. */
async function checkStarted(server: ServerProcess, broker: string): Promise<void> {
  if (!(await readFile(server.logFile, 'utf8')).includes('Kafka Server started')) throw new Error('Not started yet.');
  await pingKafka(broker);
}
