import { binaryArray, type ElementType, type ElementValue } from '@blog-content/postgres';
import type { Pool } from 'pg';

/** The parameters of a statement, by name. */
export type Parameters = Readonly<Record<string, unknown>>;

/** What a transaction of Prisma's offers for statements. */
interface Transaction {
  $queryRawUnsafe<Rows>(text: string, ...values: unknown[]): Promise<Rows>;
}

/** A statement whose parameters have names. Connections prepare it under its own name. */
export interface Statement<Row> {
  /** Runs it on a connection, or on one of a pool. */
  run(client: Pick<Pool, 'query'>, parameters: Parameters): Promise<Row[]>;
  /** Runs it in a transaction. */
  runIn(tx: Transaction, parameters: Parameters): Promise<Row[]>;
}

/** `:name` in the text is a parameter. */
export function defineStatement<Row>(name: string, text: string): Statement<Row> {
  const names: string[] = [];
  const numbered = text.replaceAll(/(?<![:\w]):([a-zA-Z]\w*)/g, (_, parameter: string) => {
    if (!names.includes(parameter)) names.push(parameter);
    return `$${names.indexOf(parameter) + 1}`;
  });
  const valuesOf = (parameters: Parameters) =>
    names.map((parameter) => {
      if (!(parameter in parameters)) throw new Error(`The statement ${name} needs the parameter ${parameter}.`);
      return parameters[parameter];
    });
  return {
    async run(client, parameters) {
      const { rows } = await client.query<Row & object>({ name, text: numbered, values: valuesOf(parameters) });
      return rows;
    },
    runIn: (tx, parameters) => tx.$queryRawUnsafe<Row[]>(numbered, ...valuesOf(parameters)),
  };
}

type Columns = Readonly<Record<string, ElementType>>;

/** A row of such columns. */
export type RowOf<Of extends Columns> = { readonly [Name in keyof Of]: ElementValue<Of[Name]> };

/** Rows that a statement is given, an array for each column. */
export interface GivenRows<Of extends Columns> {
  /** Belongs in a `FROM`; the table's name is the one given. */
  readonly from: string;
  /** The parameters that {@link from} names. */
  parameters(rows: readonly RowOf<Of>[]): Parameters;
}

export function defineRows<Of extends Columns>(table: string, columns: Of): GivenRows<Of> {
  const entries = Object.entries(columns);
  const arrays = entries.map(([column, type]) => `:${table}_${column}::${type}[]`);
  return {
    from: `unnest(${arrays.join(', ')}) AS ${table} (${entries.map(([column]) => column).join(', ')})`,
    parameters: (rows) =>
      Object.fromEntries(
        entries.map(([column, type]) => {
          const values = rows.map((row) => row[column] as ElementValue<typeof type>);
          return [`${table}_${column}`, binaryArray(type, values)];
        }),
      ),
  };
}
