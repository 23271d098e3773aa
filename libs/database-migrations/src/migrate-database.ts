import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** What `migrateDatabase` is given. */
export interface MigrateDatabaseOptions {
  readonly databaseUrl: string;
  /** The folder with `migrations/`. */
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

/** A migration's folder name and its script. */
interface Migration {
  readonly name: string;
  readonly sql: string;
}

interface Recorded {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
  readonly logs: string | null;
}

const WAY_OUT =
  'Fix the migration, then delete its row (WHERE finished_at IS NULL) from _prisma_migrations and start again.';

/** One number for every service: they have databases of their own, and the lock is a database's. */
const LOCK = 7_236_411_805;
const LOCK_POLL_MS = 200;

/** Prisma's own table, as its engine creates it. */
const CREATE_TABLE = `
  CREATE TABLE _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/**
 * Brings the database to the newest migration in `prismaFolder` and returns the names of those applied now. Replicas
 * may call it at the same time: one works, the others log that they wait, and find nothing to do. A database that is
 * ahead of the folder (an older replica during a rollback) stays as it is. Throws `MigrationError`.
 */
export async function migrateDatabase(options: MigrateDatabaseOptions): Promise<{ applied: string[] }> {
  const { databaseUrl, prismaFolder, log = () => undefined } = options;
  const migrations = await readMigrations(join(prismaFolder, 'migrations'));
  const startedAt = performance.now();
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'blog-content-migrations' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await takeLock(client, () => log('database.migration_waits', {}));
    const pending = findPending(migrations, await readRecorded(client), log);
    for (const migration of pending) await apply(client, migration);
    const applied = pending.map(({ name }) => name);
    log('database.migrated', { applied, duration_ms: Math.round(performance.now() - startedAt) });
    return { applied };
  } finally {
    await client.end();
  }
}

/** Every `<timestamp>_<name>/migration.sql`, in the order of their names. */
async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => ({ name, sql: await readFile(join(folder, name, 'migration.sql'), 'utf8') })),
  );
}

/**
 * Takes an advisory lock, which lasts as long as the session. It polls: a session that waits inside `pg_advisory_lock`
 * holds a snapshot, and `CREATE INDEX CONCURRENTLY` in a migration would wait for that. The migrations run in the same
 * session, so the lock of a killed process lasts until its last statement has ended.
 */
async function takeLock(client: pg.Client, onWaiting: () => void): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [LOCK]);
    if (rows[0]?.locked) return;
    if (tries === 1) onWaiting();
    await sleep(LOCK_POLL_MS);
  }
}

/** What the database says of its migrations, without those that were resolved as rolled back. */
async function readRecorded(client: pg.Client): Promise<Recorded[]> {
  const { rows: tables } = await client.query<{ tablename: string }>(
    'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()',
  );
  if (!tables.some(({ tablename }) => tablename === '_prisma_migrations')) {
    if (tables.length > 0) {
      throw new MigrationError(
        'This database has tables but no _prisma_migrations: it belongs to something else. Name an empty or a new one.',
        [],
      );
    }
    await client.query(CREATE_TABLE);
  }
  const { rows } = await client.query<Recorded>(`
    SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, logs
    FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`);
  return rows;
}

function findPending(
  migrations: readonly Migration[],
  recorded: readonly Recorded[],
  log: NonNullable<MigrateDatabaseOptions['log']>,
): Migration[] {
  for (const { name, finished, logs } of recorded) {
    if (finished) continue;
    throw new MigrationError(
      logs === null
        ? `Migration ${name} was interrupted earlier: its process or its connection ended. Look whether its changes are ` +
            'there. If so, set finished_at of its row in _prisma_migrations, else delete that row.'
        : `Migration ${name} failed earlier: ${logs}. ${WAY_OUT}`,
      [name],
    );
  }
  const byName = new Map(recorded.map((row) => [row.name, row]));
  const edited = migrations.filter(({ name, sql }) => {
    const row = byName.get(name);
    return row !== undefined && !checksums(sql).includes(row.checksum);
  });
  if (edited.length > 0) {
    const names = edited.map(({ name }) => name);
    throw new MigrationError(
      `Migration ${names.join(', ')} was edited after it had been applied to this database. Restore its file and put ` +
        'the change into a new migration.',
      names,
    );
  }
  const pending = migrations.filter(({ name }) => !byName.has(name));
  const unknown = [...byName.keys()].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length === 0) return pending;
  if (pending.length === 0) {
    log('database.ahead', { migrations: unknown });
    return [];
  }
  const names = pending.map(({ name }) => name);
  throw new MigrationError(
    `This database has migrations that are unknown here (${unknown.join(', ')}), but lacks ${names.join(', ')}. ` +
      'It belongs to another branch.',
    names,
  );
}

/** Runs a migration as one script, which is one transaction unless it says otherwise, and records it as Prisma does. */
async function apply(client: pg.Client, { name, sql }: Migration): Promise<void> {
  const id = randomUUID();
  await client.query('INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)', [
    id,
    checksums(sql)[0],
    name,
  ]);
  let statement = 1;
  const countStatement = () => (statement += 1);
  client.connection.on('commandComplete', countStatement);
  try {
    await client.query(sql);
  } catch (error) {
    const { message, detail, hint, code, position } = error as pg.DatabaseError;
    const line = position === undefined ? '' : ` (line ${sql.slice(0, Number(position)).split('\n').length})`;
    const said = [message, detail, hint, code && `(SQLSTATE ${code})`].filter(Boolean).join(' ');
    const reason = `statement ${statement}${line}: ${said}`;
    // Without these, as when the connection broke, the row says that the migration was interrupted.
    await client.query('ROLLBACK').catch(() => undefined);
    await client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, reason]).catch(() => undefined);
    throw new MigrationError(`Migration ${name} failed and was rolled back: ${reason}. ${WAY_OUT}`, [name], error);
  } finally {
    client.connection.off('commandComplete', countStatement);
  }
  await client.query('UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1', [id]);
}

/** The SHA-256 of a script, and of the same with the other line endings: Prisma accepts both. */
function checksums(sql: string): string[] {
  const other = sql.includes('\r\n') ? sql.replaceAll('\r\n', '\n') : sql.replaceAll('\n', '\r\n');
  return [sql, other].map((text) => createHash('sha256').update(text).digest('hex'));
}
