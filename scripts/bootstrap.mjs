// The first step of every root command, in plain JavaScript so that any Node from 20 on can run it: installs what is
// missing, generates the Prisma clients and the dashboard's API client, and hands over to the pinned Node with the
// sources' export condition set.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');
process.chdir(root);

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Node ${process.versions.node} is too old: install Node 20 or newer, then try again.`);
  process.exit(1);
}

const [entry, ...args] = process.argv.slice(2);
const usage = asksForHelp() ? usageOf(entry) : null;
if (usage !== null) {
  console.log(usage);
  process.exit(0);
}

/** Whoever asks how a command is used has perhaps not decided yet to install anything. */
function asksForHelp() {
  return [entry, ...args].some((word) => word === '--help' || word === '-h');
}

/**
 * The text `usage` in the entry or in what it imports from its own folder, read without running it; null where there is
 * none.
 */
function usageOf(file) {
  if (file === '--help' || file === '-h') return ownUsage();
  if (!existsSync(file)) return null;
  const main = readFileSync(file, 'utf8');
  const imported = [...main.matchAll(/ from '(\.\/[^']+)'/g)].map(([, name]) => join(dirname(file), name));
  const sources = [main, ...imported.map((name) => readFileSync(name, 'utf8'))].join('\n');
  const textOf = (name) => new RegExp(`^(?:export )?const ${name} =\\s+\`([^\`]*)\``, 'm').exec(sources)?.[1];
  const text = (textOf('usage') ?? textOf('USAGE'))?.replace(/\$\{(\w+)\}/g, (whole, name) => textOf(name) ?? whole);
  return text === undefined || text.includes('${') ? null : text;
}

function ownUsage() {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = Object.keys(scripts).filter((name) => scripts[name].startsWith('node scripts/bootstrap.mjs '));
  return `Usage: node scripts/bootstrap.mjs <file> [arguments]

Installs what is missing, and runs the file with the pinned Node. These npm commands begin with it, and each of them knows --help:
${names.join(', ')}`;
}

/** Runs `step` unless the named inputs are the same as when it last succeeded. */
function once(name, inputs, outputs, describe, step) {
  const stamp = join(root, 'node_modules', '.cache', 'blog-content', name);
  const hash = createHash('sha256');
  for (const file of inputs) hash.update(readFileSync(join(root, file)));
  const now = hash.digest('hex');
  const before = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (before === now && outputs.every((file) => existsSync(join(root, file)))) return;
  console.error(describe);
  step();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, now);
}

function run(command, args, env = {}) {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
  } catch (error) {
    console.error(`\n\`${command} ${args.join(' ')}\` failed: ${error.message}`);
    process.exit(typeof error.status === 'number' ? error.status : 1);
  }
}

if (!isInstalled()) {
  console.error('Installing packages (about a minute, once) …');
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
}
once('scripts', ['package.json', 'package-lock.json'], ['node_modules/.bin/node'], 'Installing Node …', () => {
  run('npm', ['rebuild', '--ignore-scripts=false', '--loglevel=error', ...allowedScripts()]);
});

/**
 * The installed packages whose install scripts may run: `.npmrc` keeps npm, in any version, from running those of the
 * others.
 */
function allowedScripts() {
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(allowScripts).filter(
    (name) => allowScripts[name] && existsSync(join(root, 'node_modules', name, 'package.json')),
  );
}

/** Whether what npm notes to have installed is what the lockfile says; optional packages of other platforms aside. */
function isInstalled() {
  const noted = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(noted)) return false;
  const { packages: installed } = JSON.parse(readFileSync(noted, 'utf8'));
  const { packages: wanted } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional }]) =>
      !path.startsWith('node_modules/') ||
      (installed[path] ? installed[path].version === version : optional || devOptional),
  );
}

const path = `${bin}:${process.env.PATH ?? ''}`;
const schemas = readdirSync('apps')
  .map((app) => `apps/${app}/prisma/schema.prisma`)
  .filter((schema) => existsSync(schema));
const clients = schemas.map((schema) => schema.replace('prisma/schema.prisma', 'src/generated/prisma/client.ts'));
once('generate', [...schemas, 'package-lock.json'], clients, 'Generating the database clients …', () => {
  for (const schema of schemas) {
    execFileSync(join(bin, 'node'), ['../../scripts/generate-prisma-client.mjs'], {
      cwd: dirname(dirname(schema)),
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, PATH: path },
    });
  }
});
const dashboard = join('apps', 'dashboard');
once(
  'generate-api-client',
  [join(dashboard, 'openapi-ts.config.ts'), 'docs/openapi.json', 'package-lock.json'],
  [join(dashboard, 'src/generated/sdk.gen.ts')],
  'Generating the dashboard’s API client …',
  () => {
    execFileSync(join(bin, 'openapi-ts'), [], {
      cwd: dashboard,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, PATH: path },
    });
  },
);

// npm runs scripts in the terminal's process group: Ctrl-C reaches the child by itself, so this process only waits for
// it.
const child = spawn(
  join(bin, 'node'),
  // One thread of V8 beside the main one: the machine is shared with all that this starts (ADR 1).
  ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning', '--v8-pool-size=1', entry, ...args],
  { stdio: 'inherit', env: { ...process.env, PATH: path } },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
