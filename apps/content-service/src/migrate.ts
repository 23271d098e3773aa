import { fileURLToPath } from 'node:url';
import { ensureDatabase, migrateDatabase } from '@blog-content/database-migrations';
import { baseEnvironment, ConfigError, createLogger, EXIT_CONFIG, loadConfig } from '@blog-content/service-runtime';
import { z } from 'zod';

const SERVICE = 'content-service';
const { DATABASE_URL, LOG_LEVEL } = baseEnvironment;

// Creates the service's database if it is missing, migrates it and ends: for jobs and init containers.
try {
  const config = loadConfig(z.object({ DATABASE_URL, LOG_LEVEL }), process.env, SERVICE);
  const logger = createLogger(SERVICE, config.LOG_LEVEL);
  try {
    await ensureDatabase(config.DATABASE_URL);
    await migrateDatabase({
      databaseUrl: config.DATABASE_URL,
      prismaFolder: fileURLToPath(new URL('../prisma', import.meta.url)),
      log: (event, fields) => logger.info(event, fields),
    });
  } catch (error) {
    logger.error('database.migration_failed', { error });
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = EXIT_CONFIG;
}
