import { join } from 'node:path';
import { migrateDatabase } from '@blog-content/database-migrations';
import { createEmptyDatabase } from '../test-database.ts';
import { runPrisma } from './run-prisma.ts';

/** What Prisma's `migrate diff` exits with. */
const NO_DIFFERENCE = 0;
const DIFFERENCE = 2;

/** Returns the SQL that leads from a folder's migrations to its `schema.prisma`; an empty string when they agree. */
export async function draftMigration(prismaFolder: string): Promise<string> {
  const scratch = await createEmptyDatabase();
  try {
    await migrateDatabase({ databaseUrl: scratch.url, prismaFolder });
    const schema = join(prismaFolder, 'schema.prisma');
    const diff = ['migrate', 'diff', '--from-config-datasource', '--to-schema', schema, '--script', '--exit-code'];
    const { status, stdout, stderr } = await runPrisma(scratch.url, prismaFolder, ...diff);
    if (status === NO_DIFFERENCE) return '';
    if (status !== DIFFERENCE) throw new Error(`Prisma could not compare ${prismaFolder}: ${stderr}`);
    return stdout.trim();
  } finally {
    await scratch.drop();
  }
}
