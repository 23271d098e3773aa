// `npm run try-exports`: builds exports of a project with real site generators, and imports them again.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startStack, type Stack } from './try-examples/start-stack.ts';
import { checkBuild } from './try-exports/check-build.ts';
import {
  fillProject,
  newProject,
  publicPosts,
  type FilledProject,
  type PublicPost,
} from './try-exports/fill-project.ts';
import { generators, OPTIONAL, type Generator } from './try-exports/generators.ts';
import { importAgain } from './try-exports/import-again.ts';
import { unpack } from './try-exports/unpack.ts';

const usage = `Usage: npm run try-exports [-- options]

Exports a project of difficult posts in every format, and builds each archive with Astro, Hugo, Eleventy and Jekyll as its
README says. Checks text, links and images, and that no draft is built. Then imports each archive and compares the posts.
Skips a generator that can't be installed. With CI set, only Jekyll may be skipped.

Exit codes: 0 success, 1 failure, 2 usage error.

  --only <name>    astro, eleventy, hugo or jekyll
  --keep <folder>  keep archives and builds in this folder
  --help           show this

Environment:
  DATABASE_URL     an existing PostgreSQL server (default: embedded)`;

const { values } = parseArgs({
  options: { only: { type: 'string' }, keep: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const names = Object.keys(generators).filter((name) => values.only === undefined || values.only === name);
if (names.length === 0) {
  console.error(`Unknown generator “${values.only}”.\n\n${usage}`);
  process.exit(2);
}

const run = promisify(execFile);
const COMMAND = join(import.meta.dirname, '../libs/blog-cli/src/blog.main.ts');
const FORMATS = ['written', 'markdown', 'html'] as const;
/** What is wrong with one site, at most. */
const MAX_SENTENCES = 10;
const failures: string[] = [];
const skipped: string[] = [];

/** Exports by the command “blog”. */
async function exportTo(
  file: string,
  format: string,
  stack: Stack,
  { id }: FilledProject,
  folder: string,
): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: join(folder, 'config'),
    BLOG_PASSWORD: stack.ownerPassword,
    BLOG_PROJECT: id,
  };
  const blog = (...args: string[]) => run(process.execPath, [COMMAND, ...args], { cwd: folder, env });
  await blog('sign-in', '--email', stack.ownerEmail, '--origin', stack.origin);
  await blog('export', '--out', file, '--format', format);
}

async function install(folder: string): Promise<Map<string, Generator>> {
  const installed = new Map<string, Generator>();
  for (const name of names) {
    try {
      const startedAt = performance.now();
      installed.set(name, await generators[name]!(join(folder, name)));
      console.log(`· ${name}: installed (${seconds(startedAt)})`);
    } catch (error) {
      console.log(`\n!!! ${name} was SKIPPED: ${(error as Error).message.split('\n')[0]}`);
      skipped.push(name);
      if (process.env['CI'] && !OPTIONAL.has(name)) failures.push(`${name} is required when CI is set`);
    }
  }
  return installed;
}

async function build(
  name: string,
  generator: Generator,
  unpacked: string,
  posts: readonly PublicPost[],
  format: string,
) {
  const startedAt = performance.now();
  try {
    const wrong = await checkBuild(await generator.build(join(unpacked, 'sites', name)), posts, format === 'html');
    if (wrong.length > 0) failures.push(`${name}, ${format}: ${wrong.slice(0, MAX_SENTENCES).join('; ')}`);
    console.log(`${name}, ${format}: ${posts.length} posts, ${wrong.length} wrong (${seconds(startedAt)})`);
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    failures.push(`${name}, ${format}: ${message.split('\n')[0]}\n${`${stdout}\n${stderr}`.trim().slice(-3_000)}`);
  }
}

const seconds = (startedAt: number): string => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;

async function main(resources: AsyncDisposableStack): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'blog-content-exports-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const installed = await install(folder);
  const stack = resources.use(await startStack(join(folder, 'stack')));
  const project = await newProject(stack, 'The “Slow” Kitchen: "yes" & <more>');
  const posts = await publicPosts(stack, project, await fillProject(stack, project));
  for (const format of FORMATS) {
    const file = join(folder, `${format}.zip`);
    await exportTo(file, format, stack, project, folder);
    for (const [name, generator] of installed) {
      const unpacked = join(folder, `${format}-${name}`);
      await unpack(file, unpacked);
      await build(name, generator, unpacked, posts, format);
      if (values.keep !== undefined) await keep(unpacked, join(values.keep, format, name));
    }
    failures.push(
      ...(await importAgain(stack, file, project, posts)).map((what) => `imported again, ${format}: ${what}`),
    );
    console.log(`${format}: imported again`);
  }
}

async function keep(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await cp(from, to, { recursive: true, filter: (path) => !/\/(?:used|node_modules)$/.test(path) });
}

const resources = new AsyncDisposableStack();
try {
  await main(resources);
} catch (error) {
  failures.push((error as Error).stack ?? String(error));
} finally {
  await resources.disposeAsync();
}
for (const failure of failures) console.error(`FAILED ${failure}`);
const left = skipped.length === 0 ? '' : ` Skipped: ${skipped.join(', ')}.`;
console.log(failures.length === 0 ? `\nPassed.${left}` : `\n${failures.length} failed.${left}`);
process.exit(failures.length === 0 ? 0 : 1);
