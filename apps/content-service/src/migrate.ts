import { join } from 'node:path';
import { runMigration } from '@blog-content/database-migrations';

await runMigration('content-service', join(import.meta.dirname, '../prisma'), process.env);
