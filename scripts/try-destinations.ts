// `npm run try-destinations`: direct integrations against a real WordPress and a real Ghost, processes killed among it.
import { startPostgres } from '@blog-content/local-infrastructure';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startGhost } from './try-destinations/ghost.ts';
import { endOnSignals } from './try-destinations/processes.ts';
import { startWordPress } from './try-destinations/wordpress.ts';

const usage = `Usage: npm run try-destinations [-- options]

Starts WordPress and Ghost locally, publishes 200 posts to each through direct integrations, and kills the dispatcher
halfway. Checks that no post is missing or duplicated. Skips a system that can't start, unless CI is set.

Exit codes: 0 success, 1 failure, 2 usage error.

  --only <name>   wordpress or ghost
  --help          show this

Environment:
  WORDPRESS_PEER   an existing WordPress, as JSON: {"url","rest","user","applicationPassword"}; keeps its posts
  GHOST_PEER       an existing Ghost, as JSON: {"url","admin","adminApiKey"}
  DATABASE_URL     an existing PostgreSQL server (default: embedded)`;

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const starts = { wordpress: startWordPress, ghost: startGhost };
const names = (['wordpress', 'ghost'] as const).filter((name) => values.only === undefined || values.only === name);
if (names.length === 0) {
  console.error(`Unknown system “${values.only}”.\n\n${usage}`);
  process.exit(2);
}

const root = join(import.meta.dirname, '..');
/** Ghost is 900 MB, and three minutes to install. */
const cache = join(root, '.data');
const failures: string[] = [];
const skipped: string[] = [];
await using resources = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'blog-content-destinations-'));
resources.defer(() => rm(folder, { recursive: true, force: true }));
const end = endOnSignals(resources);

/** One system's tests, in a process of their own. */
async function tryOne(name: (typeof names)[number], databaseUrl: string): Promise<void> {
  const variable = `${name.toUpperCase()}_PEER`;
  const given = process.env[variable];
  try {
    console.log(`\n· ${name}: ${given ? 'the one that was given' : 'starting'}`);
    const peer = given ?? JSON.stringify(await starts[name](join(folder, name), resources, cache));
    const env = { ...process.env, [variable]: peer, DESTINATION: name, TEST_DATABASE_URL: databaseUrl };
    if (!(await runTests(name, env))) failures.push(name);
  } catch (error) {
    console.log(`\n!!! ${name} was SKIPPED: ${String(error)}`);
    skipped.push(name);
    if (process.env['CI']) failures.push(`${name} is required when CI is set`);
  }
}

function runTests(name: (typeof names)[number], env: NodeJS.ProcessEnv): Promise<boolean> {
  const nodeOptions = '--conditions=@blog-content/source --disable-warning=ExperimentalWarning';
  // What is of all systems, and of this one.
  const files = `<rootDir>/test/peers/{contract,kills,${name}}.peer.ts`;
  const child = spawn('jest', ['--testMatch', files, '--runInBand'], {
    cwd: join(root, 'apps/webhook-dispatcher'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...env, NODE_OPTIONS: nodeOptions },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), disposable: true });
resources.defer(() => postgres.stop());
for (const name of names) await tryOne(name, postgres.url('postgres'));
await end();
const left = skipped.length === 0 ? '' : ` Skipped: ${skipped.join(', ')}.`;
console.log(failures.length === 0 ? `\nPassed.${left}` : `\nFAILED: ${failures.join(', ')}.${left}`);
process.exit(failures.length === 0 ? 0 : 1);
