// Records a release: its migrations, which a test then refuses to edit; the schemas of its topics; and what it
// leaves behind when it is killed in the middle of its work. The upgrade test of the next release starts from these.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
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

const topics = Object.fromEntries(
  globSync('docs/schemas/topics/*.json', { cwd: root })
    .toSorted()
    .map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(root, file), 'utf8'))]),
);
writeFileSync(join(root, 'apps/end-to-end/released/topics.json'), `${JSON.stringify(topics)}\n`);
console.log(`apps/end-to-end/released/topics.json has the schemas of its topics.`);

const recorder = join(root, 'apps/end-to-end/src/release/record-state.main.ts');
const { status } = spawnSync(
  process.execPath,
  [
    '--conditions=@blog-content/source',
    '--disable-warning=ExperimentalWarning',
    recorder,
    join(root, 'apps/end-to-end/released/state.json'),
  ],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);
