import {
  createLocalSettings,
  signIn,
  startLocalServices,
  type LocalServices,
  type LocalSettings,
  type OwnerClient,
} from '@blog-content/local-services';
import { dropTestDatabases, testDatabaseUrl } from '@blog-content/testing';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The running product with its owner signed in. */
export interface Stack extends AsyncDisposable {
  readonly local: LocalServices;
  readonly owner: OwnerClient;
  readonly settings: LocalSettings;
}

/**
 * Starts the services as processes and, when brokers are given, on Kafka. Their databases are on the tests'
 * server unless there is a server of the test's own.
 */
export async function startStack(
  options: {
    databaseUrl?: (database: string) => string;
    kafkaBrokers?: readonly string[];
    environment?: Parameters<typeof startLocalServices>[0]['environment'];
    packagesFolder?: string;
    throughPooler?: (databaseUrl: string) => string;
  } = {},
): Promise<Stack> {
  const settings = await createLocalSettings();
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-e2e-'));
  const databasePrefix = `e2e_${randomBytes(4).toString('hex')}_`;
  const local = await startLocalServices({
    databaseUrl: options.databaseUrl ?? testDatabaseUrl,
    databasePrefix,
    ...(options.kafkaBrokers && { kafkaBrokers: options.kafkaBrokers }),
    settings,
    logFolder: folder,
    imageFolder: join(folder, 'images'),
    ...(options.throughPooler && { throughPooler: options.throughPooler }),
    ...(options.environment && { environment: options.environment }),
    ...(options.packagesFolder !== undefined && { packagesFolder: options.packagesFolder }),
  });
  const owner = await signIn(local.origin, settings.ownerEmail, settings.ownerPassword);
  return {
    local,
    owner,
    settings,
    async [Symbol.asyncDispose]() {
      await local.stop();
      if (options.databaseUrl === undefined) await dropTestDatabases(databasePrefix);
    },
  };
}
