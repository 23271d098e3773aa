import { join } from 'node:path';
import { ensureDatabase, migrateDatabase } from '@blog-content/database-migrations';
import { baseEnvironment, ConfigError, createLogger, EXIT_CONFIG, loadConfig } from '@blog-content/service-runtime';
import { z } from 'zod';

const NAME = 'public-read-service';
const logger = createLogger(NAME, 'info');
const { DATABASE_URL, LOG_LEVEL } = baseEnvironment;

/** Creates this service's database if it is missing, migrates it and ends: for jobs and init containers. */
try {
  const config = loadConfig(z.object({ DATABASE_URL, LOG_LEVEL }), process.env, NAME);
  await ensureDatabase(config.DATABASE_URL);
  await migrateDatabase({
    databaseUrl: config.DATABASE_URL,
    prismaFolder: join(import.meta.dirname, '../prisma'),
    log: (event, fields) => logger.info(event, fields),
  });
} catch (error) {
  if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
  else logger.error('database.migration_failed', { error });
  process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : 1;
}
