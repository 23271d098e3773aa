import { baseEnvironment, ConfigError, createLogger, EXIT_CONFIG, loadConfig } from '@blog-content/service-runtime';
import { z } from 'zod';
import { ensureDatabase } from './ensure-database.ts';
import { migrateDatabase } from './migrate-database.ts';
import { WAIT_MS, waitForDatabase } from './wait-for-database.ts';

const { DATABASE_URL, DATABASE_SESSION_URL, LOG_LEVEL } = baseEnvironment;

/**
 * The whole of a service's `migrate.ts`, for jobs and init containers: waits for its database, a minute at most,
 * creates its database if it is missing and brings it to the newest migration. Sets the exit status:
 * 0, 1 when it failed (said in the log), 78 when the environment is wrong (said on standard error).
 */
export async function runMigration(
  service: string,
  prismaFolder: string,
  env: Record<string, string | undefined>,
): Promise<void> {
  const logger = createLogger(service, 'info');
  try {
    const config = loadConfig(z.object({ DATABASE_URL, DATABASE_SESSION_URL, LOG_LEVEL }), env, service);
    // The lock of a migration lasts as long as its session.
    const databaseUrl = config.DATABASE_SESSION_URL ?? config.DATABASE_URL;
    await waitForDatabase(databaseUrl, WAIT_MS, () => logger.warn('database.waited_for', { wait_ms: WAIT_MS }));
    await ensureDatabase(databaseUrl);
    await migrateDatabase({
      databaseUrl,
      prismaFolder,
      log: (event, fields) => logger.info(event, fields),
    });
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else logger.error('database.migration_failed', { error });
    process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : 1;
  }
}
