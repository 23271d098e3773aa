import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** What a package in production is not read by. */
const NOT_FOR_RUNNING = /\/node_modules$|\.map$|\/(?:README|CHANGELOG)\.md$/i;

/**
 * Copies what a package depends on, as it is installed here, into the `node_modules` of `target`.
 *
 * @returns the names of its direct dependencies, all of which are there then.
 */
export async function bundleDependencies(root: string, source: string, target: string): Promise<string[]> {
  const copied = new Set<string>();
  async function copy(name: string, from: string): Promise<void> {
    const installed = find(root, name, from);
    // One that is nested where it was found stays nested: another version of the same package may be above it.
    const place = join(target, relative(root, installed).replace(/^libs\/[^/]+\//, ''));
    if (copied.has(place)) return;
    copied.add(place);
    await cp(installed, place, {
      recursive: true,
      filter: (path) => path === installed || !NOT_FOR_RUNNING.test(path),
    });
    for (const needed of await dependenciesOf(installed)) await copy(needed, installed);
  }
  const direct = await dependenciesOf(source);
  for (const name of direct) await copy(name, source);
  return direct;
}

async function dependenciesOf(folder: string): Promise<string[]> {
  const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  return Object.keys(dependencies);
}

/** The folder of an installed package as Node finds it from another one. */
function find(root: string, name: string, from: string): string {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
  }
  throw new Error(`${name}, a dependency of ${relative(root, from)}, is not installed.`);
}
