import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ensureDatabase } from './ensure-database.ts';
import { migrateDatabase } from './migrate-database.ts';
import { readPrismaFolder } from './read-prisma-folder.ts';
import { noFilters, withSchemaEngine } from './schema-engine.ts';

/** What `draftMigration` is given. */
export interface DraftMigrationOptions {
  /** Any database of a server with the right to create one: a scratch database is made and dropped. */
  readonly serverUrl: string;
  /** The folder with `schema.prisma` and `migrations/`. */
  readonly prismaFolder: string;
}

/** Returns the SQL that leads from the migrations to `schema.prisma`; an empty string when they agree. */
export async function draftMigration({ serverUrl, prismaFolder }: DraftMigrationOptions): Promise<string> {
  const name = `draft_migration_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const scratchUrl = url.href;
  await ensureDatabase(scratchUrl);
  try {
    await migrateDatabase({ databaseUrl: scratchUrl, prismaFolder });
    const { schema } = await readPrismaFolder(prismaFolder);
    return await withSchemaEngine(scratchUrl, schema, async (engine) => {
      const { stdout } = await engine.diff({
        from: { tag: 'schemaDatasource', files: [schema], configDir: prismaFolder },
        to: { tag: 'schemaDatamodel', files: [schema] },
        script: true,
        exitCode: true,
        filters: noFilters,
      });
      const sql = (stdout ?? '').trim();
      return sql.startsWith('-- This is an empty migration') ? '' : sql;
    });
  } finally {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
    await client.end();
  }
}
