// `npm test`: everything that must hold. Lint, types, then all tests on one PostgreSQL and one Kafka for the run.
import { startTestInfrastructure } from '@blog-content/testing';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const usage = `Usage: npm test [-- options]

Runs lint, type checks and all tests on a real PostgreSQL and a real Kafka, which it starts.

  --only <project>   tests of one project, e.g. --only link-resolver (no lint, no type checks)
  --help             show this

Environment:
  DATABASE_URL, KAFKA_BROKERS   servers to use instead of starting some
  BLOG_KAFKA=container|java     force one way of starting Kafka
  CI                            when set, a missing Kafka fails the run instead of skipping its half`;

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
if (values.help) {
  console.log(usage);
  process.exit(0);
}

/** Runs one step with its output shown; returns whether it passed. */
function step(command: string, args: string[], env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  console.log(`\n> ${command} ${args.join(' ')}`);
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** Most tests that the end of a run names. */
const MOST_FAILURES = 30;
const startedAt = Date.now();
const nxEnvironment = {
  ...process.env,
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  // CI shows what holds now, not what held when the same inputs were last seen.
  ...(process.env['CI'] && { NX_SKIP_NX_CACHE: 'true' }),
};
const failed: string[] = [];
let failedTests = '';

if (values.only === undefined) {
  const checks: [string, string[]][] = [
    ['prettier', ['--check', '--log-level=warn', '.']],
    ['knip', []],
    ['nx', ['sync:check']],
    ['eslint', ['--max-warnings', '0', 'scripts', 'docker', 'k8s', '*.js']],
    ['tsc', ['-p', 'scripts/tsconfig.json']],
    ['nx', ['run-many', '-t', 'lint', 'typecheck', '--output-style=static']],
  ];
  for (const [command, args] of checks) {
    if (!(await step(command, args, nxEnvironment))) failed.push(`${command} ${args[0] ?? ''}`.trim());
  }
}

if (failed.length === 0) {
  console.log('\nStarting PostgreSQL and Kafka for the tests …');
  const { env, kafka, stop } = await startTestInfrastructure({ onProgress: (message) => console.log(`· ${message}`) });
  if (kafka.available) console.log(`· Kafka: ${kafka.how}`);
  const tests = ['run-many', '-t', 'test', '--output-style=static', '--parallel=2'];
  if (values.only !== undefined) tests.push('-p', values.only);
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-failures-'));
  const failures = join(folder, 'failures.txt');
  if (!(await step('nx', tests, { ...nxEnvironment, ...env, TEST_FAILURES_FILE: failures }))) failed.push('tests');
  await stop();
  failedTests = await readFile(failures, 'utf8').catch(() => '');
  await rm(folder, { recursive: true });
  if (!kafka.available) {
    console.log(`\n!!! The Kafka half was SKIPPED: ${kafka.reason}`);
    if (process.env['CI']) failed.push('Kafka is required when CI is set');
  }
}

const seconds = Math.round((Date.now() - startedAt) / 1000);
console.log(
  failed.length === 0 ? `\nAll passed in ${seconds} s.` : `\nFAILED after ${seconds} s: ${failed.join(', ')}.`,
);
if (failedTests !== '')
  console.log(`\nTests that failed:\n${failedTests.split('\n').slice(0, MOST_FAILURES).join('\n')}`);
process.exit(failed.length === 0 ? 0 : 1);
