// `npm run drill`: rehearses disasters and maintenance, on servers that a drill starts for itself.
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Drill } from './parts/drill.ts';

const files = await readdir(import.meta.dirname);
const names = files.flatMap((file) => (/^[a-z0-9-]+\.ts$/.test(file) && file !== 'main.ts' ? [file.slice(0, -3)] : []));

const usage = `Usage: npm run drill -- <name>

Rehearses disasters and maintenance under load, on servers that it starts for itself and stops again. Those “on a
cluster” need kubectl and a cluster that runs the images.

  drain              on a cluster: evict every pod, as draining nodes does
  full-disk          a full disk, a read-only and a frozen database; needs root, to mount the disk
  hot-backup         back up while posts are published, and recover to a moment; “new-log”: with an empty Kafka
  poisoned-event     an event that can't be processed: others continue; then retry it, and skip one
  postgres-failover  promote an asynchronous standby after lost transactions, rebuild, check and repair
  rolling-restart    on a cluster: restart every pod
  rotate-secrets     rotate all keys, and the passwords of PostgreSQL, Kafka, S3 and SMTP
  upgrade            last release → these sources → last release; a commit may be named instead

Prints each step and each check. Exit codes: 0 all checks passed, 1 failure, 2 usage error.`;

const [name, ...args] = process.argv.slice(2);
if ([name, ...args].some((word) => word === '--help' || word === '-h')) {
  console.log(usage);
  process.exit(0);
}
if (name === undefined || !names.includes(name)) {
  console.error(`${name === undefined ? 'Which drill?' : `There is no drill “${name}”.`}\n\n${usage}`);
  process.exit(2);
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
  const { drill } = (await import(join(import.meta.dirname, `${name}.ts`))) as { drill: Drill };
  await drill({
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
