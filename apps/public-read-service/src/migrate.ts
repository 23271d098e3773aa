import { join } from 'node:path';
import { runMigration } from '@blog-content/database-migrations';

await runMigration('public-read-service', join(import.meta.dirname, '../prisma'), process.env);
