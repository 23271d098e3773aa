// `npm test`: all tests, on one PostgreSQL and one Kafka for the run.
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions, usage, type Options } from './test/options.ts';
import { hasUnfinished, lineOf, mayRunAgain, takeFailures, takeSkipped, type Failure } from './test/run-notes.ts';
import { chosen, testedProjects, withinProject, type TestedProject } from './test/spec-files.ts';
import { endStepsOnSignals, step } from './test/steps.ts';
import { needsOf, provideFor } from './test/tools-of-run.ts';

const root = join(import.meta.dirname, '..');
const onProgress = (message: string) => console.log(`· ${message}`);

function wrongUsage(error: Error): never {
  console.error(error.message);
  process.exit(2);
}

let options: Options;
try {
  options = parseOptions(process.argv.slice(2));
} catch (error) {
  wrongUsage(new Error(`${(error as Error).message}\n\n${usage}`));
}
if (options.help) {
  console.log(usage);
  process.exit(0);
}
const all = testedProjects(root);
let projects: readonly TestedProject[];
try {
  projects = options.only ? chosen(all, options.only, options.files) : [...all.values()];
} catch (error) {
  wrongUsage(error as Error);
}

const startedAt = Date.now();
const needs = needsOf(
  root,
  projects.flatMap(({ specs }) => specs),
);
const leftOut = await provideFor(needs, { mayInstall: options.install, say: onProgress });
if (leftOut.advice !== null) {
  if (process.env['CI']) {
    console.error(`CI is set, but programs are missing. ${leftOut.advice}`);
    process.exit(1);
  }
  console.log(`! ${leftOut.advice}\n! Tests that need them are skipped and listed at the end.`);
}

/** The end of a run names no more tests. */
const MAX_FAILURES = 30;
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

endStepsOnSignals();
const scratch = await scratchFolder();
// For the servers of the run, and for all that it starts.
process.env['TMPDIR'] = scratch;
const environment = {
  ...process.env,
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  // Its one plugin needs no process of its own.
  NX_ISOLATE_PLUGINS: 'false',
  // CI shows what holds now, not what held when the same inputs were last seen; and what a run leaves out is listed by
  // the run itself.
  ...((process.env['CI'] || leftOut.without.length > 0) && { NX_SKIP_NX_CACHE: 'true' }),
  // Services are started hundreds of times, from the same sources.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/blog-content/compiled'),
  TESTS_WITHOUT: leftOut.without.join(','),
  TESTS_LEFT_OUT: [...leftOut.files.keys()].join(':'),
};

const runs = (specs: readonly string[]) => specs.some((spec) => !leftOut.files.has(spec));

/**
 * Builds programs before anything else runs: that takes all processors. What is wrong with one is for the tests that
 * need it to say.
 */
async function buildPrograms(): Promise<void> {
  const { goProgram, hasGoProgram } = await import('@blog-content/local-infrastructure');
  const wanted = [
    ...(runs(needs.s3) ? (['versitygw'] as const) : []),
    ...(runs(needs.charts) ? (['helm', 'kustomize'] as const) : []),
  ];
  for (const name of wanted.filter(hasGoProgram)) {
    await goProgram(name, onProgress).catch((error: Error) => onProgress(error.message));
  }
}

/** What the tests are told of the servers of the run, and how these end. */
async function startServers() {
  const { s3Availability } = await import('@blog-content/local-infrastructure');
  const { startTestInfrastructure } = await import('@blog-content/testing');
  console.log('Starting test servers…');
  const s3 = s3Availability();
  const { env, kafka, stop } = await startTestInfrastructure({ onProgress });
  if (kafka.available) onProgress(`Kafka: ${kafka.how}`);
  const lacking = [
    ...(kafka.available ? [] : [`Kafka: ${kafka.reason}`]),
    ...(s3.available || !runs(needs.s3) ? [] : [`S3: ${s3.reason}`]),
  ];
  return { env, lacking, stop };
}

await buildPrograms();
const servers =
  runs(needs.servers) || runs(needs.s3)
    ? await startServers()
    : { env: {}, lacking: [], stop: () => Promise.resolve() };
