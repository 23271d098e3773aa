import { ensureDatabase, migrateDatabase } from '@blog-content/database-migrations';
import { freePort } from '@blog-content/local-infrastructure';
import { forEachService, serviceNames, type ServiceName } from '@blog-content/payload-schemas';
import { startGateway } from './gateway.ts';
import {
  prepareServiceProcess,
  prismaFolderOf,
  type AssembledServices,
  type ServiceProcess,
} from './service-process.ts';
import type { LocalSettings } from './settings.ts';

export interface LocalServicesOptions {
  /** Address of the named database on the PostgreSQL server to use; made when missing. */
  readonly databaseUrl: (database: string) => string;
  /** Kafka brokers; without them events go through the PostgreSQL event log. */
  readonly kafkaBrokers?: readonly string[];
  readonly settings: LocalSettings;
  readonly logFolder: string;
  /** Of the images, which content-service stores and public-read-service serves; made when missing. */
  readonly imageFolder: string;
  /** Port of the one origin; a free one by default. */
  readonly gatewayPort?: number;
  /** Of the dashboard’s files (`buildDashboard`); without it the origin has the API only. */
  readonly dashboardFolder?: string;
  /** Of the published packages (`buildPackages`); without it the origin has none. */
  readonly packagesFolder?: string;
  /** Put before the names of the databases, so that several set-ups can share one server. */
  readonly databasePrefix?: string;
  /** Where services find a database of this address behind a pooler; what needs a session connects to it directly. */
  readonly throughPooler?: (databaseUrl: string) => string;
  /** Environment variables on top, for one service or for all. */
  readonly environment?: Readonly<Partial<Record<ServiceName | 'all', Readonly<Record<string, string>>>>>;
  /** Runs what their images have instead of their sources. */
  readonly assembled?: AssembledServices;
  readonly onProgress?: (step: string) => void;
}

/** The services as processes behind one origin. */
export interface LocalServices {
  readonly origin: string;
  readonly services: Readonly<Record<ServiceName, ServiceProcess>>;
  readonly databaseUrls: Readonly<Record<ServiceName | 'event-log', string>>;
  /**
   * Starts another process of a service on the same database, with more environment variables where given. The gateway
   * does not know it: ask at its own port.
   */
  startReplica(name: ServiceName, environment?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  stop(): Promise<void>;
}

/**
 * Makes and migrates the databases, starts the services and the gateway. What was started is stopped when a step fails.
 */
export async function startLocalServices(options: LocalServicesOptions): Promise<LocalServices> {
  await using started = new AsyncDisposableStack();
  const say = options.onProgress ?? (() => undefined);
  const nameOf = (database: string) => `${options.databasePrefix ?? ''}${database.replaceAll('-', '_')}`;
  const databaseUrls = {
    ...forEachService((name) => options.databaseUrl(nameOf(name))),
    'event-log': options.databaseUrl(nameOf('event-log')),
  };

  say('Migrating the databases');
  for (const name of serviceNames) {
    await ensureDatabase(databaseUrls[name]);
    await migrateDatabase({ databaseUrl: databaseUrls[name], prismaFolder: prismaFolderOf(name) });
  }
  if (!options.kafkaBrokers) await ensureDatabase(databaseUrls['event-log']);

  const gatewayPort = await freePort(options.gatewayPort);
  const prepare = (name: ServiceName, replica = 1, environment: Readonly<Record<string, string>> = {}) =>
    prepareServiceProcess({
      name,
      replica,
      logFolder: options.logFolder,
      ...(options.assembled && { assembled: options.assembled }),
      environment: {
        ...environmentOf(name, options, databaseUrls, gatewayPort),
        ...options.environment?.all,
        ...options.environment?.[name],
        ...environment,
      },
    });
  const prepared = new Map<ServiceName, ServiceProcess>();
  for (const name of serviceNames) prepared.set(name, await prepare(name));
  const services = forEachService((name) => prepared.get(name)!);
  // Before the services, which take seconds, in which another program could get its port.
  const gateway = await startGateway({
    port: gatewayPort,
    servicePorts: forEachService((name) => services[name].port),
    dashboardFolder: options.dashboardFolder,
    packagesFolder: options.packagesFolder,
  });
  say(`Starting ${new Intl.ListFormat('en-GB').format(serviceNames)}`);
  started.defer(async () => {
    await Promise.all(serviceNames.map((name) => services[name].stop()));
  });
  started.defer(() => gateway.close());
  await Promise.all(serviceNames.map((name) => services[name].start()));

  const resources = started.move();
  let replicas = 1;
  return {
    origin: gateway.origin,
    services,
    databaseUrls,
    async startReplica(name, environment) {
      replicas += 1;
      const replica = await prepare(name, replicas, environment);
      resources.defer(() => replica.stop());
      await replica.start();
      return replica;
    },
    stop: () => resources.disposeAsync(),
  };
}

function environmentOf(
  name: ServiceName,
  { settings, kafkaBrokers, imageFolder, throughPooler }: LocalServicesOptions,
  databaseUrls: LocalServices['databaseUrls'],
  gatewayPort: number,
): Record<string, string> {
  const shared = {
    ...(throughPooler
      ? { DATABASE_URL: throughPooler(databaseUrls[name]), DATABASE_SESSION_URL: databaseUrls[name] }
      : { DATABASE_URL: databaseUrls[name] }),
    ...(kafkaBrokers
      ? { KAFKA_BROKERS: kafkaBrokers.join(',') }
      : { EVENT_LOG_DATABASE_URL: databaseUrls['event-log'] }),
  };
  const { ownerSessionJwks: OWNER_SESSION_JWKS, encryptionKeys: ENCRYPTION_KEYS } = settings;
  switch (name) {
    case 'content-service':
      return {
        ...shared,
        ENCRYPTION_KEYS,
        OWNER_SESSION_JWKS,
        OWNER_SESSION_PRIVATE_JWK: settings.ownerSessionPrivateJwk,
        BOOTSTRAP_OWNER_EMAIL: settings.ownerEmail,
        BOOTSTRAP_OWNER_PASSWORD: settings.ownerPassword,
        TRUSTED_PROXY_HOPS: '1',
        // Sources and models on this machine are on loopback.
        FETCH_ALLOWED_RANGES: '127.0.0.0/8',
        FETCH_ALLOW_HTTP: 'true',
        IMAGE_DISK_PATH: imageFolder,
        IMAGE_BASE_URL: `http://127.0.0.1:${gatewayPort}/images`,
      };
    case 'public-read-service':
      return { ...shared, OWNER_SESSION_JWKS, ENCRYPTION_KEYS, IMAGE_DISK_PATH: imageFolder };
    case 'webhook-dispatcher': {
      // Receivers of a local set-up are on loopback, which the address rules refuse by default (contract §4.7).
      const onLoopback = { RECEIVER_ALLOWED_RANGES: '127.0.0.0/8', RECEIVER_ALLOW_HTTP: 'true' };
      return { ...shared, OWNER_SESSION_JWKS, ENCRYPTION_KEYS, ...onLoopback };
    }
  }
}
