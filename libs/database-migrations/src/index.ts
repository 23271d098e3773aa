export { ensureDatabase } from './ensure-database.ts';
export { MigrationError, migrateDatabase, type MigrateDatabaseOptions } from './migrate-database.ts';
export { runMigration } from './run-migration.ts';
