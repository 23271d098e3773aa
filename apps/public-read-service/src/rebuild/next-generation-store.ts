import { escapeIdentifier, type ClientBase, type Pool } from 'pg';
import { BLOG_COLUMNS } from '../projection/blog-statements.ts';

/** The tables that a rebuild replaces, all together; those that others refer to come first. */
export const REBUILT_TABLES = ['project', 'project_member', 'published_blog', 'blog_position', 'blog_alias'] as const;
export type RebuiltTable = (typeof REBUILT_TABLES)[number];

/** All columns of these tables: what is copied of a row that the log no longer has. */
export const REBUILT_COLUMNS: Readonly<Record<RebuiltTable, readonly string[]>> = {
  project: [
    'id',
    'name',
    'site_url',
    'event_number',
    'version',
    'deleted_at',
    'changes_from',
    'logged_version',
    'links_known',
    'account_id',
    'suspended',
    'authors',
  ],
  project_member: ['project_id', 'account_id', 'role'],
  published_blog: BLOG_COLUMNS,
  blog_position: ['blog_id', 'project_id', 'event_number', 'announced_number', 'slug'],
  blog_alias: ['project_id', 'alias', 'blog_id'],
};

/** A number that nothing else locks: one rebuild at a time. */
const REBUILD_LOCK = '7236411807';

/** What the names of the next generation's tables and indexes end in. */
export const NEXT = '_next';
/** PostgreSQL cuts longer names off. */
const MAX_NAME = 63;

/** What a table consists of beside its columns, as the database describes it. */
interface TableDefinition {
  readonly table: RebuiltTable;
  /** Everything that a migration may change, as one text to compare. */
  readonly fingerprint: string;
  readonly options: readonly string[] | null;
  /** Triggers, rules and row security: there are none, and a rebuild would lose them. */
  readonly extras: number;
  readonly indexes: readonly { readonly name: string; readonly sql: string; readonly isPrimary: boolean }[];
  readonly foreignKeys: readonly { readonly name: string; readonly sql: string }[];
  readonly grants: readonly string[];
  /** The columns that queries are planned by. Long ones take most of the time, and autovacuum looks at them later. */
  readonly analyzed: readonly string[];
}

const nextName = (name: string): string => name.slice(0, MAX_NAME - NEXT.length) + NEXT;

/** Takes the lock of who rebuilds, for as long as the connection lasts. False when somebody else has it. */
export async function lockRebuild(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [REBUILD_LOCK]);
  return rows[0]?.locked === true;
}

/** Drops what an unfinished rebuild has left. */
export async function dropNextGeneration(client: ClientBase): Promise<void> {
  await client.query(`DROP TABLE IF EXISTS ${REBUILT_TABLES.map((table) => table + NEXT).join(', ')}`);
}

export type NextGeneration = Awaited<ReturnType<typeof createNextGeneration>>;

/**
 * Makes empty tables `…_next` with the columns, defaults, checks, rights and primary keys of the present ones, as
 * migrations have left them.
 *
 * @throws when a table does not exist or has what this cannot copy
 */
export async function createNextGeneration(client: ClientBase) {
  const definitions = await describeTables(client);
  for (const { table, options, extras, indexes, grants } of definitions) {
    if (extras > 0) throw new Error(`${table} has triggers, rules or row security, which a rebuild cannot take over.`);
    const settings = options === null ? '' : ` WITH (${options.join(', ')})`;
    await client.query(
      `CREATE TABLE ${table}${NEXT} (LIKE ${table} INCLUDING ALL EXCLUDING INDEXES EXCLUDING STATISTICS)${settings}`,
    );
    for (const index of indexes.filter(({ isPrimary }) => isPrimary)) await createPrimaryKey(client, table, index);
    for (const grant of grants) await client.query(grant);
  }

  return {
    /** Makes the indexes and foreign keys, and gathers statistics. Nothing may write to the tables meanwhile. */
    async finish(pool: Pool): Promise<void> {
      const indexes = definitions.flatMap((definition) => definition.indexes.filter(({ isPrimary }) => !isPrimary));
      await Promise.all(indexes.map(({ sql }) => pool.query(sql)));
      // For the visibility map: counts are made from indexes alone.
      const vacuum = ({ table, analyzed }: TableDefinition) =>
        pool.query(
          `VACUUM (ANALYZE, PROCESS_TOAST FALSE) ${table}${NEXT} (${analyzed.map(escapeIdentifier).join(', ')})`,
        );
      await Promise.all(definitions.map(vacuum));
      for (const { table, foreignKeys } of definitions) {
        for (const { name, sql } of foreignKeys) {
          await pool.query(`ALTER TABLE ${table}${NEXT} ADD CONSTRAINT ${escapeIdentifier(name)} ${sql}`);
        }
      }
    },

    /**
     * Drops the present tables and renames the next ones to their names; for a transaction that holds `ACCESS
     * EXCLUSIVE` locks on all of them.
     */
    async takeOver(switching: ClientBase): Promise<void> {
      const now = await describeTables(switching);
      const changed = now.filter(({ fingerprint }, index) => fingerprint !== definitions[index]?.fingerprint);
      if (changed.length > 0) {
        const names = changed.map(({ table }) => table).join(', ');
        throw new Error(`A migration changed ${names} during the rebuild. Run the rebuild again.`);
      }
      await switching.query(`DROP TABLE ${REBUILT_TABLES.join(', ')}`);
      for (const { table, indexes } of definitions) {
        await switching.query(`ALTER TABLE ${table}${NEXT} RENAME TO ${table}`);
        for (const { name } of indexes) {
          const [from, to] = [escapeIdentifier(nextName(name)), escapeIdentifier(name)];
          await switching.query(`ALTER INDEX ${from} RENAME TO ${to}`);
        }
      }
    },
  };
}

