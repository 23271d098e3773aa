import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationList, PrismaSchema } from './schema-engine.ts';

/** A service's schema and its migrations, as the engine takes them. */
export interface PrismaFolder {
  readonly schema: PrismaSchema;
  readonly migrations: MigrationList;
}

/** Reads `schema.prisma` and every `migrations/<timestamp>_<name>/migration.sql`, in the order of their names. */
export async function readPrismaFolder(folder: string): Promise<PrismaFolder> {
  const path = join(folder, 'schema.prisma');
  const baseDir = join(folder, 'migrations');
  const entries = await readdir(baseDir, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const migrationDirectories = await Promise.all(
    names.sort().map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(join(baseDir, name, 'migration.sql'), 'utf8') },
      },
    })),
  );
  return {
    schema: { path, content: await readFile(path, 'utf8') },
    migrations: {
      baseDir,
      lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
      shadowDbInitScript: '',
      migrationDirectories,
    },
  };
}
