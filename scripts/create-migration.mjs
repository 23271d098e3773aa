// Writes the SQL between a service's migrations and its schema.prisma into a new migration:
//   node scripts/create-migration.mjs <app> <name>
// It needs a PostgreSQL server for a moment: DATABASE_URL, or else an embedded one that is deleted afterwards.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(import.meta.url);
const root = dirname(dirname(script));
const sourcesOnly = '--conditions=@blog-content/source';

if (!process.execArgv.includes(sourcesOnly)) {
  // The libraries are read from their sources, by the Node the workspace pins.
  const node = join(root, 'node_modules', '.bin', 'node');
  const { status } = spawnSync(node, [sourcesOnly, script, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}

const [app, name] = process.argv.slice(2);
const prismaFolder = join(root, 'apps', app ?? '', 'prisma');
if (!app || !name || !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name)) {
  fail('Usage: node scripts/create-migration.mjs <app> <name_in_snake_case>');
}
if (!existsSync(join(prismaFolder, 'schema.prisma'))) fail(`${relative(root, prismaFolder)}/schema.prisma not found.`);

const { startPostgres } = await import('@blog-content/local-infrastructure');
const { draftMigration } = await import('@blog-content/testing');

const dataDir = await mkdtemp(join(tmpdir(), 'blog-content-postgres-'));
const postgres = await startPostgres({ dataDir, disposable: true, settings: { fsync: 'off' } });
process.env.TEST_DATABASE_URL = postgres.url('postgres');
const sql = await draftMigration(prismaFolder).catch((error) => error);
await postgres.stop();

if (sql instanceof Error) {
  fail(sql.message);
} else if (sql === '') {
  console.log(`The migrations of ${app} already match its schema.prisma. Nothing to write.`);
} else {
  const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(prismaFolder, 'migrations', `${timestamp}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'migration.sql'), `${sql}\n`);
  const lock = join(prismaFolder, 'migrations', 'migration_lock.toml');
  if (!existsSync(lock)) await writeFile(lock, 'provider = "postgresql"\n');
  console.log(`Wrote ${relative(root, join(folder, 'migration.sql'))}. Read it before you commit it.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
