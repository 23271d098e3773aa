// `npm run drill`: rehearses disasters and maintenance, on servers that a drill starts for itself.
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Drill } from './parts/drill.ts';

const files = await readdir(import.meta.dirname);
const names = files.flatMap((file) => (/^[a-z0-9-]+\.ts$/.test(file) && file !== 'main.ts' ? [file.slice(0, -3)] : []));

const load = async (name: string): Promise<Drill> =>
  ((await import(join(import.meta.dirname, `${name}.ts`))) as { drill: Drill }).drill;

async function describe(): Promise<string> {
  const width = Math.max(...names.map(({ length }) => length));
  const lines: string[] = [];
  for (const name of names.toSorted()) lines.push(`  ${name.padEnd(width)}  ${(await load(name)).summary}`);
  return `Usage: npm run drill -- <name>

Rehearses disasters and maintenance on servers that it starts for itself and stops again.

${lines.join('\n')}

Prints each step and each check. Exit codes: 0 all checks passed, 1 failure, 2 usage error.`;
}

const [name, ...args] = process.argv.slice(2);
const isHelp = [name, ...args].some((word) => word === '--help' || word === '-h');
if (isHelp || name === undefined || !names.includes(name)) {
  const usage = await describe();
  if (isHelp) console.log(usage);
  else console.error(`${name === undefined ? 'Which drill?' : `There is no drill “${name}”.`}\n\n${usage}`);
  process.exit(isHelp ? 0 : 2);
}

const startedAt = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
const resources = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), `drill-${name}-`));
await chmod(folder, 0o711);
resources.defer(() => rm(folder, { recursive: true, force: true }));
let ending: Promise<void> | undefined;
const end = () => (ending ??= resources.disposeAsync());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void end().finally(() => process.exit(1)));
}

let failure: unknown;
try {
  const { run } = await load(name);
  await run({
    args,
    folder,
    resources,
    say,
    check(what, holds) {
      if (!holds) throw new Error(`Not so: ${what}`);
      say(`✓ ${what}`);
    },
  });
} catch (error) {
  failure = error;
  console.error(error);
}
await end();
say(failure === undefined ? `Passed: ${name}` : `FAILED: ${name}`);
process.exit(failure === undefined ? 0 : 1);
