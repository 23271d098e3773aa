// `npm test`: all tests, on one PostgreSQL and one Kafka for the run.
import { s3Availability, versitygw } from '@blog-content/local-infrastructure';
import { startTestInfrastructure } from '@blog-content/testing';
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const usage = `Usage: npm test [-- options]

Runs all tests on a real PostgreSQL, a real Kafka and a real S3 server, which it starts. The S3 server is built with Go the
first time, once on each machine. npm run lint runs the static checks.

  --only <project> [file …]   tests of one project, e.g. --only link-resolver; of it the files whose paths contain one of the
                              texts
  --help                      show this

Environment:
  DATABASE_URL, KAFKA_BROKERS   servers to use instead of starting some
  BLOG_KAFKA=container|java     force one way of starting Kafka
  CI                            when set, a missing Kafka or S3 server fails the run instead of skipping its half`;

const { values, positionals: files } = parseArgs({
  options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
if (files.length > 0 && values.only === undefined) {
  console.error(`Files are given together with --only <project>.\n\n${usage}`);
  process.exit(2);
}

/** Runs one step with its output shown; returns whether it passed. */
function step(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  console.log(`\n> ${command} ${args.join(' ')}`);
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** Runs steps one after the other, also after one that failed. */
async function inOrder(steps: readonly (readonly [string, ...string[]])[], env: NodeJS.ProcessEnv): Promise<void> {
  for (const [command, ...args] of steps) {
    if (!(await step(command, args, env))) failed.push(`${command} ${args.slice(0, 3).join(' ')}`);
  }
}

/** The lines of tests that failed since they were last read, each beginning with the path of its file. */
async function takeFailures(): Promise<string[]> {
  const text = await readFile(join(folder, 'failures.txt'), 'utf8').catch(() => '');
  await rm(join(folder, 'failures.txt'), { force: true });
  return text.split('\n').filter((line) => line !== '');
}

/**
 * Runs the files of tests that failed once more, when nothing else runs; returns whether all passed. A few, on a
 * machine too busy for them, are told from what is broken; what passes now is named at the end of the run, and still a
 * fault.
 */
async function passAlone(lines: readonly string[]): Promise<boolean> {
  const files = Map.groupBy(new Set(lines.map((line) => line.split(' ')[0] ?? '')), (file) => file.split('/')[1] ?? '');
  for (const [project, ofProject] of files) {
    const args = [...runTests.slice(1), '--skip-nx-cache', '-p', project, '--', ...ofProject.map(withoutProject)];
    if (!(await step(runTests[0], args, testEnvironment))) return false;
  }
  return true;
}

const withoutProject = (file: string) => file.split('/').slice(2).join('/');

/** The end of a run names no more tests. */
const MAX_FAILURES = 30;
/** With more failures than these something is broken, whatever the machine does. */
const MAX_RUN_AGAIN = 10;
let failed: string[] = [];

/** Databases, topics and images that nobody needs afterwards are written to memory where there is plenty of it. */
const IN_MEMORY = '/dev/shm';
const PLENTY_BYTES = 8 * 1024 ** 3;

/** A new folder for all that tests write. */
async function scratchFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  const isPlenty = Math.min(bavail * bsize, process.availableMemory()) >= PLENTY_BYTES;
  const folder = await mkdtemp(join(isPlenty ? IN_MEMORY : tmpdir(), 'blog-content-tests-'));
  // PostgreSQL, which does not run as root, has to pass through.
  await chmod(folder, 0o711);
  return folder;
}

const scratch = await scratchFolder();
// For the servers of the run, and for all that it starts.
process.env['TMPDIR'] = scratch;
const environment = {
  ...process.env,
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  // Its one plugin needs no process of its own.
  NX_ISOLATE_PLUGINS: 'false',
  // CI shows what holds now, not what held when the same inputs were last seen.
  ...(process.env['CI'] && { NX_SKIP_NX_CACHE: 'true' }),
  // Services are started hundreds of times, from the same sources.
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/blog-content/compiled'),
};
const onProgress = (message: string) => console.log(`· ${message}`);

console.log('Starting what the tests need …');
const s3 = s3Availability();
// Built before anything else runs: that takes all processors. What is wrong with it is for the tests that need it to
// say.
if (s3.available && (values.only === undefined || values.only === 'image-storage')) {
  await versitygw(onProgress).catch((error: Error) => onProgress(error.message));
}
const { env, kafka, stop } = await startTestInfrastructure({ onProgress });
if (kafka.available) onProgress(`Kafka: ${kafka.how}`);
const folder = await mkdtemp(join(tmpdir(), 'blog-content-failures-'));
const testEnvironment = { ...environment, ...env, TEST_FAILURES_FOLDER: folder };
// The database clients are there: bootstrap.mjs has generated them, and nobody may do it again while others read them.
const runTests = ['nx', 'run-many', '-t', 'test', '--output-style=static', '--exclude-task-dependencies'] as const;
const startedAt = Date.now();

if (values.only !== undefined) {
  await inOrder([[...runTests, '-p', values.only, ...(files.length > 0 ? ['--', ...files] : [])]], testEnvironment);
} else {
  // Nx notes what the projects are, which the others then read.
  await inOrder([['nx', 'sync:check']], environment);
  // Two lanes of tests, of about the same length: half of a test's time is waiting. With three the run takes as long.
  await Promise.all([
    inOrder(
      ['end-to-end', 'dashboard', 'webhook-dispatcher'].map((project) => [...runTests, '-p', project] as const),
      testEnvironment,
    ),
    inOrder(
      [
        [...runTests, '--exclude=end-to-end,dashboard,webhook-dispatcher,content-service', '--parallel=1'],
        [...runTests, '-p', 'content-service'],
      ],
      testEnvironment,
    ),
  ]);
}

let failures = await takeFailures();
let passedAlone: string[] = [];
// Only what tests that are named can explain is looked at again.
const named = failed.every((what) => what.startsWith('nx run-many -t test')) && (await readdir(folder)).length === 0;
if (values.only === undefined && named && failures.length > 0 && failures.length <= MAX_RUN_AGAIN) {
  console.log(`\nRunning again, alone, what failed:\n${failures.join('\n')}`);
  if (await passAlone(failures)) {
    passedAlone = failures;
    failed = [];
  }
  failures = [...(await takeFailures()), ...failures];
}

await stop();
await rm(scratch, { recursive: true, force: true });
if (!kafka.available) {
  console.log(`\n!!! The Kafka half was SKIPPED: ${kafka.reason}`);
  if (process.env['CI']) failed.push('Kafka is required when CI is set');
}

if (!s3.available) {
  console.log(`\n!!! The S3 half of image-storage was SKIPPED: ${s3.reason}`);
  if (process.env['CI']) failed.push('An S3 server is required when CI is set');
}

const seconds = Math.round((Date.now() - startedAt) / 1000);
console.log(
  failed.length === 0 ? `\nAll passed in ${seconds} s.` : `\nFAILED after ${seconds} s: ${failed.join(', ')}.`,
);
if (passedAlone.length > 0) {
  console.log(`\n!!! Failed at first, and passed when they ran again alone:\n${passedAlone.join('\n')}`);
} else if (failures.length > 0) {
  console.log(`\nTests that failed:\n${failures.slice(0, MAX_FAILURES).join('\n')}`);
}
process.exit(failed.length === 0 ? 0 : 1);