const notes = await mkdtemp(join(tmpdir(), 'blog-content-failures-'));
const testEnvironment = { ...environment, ...servers.env, TEST_FAILURES_FOLDER: notes };
let failed: string[] = [];

/** Runs spec files of one project without Nx, which would take longer than some of them. */
async function runSpecs(project: TestedProject, specs: readonly string[]): Promise<boolean> {
  const run = specs.filter((spec) => !leftOut.files.has(spec)).map((spec) => withinProject(project, spec));
  if (run.length === 0) return true;
  return step('jest', ['--runTestsByPath', ...run], {
    cwd: join(root, project.folder),
    env: {
      ...testEnvironment,
      NODE_OPTIONS: '--conditions=@blog-content/source --disable-warning=ExperimentalWarning',
    },
  });
}

/** Runs steps one after the other, also after one that failed. */
async function inOrder(steps: readonly (readonly [string, ...string[]])[], env: NodeJS.ProcessEnv): Promise<void> {
  for (const [command, ...args] of steps) {
    if (!(await step(command, args, { env }))) failed.push(`${command} ${args.slice(0, 3).join(' ')}`);
  }
}

if (options.only) {
  for (const project of projects) {
    if (!(await runSpecs(project, project.specs))) failed.push(`tests of ${project.name}`);
  }
} else {
  // The database clients are there: bootstrap.mjs has generated them, and nobody may do it again while others read them.
  const runTests = ['nx', 'run-many', '-t', 'test', '--output-style=static', '--exclude-task-dependencies'] as const;
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

/** Runs the files of tests that exceeded their time limit once more, when nothing else runs; whether all passed. */
async function passAlone(failures: readonly Failure[]): Promise<boolean> {
  const files = [...new Set(failures.map(({ file }) => file))];
  for (const project of projects) {
    const late = files.filter((file) => project.specs.includes(file));
    if (late.length > 0 && !(await runSpecs(project, late))) return false;
  }
  return true;
}

let failures = await takeFailures(notes);
let passedAlone: readonly Failure[] = [];
// Only what the named tests explain is looked at again.
const isExplained = failed.every((what) => what !== 'nx sync:check') && !(await hasUnfinished(notes));
if (options.only === undefined && isExplained && mayRunAgain(failures)) {
  console.log(`\nRerunning tests that timed out, one at a time:\n${failures.map(lineOf).join('\n')}`);
  if (await passAlone(failures)) {
    passedAlone = failures;
    failed = [];
  }
  failures = [...(await takeFailures(notes)), ...failures];
}

const skipped = [
  ...[...leftOut.files].map(([file, reason]) => `${file}: all tests (needs ${reason})`),
  ...(await takeSkipped(notes)).map(({ file, tests }) => {
    const reason = leftOut.reasonOf(file) || servers.lacking.join('; ');
    return `${file}: ${tests} ${tests === 1 ? 'test' : 'tests'}${reason === '' ? '' : ` (needs ${reason})`}`;
  }),
];
await servers.stop();
await rm(scratch, { recursive: true, force: true });

for (const reason of servers.lacking) {
  console.log(`\n!!! SKIPPED because of missing ${reason}`);
  if (process.env['CI']) failed.push(`CI is set, but ${reason} is missing`);
}
if (skipped.length > 0) console.log(`\nSkipped:\n${skipped.join('\n')}\n${leftOut.advice ?? ''}`);

if (!projects.some(({ specs }) => runs(specs))) console.log('\nNo tests ran: all were skipped.');
const seconds = Math.round((Date.now() - startedAt) / 1000);
console.log(
  failed.length === 0 ? `\nAll passed in ${seconds} s.` : `\nFAILED after ${seconds} s: ${failed.join(', ')}.`,
);
if (passedAlone.length > 0) {
  console.log(`\n!!! Timed out, then passed alone:\n${passedAlone.map(lineOf).join('\n')}`);
} else if (failures.length > 0) {
  console.log(`\nTests that failed:\n${failures.slice(0, MAX_FAILURES).map(lineOf).join('\n')}`);
}
process.exit(failed.length === 0 ? 0 : 1);
