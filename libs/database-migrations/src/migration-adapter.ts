import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type ErrorCapturingSqlMigrationAwareDriverAdapterFactory,
  type SqlDriverAdapter,
} from '@prisma/driver-adapter-utils';

import type pg from 'pg';

/** The engine's way to one database. */
export interface MigrationAdapter {
  readonly factory: ErrorCapturingSqlMigrationAwareDriverAdapterFactory;
  /** What PostgreSQL said about the last script that failed; the engine passes on less. */
  readonly scriptError: () => unknown;
  /** Closes every connection. */
  dispose(): Promise<void>;
}

type PgAdapter = Awaited<ReturnType<PrismaPg['connect']>>;

/**
 * Prisma's PostgreSQL adapter with what migrations need: a script is sent whole (which also makes it one transaction),
 * because the adapter cuts it at every semicolon, also inside function bodies; catalogue columns can be read; and the
 * connections can be closed.
 */
export function openMigrationAdapter(databaseUrl: string): MigrationAdapter {
  const factory = new PrismaPg({ connectionString: databaseUrl, max: 1, application_name: 'blog-content-migrations' });
  const opened: SqlDriverAdapter[] = [];
  let scriptError: unknown;
  return {
    factory: bindMigrationAwareSqlAdapterFactory({
      provider: 'postgres',
      adapterName: factory.adapterName,
      async connect() {
        const adapter = await factory.connect();
        opened.push(adapter);
        readInternalChars(adapter);
        adapter.executeScript = async (script) => {
          try {
            await adapter.underlyingDriver().query(script);
          } catch (error) {
            scriptError = error;
            throw error;
          }
        };
        return adapter;
      },
      connectToShadowDb: () => Promise.reject(new Error('No operation used here needs a shadow database.')),
    }),
    scriptError: () => scriptError,
    async dispose() {
      for (const adapter of opened.reverse()) await adapter.dispose();
    },
  };
}

/** PostgreSQL's one-byte type "char", which its catalogue uses and the adapter refuses, and the ordinary one. */
const internalChar = 18;
const character = 1042;

/**
 * Lets catalogue columns of the type "char" pass the adapter as characters, so that the engine can describe a database.
 */
function readInternalChars(adapter: PgAdapter): void {
  const charColumns = new WeakMap<object, number[]>();
  const pool = adapter.underlyingDriver();
  const query = pool.query.bind(pool) as (config: unknown) => Promise<pg.QueryResult>;
  pool.query = (async (config: unknown) => {
    const result = await query(config);
    const columns: number[] = [];
    for (const [column, field] of (result.fields ?? []).entries()) {
      if (field.dataTypeID !== internalChar) continue;
      field.dataTypeID = character;
      columns.push(column);
    }
    if (columns.length > 0) charColumns.set(result.rows, columns);
    return result;
  }) as typeof pool.query;

  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.queryRaw = async (sql) => {
    const result = await queryRaw(sql);
    for (const column of charColumns.get(result.rows) ?? []) result.columnTypes[column] = ColumnTypeEnum.Character;
    return result;
  };
}
