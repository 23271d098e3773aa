import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readPrismaFolder, type PrismaFolder } from './read-prisma-folder.ts';
import { noFilters, withSchemaEngine, type SchemaEngine } from './schema-engine.ts';

/** What `migrateDatabase` is given. */
export interface MigrateDatabaseOptions {
  readonly databaseUrl: string;
  /** The folder with `schema.prisma` and `migrations/`. */
  readonly prismaFolder: string;
  /** Told what happened: an event name and its fields. */
  readonly log?: (event: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** A migration that could not be applied, or one that must be looked at by a person first. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  /** The folder names of the migrations it is about. */
  readonly migrations: readonly string[];

  constructor(message: string, migrations: readonly string[], cause?: unknown) {
    super(message, { cause });
    this.migrations = migrations;
  }
}

/** One number for every service: they have databases of their own, and the lock is a database's. */
const migrationLock = 7_236_411_805;
const lockPollMs = 200;

/**
 * Brings the database to the newest migration in `prismaFolder` and returns the names of those applied now. Replicas
 * may call it at the same time: one works, the others say that they wait, as long as that takes, and find nothing to
 * do. Each migration is one transaction. A database that is ahead of the folder (an older replica during a roll-back)
 * is left as it is. Throws `MigrationError`.
 */
export async function migrateDatabase(options: MigrateDatabaseOptions): Promise<{ applied: string[] }> {
  const folder = await readPrismaFolder(options.prismaFolder);
  const startedAt = performance.now();
  const onWaiting = () => options.log?.('database.migration_waits', {});
  const applied = await withMigrationLock(options.databaseUrl, onWaiting, () =>
    withSchemaEngine(options.databaseUrl, folder.schema, async (engine, scriptError) => {
      const pending = await pendingMigrations(engine, folder, options.log);
      return pending.length === 0 ? [] : apply(engine, folder, scriptError);
    }),
  );
  const durationMs = Math.round(performance.now() - startedAt);
  options.log?.('database.migrated', { applied, duration_ms: durationMs });
  return { applied };
}

async function pendingMigrations(
  engine: SchemaEngine,
  { migrations }: PrismaFolder,
  log: MigrateDatabaseOptions['log'],
): Promise<string[]> {
  const found = await engine.diagnoseMigrationHistory({
    migrationsList: migrations,
    optInToShadowDatabase: false,
    filters: noFilters,
  });
  const { failedMigrationNames: failed, editedMigrationNames: edited, history } = found;
  if (failed.length > 0) {
    throw new MigrationError(
      `Migration ${failed.join(', ')} failed earlier. Its changes were rolled back. Fix the migration, then ` +
        `delete its row (WHERE finished_at IS NULL) from _prisma_migrations.`,
      failed,
    );
  }
  if (edited.length > 0) {
    throw new MigrationError(
      `Migration ${edited.join(', ')} was edited after it had been applied to this database. Restore its file and put ` +
        'the change into a new migration.',
      edited,
    );
  }
  switch (history?.diagnostic) {
    case undefined:
      return [];
    case 'databaseIsBehind':
      return history.unappliedMigrationNames;
    case 'migrationsDirectoryIsBehind':
      log?.('database.ahead', { migrations: history.unpersistedMigrationNames });
      return [];
    case 'historiesDiverge':
      throw new MigrationError(
        `This database has migrations that are unknown here (${history.unpersistedMigrationNames.join(', ')}), but lacks ` +
          `${history.unappliedMigrationNames.join(', ')}. It belongs to another branch.`,
        history.unappliedMigrationNames,
      );
  }
}

async function apply(engine: SchemaEngine, folder: PrismaFolder, scriptError: () => unknown): Promise<string[]> {
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: folder.migrations,
      filters: noFilters,
    });
    return appliedMigrationNames;
  } catch (cause) {
    const { failedMigrationNames: failed } = await engine.diagnoseMigrationHistory({
      migrationsList: folder.migrations,
      optInToShadowDatabase: false,
      filters: noFilters,
    });
    const error = scriptError() ?? cause;
    throw new MigrationError(
      `Migration ${failed.join(', ') || '(unknown)'} failed and was rolled back: ${describe(error)}`,
      failed,
      error,
    );
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { detail, hint, code } = error as Partial<pg.DatabaseError>;
  return [error.message, detail, hint, code && `(SQLSTATE ${code})`].filter((part) => part !== undefined).join(' ');
}

/**
 * Holds an advisory lock of the database meanwhile. It is polled for, because a session that waits inside
 * `pg_advisory_lock` holds a snapshot, and `CREATE INDEX CONCURRENTLY` in a migration would wait for that one in turn.
 * `onWaiting` is told once.
 */
async function withMigrationLock<Result>(
  databaseUrl: string,
  onWaiting: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'blog-content-migration-lock' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (let tries = 1; ; tries += 1) {
      const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
        migrationLock,
      ]);
      if (rows[0]?.locked) break;
      if (tries === 1) onWaiting();
      await sleep(lockPollMs);
    }
    return await work();
  } finally {
    await client.end();
  }
}
