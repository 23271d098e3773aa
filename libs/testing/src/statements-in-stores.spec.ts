import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspaceRoot } from './workspace-root.ts';

/** Who holds statements is named for it; whose name does not say so, with the reason. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['apps/content-service/src/platform/database/open-database.ts', 'asks whether it answers, sets a time of a session'],
  ['apps/public-read-service/src/database/ping-database.ts', 'asks whether it answers'],
  ['apps/webhook-dispatcher/src/database/ping-database.ts', 'asks whether it answers'],
]);

const MAX_WIDTH = 120;

const COMMENT = /^\s*(?:\/\*|\*|\/\/).*$/gm;
/** A text that begins as a statement on tables does. What opens a transaction, or sets it up, is none. */
const STATEMENT =
  /['"`]\s*(?:SELECT|WITH|UPDATE|VACUUM|(?:INSERT|MERGE) INTO|DELETE FROM|(?:LOCK|TRUNCATE|(?:CREATE|ALTER|DROP) (?:TABLE|INDEX)))\s/;

const holdsStatements = (source: string): boolean => STATEMENT.test(source.replaceAll(COMMENT, ''));

/** A service has a database, and nothing else has one. */
const services = globSync('apps/*/prisma', { cwd: workspaceRoot }).map(dirname);
const sources = globSync(
  services.map((service) => `${service}/src/**/*.ts`),
  { cwd: workspaceRoot },
).filter((file) => !/\.spec\.ts$|\/src\/generated\//.test(file));
const holders = sources.filter((file) => holdsStatements(readFileSync(join(workspaceRoot, file), 'utf8'))).sort();

describe('statements of the services', () => {
  it('are in files named *-store.ts or *-statements.ts, and in few others', () => {
    expect(holders.filter((file) => !/-(?:store|statements)\.ts$/.test(file))).toEqual([...EXCEPTIONS.keys()]);
  });

  it('break before they are too long, which the formatter does not see to', () => {
    const tooLong = holders.flatMap((file) =>
      readFileSync(join(workspaceRoot, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (line.length > MAX_WIDTH ? [`${file}:${index + 1} has ${line.length}`] : [])),
    );
    expect(tooLong).toEqual([]);
  });

  it.each([
    'query(`\n  WITH gone AS (DELETE FROM post) SELECT 1`)',
    "query('SELECT id FROM post')",
    '$executeRaw`UPDATE post SET title = 1`',
    'const text = "DELETE FROM post";',
    'query(`LOCK TABLE post IN SHARE MODE`)',
  ])('are seen wherever a text begins with one: %j', (source) => {
    expect(holdsStatements(source)).toBe(true);
  });

  it.each(["method === 'DELETE'", '/** `SELECT id` says which. */', "query('SET statement_timeout = 0')"])(
    'are neither methods nor words of comments nor settings: %j',
    (source) => {
      expect(holdsStatements(source)).toBe(false);
    },
  );
});
