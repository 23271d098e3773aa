import { join } from 'node:path';
import { runMigration } from '@blog-content/database-migrations';

await runMigration('webhook-dispatcher', join(import.meta.dirname, '../prisma'), process.env);
