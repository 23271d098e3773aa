import { binaryArray, type ElementType, type ElementValue } from '@blog-content/postgres';

/** The columns of rows that a statement is given, with their types. */
type Columns = Readonly<Record<string, ElementType>>;

/** A row of such columns. */
export type Row<Given extends Columns> = { readonly [Name in keyof Given]: ElementValue<Given[Name]> };

/** The rows in a statement's `FROM`, as `given`: an array for each column, from `$first` on, as {@link rowValues} makes them. */
export function rowsSql(columns: Columns, first: number): string {
  const arrays = Object.values(columns).map((type, index) => `$${first + index}::${type}[]`);
  return `unnest(${arrays.join(', ')}) AS given (${Object.keys(columns).join(', ')})`;
}

/** The parameters of {@link rowsSql}. */
export function rowValues<Given extends Columns>(columns: Given, rows: readonly Row<Given>[]): Buffer[] {
  return Object.entries(columns).map(([name, type]) => {
    const values = rows.map((row) => row[name as keyof Given]);
    return binaryArray(type, values);
  });
}