async function createPrimaryKey(client: ClientBase, table: RebuiltTable, index: { name: string; sql: string }) {
  const name = escapeIdentifier(nextName(index.name));
  await client.query(index.sql);
  await client.query(`ALTER TABLE ${table}${NEXT} ADD CONSTRAINT ${name} PRIMARY KEY USING INDEX ${name}`);
}

async function describeTables(client: ClientBase): Promise<TableDefinition[]> {
  const { rows } = await client.query<TableDefinition>(
    `SELECT relname AS table, reloptions AS options,
       (SELECT count(*)::int FROM pg_trigger WHERE tgrelid = c.oid AND NOT tgisinternal)
         + (c.relhasrules OR c.relrowsecurity)::int AS extras,
       (SELECT coalesce(json_agg(json_build_object('name', i.relname, 'isPrimary', indisprimary, 'sql',
           pg_get_indexdef(i.oid)) ORDER BY i.relname), '[]')
         FROM pg_index JOIN pg_class i ON i.oid = indexrelid WHERE indrelid = c.oid) AS indexes,
       (SELECT coalesce(json_agg(json_build_object('name', conname, 'sql', pg_get_constraintdef(oid))
           ORDER BY conname), '[]')
         FROM pg_constraint WHERE conrelid = c.oid AND contype = 'f') AS "foreignKeys",
       (SELECT coalesce(json_agg(format('GRANT %s ON %I TO %s%s', privilege_type, relname || '${NEXT}',
           CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
           CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)), '[]')
         FROM aclexplode(relacl) WHERE grantee <> relowner) AS grants,
       (SELECT json_agg(attname ORDER BY attnum) FROM pg_attribute
         WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
           AND atttypid NOT IN ('jsonb'::regtype, 'tsvector'::regtype)) AS analyzed,
       (SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attcollation,
           attstorage, attcompression, pg_get_expr(adbin, adrelid)), ', ' ORDER BY attnum)
         FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
         WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped)
         || coalesce((SELECT string_agg(pg_get_constraintdef(oid), ', ' ORDER BY conname)
         FROM pg_constraint WHERE conrelid = c.oid), '') AS fingerprint
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, position)
     JOIN pg_class c ON c.oid = to_regclass(wanted.name)
     ORDER BY position`,
    [REBUILT_TABLES],
  );
  if (rows.length < REBUILT_TABLES.length) {
    throw new Error('The database has no read model. Run the migrations first.');
  }
  return rows.map((row) => ({
    ...row,
    fingerprint: JSON.stringify([row.fingerprint, row.indexes, row.grants, row.options]),
    indexes: row.indexes.map((index) => ({ ...index, sql: onNext(index.sql, index.name, row.table) })),
    foreignKeys: row.foreignKeys.map((key) => ({ ...key, sql: referringToNext(key.sql) })),
  }));
}

/** `CREATE INDEX name ON schema.table …` for the next generation's table. */
function onNext(sql: string, index: string, table: RebuiltTable): string {
  const match = /^CREATE (UNIQUE )?INDEX .+? ON (?:ONLY )?(?:[^\s(]+\.)?[^\s(.]+ USING (.*)$/s.exec(sql);
  const [, unique = '', rest] = match ?? [];
  if (rest === undefined) throw new Error(`The index ${index} of ${table} is not supported: ${sql}`);
  return `CREATE ${unique}INDEX ${escapeIdentifier(nextName(index))} ON ${table}${NEXT} USING ${rest}`;
}

/** `FOREIGN KEY (…) REFERENCES table(…) …`, where that is one of those that are replaced, for the next generation. */
function referringToNext(sql: string): string {
  return sql.replace(/ REFERENCES (\w+)\(/, (whole, table: string) =>
    (REBUILT_TABLES as readonly string[]).includes(table) ? ` REFERENCES ${table}${NEXT}(` : whole,
  );
}
