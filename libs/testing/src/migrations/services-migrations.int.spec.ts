import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace-root.ts';
import { draftMigration } from './draft-migration.ts';

const apps = join(workspaceRoot, 'apps');
const services = readdirSync(apps).filter((name) => existsSync(join(apps, name, 'prisma/schema.prisma')));

describe('the migrations of a service', () => {
  it.each(services)('lead to its schema.prisma, else scripts/create-migration.mjs writes one: %s', async (service) => {
    expect(await draftMigration(join(apps, service, 'prisma'))).toBe('');
  });
});
