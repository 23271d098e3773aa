// Records the migrations of a release in docs/released-migrations.json: from then on, a test refuses to edit them.
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const migrations = {};
for (const file of globSync('apps/*/prisma/migrations/*/migration.sql', { cwd: root }).toSorted()) {
  const [, service, , , name] = file.split(sep);
  const sum = createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex');
  (migrations[service] ??= {})[name] = sum;
}
writeFileSync(join(root, 'docs/released-migrations.json'), `${JSON.stringify({ version, migrations }, null, 2)}\n`);
console.log(`docs/released-migrations.json has the migrations of ${version}.`);
