import type { PoolClient } from 'pg';
import { toLiteral, type SqlValue } from './sql-text.ts';

/** Statements that each connection parses and plans once, and that can stand in one text with others. */
export interface PreparedStatements<Name extends string> {
  /** Prepares them on a connection that has not been given before; to be awaited before any is executed on it. */
  ready(client: PoolClient): Promise<void>;
  /** The text that executes one. */
  execute(name: Name, values: readonly SqlValue[]): string;
}

/**
 * Several statements in one text are sent and answered in one go, and such a text takes no parameters: the values stand in it
 * as literals. Planning it each time would cost more than carrying it out.
 *
 * @param statements name → text with parameters `$1`, `$2`, …, each of them cast to its type
 */
export function createPreparedStatements<Name extends string>(
  statements: Readonly<Record<Name, string>>,
): PreparedStatements<Name> {
  const prepared = new WeakMap<PoolClient, Set<string>>();
  return {
    async ready(client) {
      const names = prepared.get(client) ?? new Set();
      if (names.size === Object.keys(statements).length) return;
      prepared.set(client, names);
      for (const [name, text] of Object.entries<string>(statements)) {
        if (names.has(name)) continue;
        await client.query(`PREPARE ${name} AS ${text}`);
        names.add(name);
      }
    },
    execute: (name, values) => `EXECUTE ${name}(${values.map(toLiteral).join(', ')})`,
  };
}
