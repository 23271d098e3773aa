// Everything of bootstrap.mjs that takes Node 20.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endTogether, runChild } from './child.mjs';
import { noteInstalled, once, problemOfInstall } from './install.mjs';
import { helpFor } from './usage.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const bin = join(root, 'node_modules', '.bin');
process.chdir(root);

const [entry, ...args] = process.argv.slice(2);
// Before anything is installed: the reader may not have decided yet.
const help = helpFor(root, entry, args);
if (help !== null) {
  console.log(help);
  process.exit(0);
}
endTogether();

const START_OVER = 'Run the same command again. If it fails again, run `rm -rf node_modules` first.';
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const problem = problemOfInstall(root);
if (problem !== null) {
  const isNew = !existsSync(join(root, 'node_modules'));
  if (!isNew) console.error(`Can’t use the packages in node_modules: ${problem}.`);
  console.error(`Installing packages ${isNew ? '(about a minute, once)' : 'again (about a minute)'}…`);
  await must('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  noteInstalled(root);
}
const broken = problemOfNode();
if (broken !== null) {
  const isThere = existsSync(join(bin, 'node'));
  if (isThere) console.error(`The Node in node_modules doesn’t run (${broken}). Reinstalling it.`);
  // npm and its scripts would find what is broken before any other.
  for (const part of ['bin', 'node_modules'])
    rmSync(join(root, 'node_modules/node', part), { recursive: true, force: true });
}
await once(root, {
  name: 'scripts',
  inputs: ['package.json', 'package-lock.json'],
  outputs: ['node_modules/.bin/node'],
  describe: 'Installing Node…',
  step: () => must('npm', ['rebuild', '--ignore-scripts=false', '--loglevel=error', ...allowedScripts()]),
});
const still = problemOfNode();
if (still !== null) giveUp(`The Node in node_modules doesn’t run (${still}).`, 1);

/** Runs one step of the preparation; the end of this process when it fails. */
async function must(command, given, options = {}) {
  const shown = `${command} ${given.join(' ')}`;
  const code = await runChild(command, given, options).catch((error) =>
    giveUp(`\`${shown}\` failed: ${error.message}`, 1),
  );
  if (code !== 0) giveUp(`\`${shown}\` failed with exit code ${code}.`, code);
}

function giveUp(what, code) {
  console.error(`\n${what}\n${START_OVER}`);
  process.exit(code);
}

/**
 * The installed packages whose install scripts may run: `.npmrc` keeps npm, in any version, from running those of the
 * others.
 */
function allowedScripts() {
  const { allowScripts } = manifest;
  return Object.keys(allowScripts).filter(
    (name) => allowScripts[name] && existsSync(join(root, 'node_modules', name, 'package.json')),
  );
}

/** Why the pinned Node cannot be used, such as one of another platform or half of a download; else null. */
function problemOfNode() {
  const { stdout, error, signal, status } = spawnSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' });
  if (error) return error.message;
  const wanted = `v${manifest.devDependencies.node}`;
  if (stdout.trim() === wanted) return null;
  return stdout === '' ? `it ended with ${signal ?? status}` : `it is ${stdout.trim()}, not ${wanted}`;
}

const env = { ...process.env, PATH: `${bin}:${process.env.PATH ?? ''}` };
const quiet = ['ignore', 'ignore', 'inherit'];
const schemas = readdirSync('apps')
  .map((app) => `apps/${app}/prisma/schema.prisma`)
  .filter((schema) => existsSync(schema));
await once(root, {
  name: 'generate',
  inputs: [...schemas, 'package-lock.json'],
  outputs: schemas.map((schema) => schema.replace('prisma/schema.prisma', 'src/generated/prisma/client.ts')),
  describe: 'Generating the database clients…',
  async step() {
    for (const schema of schemas) {
      const cwd = dirname(dirname(schema));
      await must(join(bin, 'node'), ['../../scripts/generate-prisma-client.mjs'], { cwd, env, stdio: quiet });
    }
  },
});
const dashboard = join('apps', 'dashboard');
await once(root, {
  name: 'generate-api-client',
  inputs: [join(dashboard, 'openapi-ts.config.ts'), 'docs/openapi.json', 'package-lock.json'],
  outputs: [join(dashboard, 'src/generated/sdk.gen.ts')],
  describe: 'Generating the dashboard’s API client…',
  step: () => must(join(bin, 'openapi-ts'), [], { cwd: dashboard, env, stdio: quiet }),
});

const code = await runChild(
  join(bin, 'node'),
  [
    '--conditions=@blog-content/source',
    '--disable-warning=ExperimentalWarning',
    // One thread of V8 beside the main one: the machine is shared with all that this starts (ADR 1).
    '--v8-pool-size=1',
    `--import=${new URL('end-with-parent.mjs', import.meta.url).href}`,
    entry,
    ...args,
  ],
  { stdio: ['inherit', 'inherit', 'inherit', 'pipe'], env },
);
process.exit(code);
