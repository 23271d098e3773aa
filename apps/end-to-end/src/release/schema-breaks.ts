import pg from 'pg';

/** A table as another version of the code finds it. */
interface Table {
  readonly columns: ReadonlyMap<string, Column>;
  /** Constraints and unique indexes: definition → the columns that they are of. */
  readonly rules: ReadonlyMap<string, readonly string[]>;
}

interface Column {
  readonly type: string;
  readonly isNullable: boolean;
  /** The database has a value for a row that doesn’t name the column. */
  readonly hasDefault: boolean;
}

export type Schema = ReadonlyMap<string, Table>;

/** Reads the tables of a database. */
export async function readSchema(databaseUrl: string): Promise<Schema> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: columns } = await client.query<{
      table: string;
      column: string;
      type: string;
      is_nullable: boolean;
      has_default: boolean;
    }>(`
      SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
        NOT a.attnotnull AS is_nullable, a.atthasdef OR a.attidentity <> '' AS has_default
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
        AND c.relname <> '_prisma_migrations'`);
    const { rows: rules } = await client.query<{ table: string; definition: string; columns: string[] }>(`
      SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS definition,
        ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'c', 'f', 'x')
      UNION ALL
      SELECT indrelid::regclass::text, regexp_replace(pg_get_indexdef(indexrelid), ' INDEX \\S+ ', ' INDEX '),
        ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey))
      FROM pg_index JOIN pg_class c ON c.oid = indrelid
      WHERE indisunique AND c.relnamespace = 'public'::regnamespace
        AND indexrelid NOT IN (SELECT conindid FROM pg_constraint)`);
    return new Map(
      [...new Set(columns.map(({ table }) => table))].map((table) => [
        table,
        {
          columns: new Map(
            columns
              .filter((row) => row.table === table)
              .map((row) => [row.column, { type: row.type, isNullable: row.is_nullable, hasDefault: row.has_default }]),
          ),
          rules: new Map(
            rules.filter((row) => row.table === table).map((row) => [row.definition, row.columns] as const),
          ),
        },
      ]),
    );
  } finally {
    await client.end();
  }
}

/**
 * What keeps code that was written for `before` from working on `after`: each in one sentence. New tables, columns that
 * may be left out, and rules of new columns alone do not.
 */
export function schemaBreaks(before: Schema, after: Schema): string[] {
  return [...before].flatMap(([name, table]) => {
    const now = after.get(name);
    if (now === undefined) return [`The table ${name} is gone.`];
    const changed = [...table.columns].flatMap(([column, old]) =>
      columnBreaks(`${name}.${column}`, old, now.columns.get(column)),
    );
    const added = [...now.columns]
      .filter(([column]) => !table.columns.has(column))
      .filter(([, { isNullable, hasDefault }]) => !isNullable && !hasDefault)
      .map(([column]) => `${name}.${column} is new and required: it needs a default.`);
    const rules = [...now.rules]
      .filter(
        ([definition, columns]) => !table.rules.has(definition) && columns.some((column) => table.columns.has(column)),
      )
      .map(([definition]) => `${name} has a new rule: ${definition}.`);
    return [...changed, ...added, ...rules];
  });
}

function columnBreaks(name: string, old: Column, now: Column | undefined): string[] {
  if (now === undefined) return [`${name} is gone.`];
  return [
    ...(now.type === old.type ? [] : [`${name} is ${now.type}, and was ${old.type}.`]),
    ...(now.isNullable === old.isNullable
      ? []
      : [`${name} ${now.isNullable ? 'can be null now' : 'can’t be null any more'}.`]),
    ...(old.hasDefault && !now.hasDefault ? [`${name} has no default any more.`] : []),
  ];
}
