import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

interface Packed {
  readonly name: string;
  readonly version: string;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly bundleDependencies?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

const ALLOWED = /^(?:dist\/.*\.(?:js|d\.ts)|README\.md|LICENSE|package\.json)$/;
const IMPORTED =
  /^(?:import|export|\})[^'"\n]*\bfrom ['"]([^'"\n]+)['"]|^import ['"]([^'"\n]+)['"]|\bimport\(['"]([^'"\n]+)['"]\)/gm;

/**
 * What is wrong with a package that is ready to be packed, in sentences: files that have no place in it, types or
 * programs that its manifest names and that are not there, imports that its reader cannot resolve, another version than
 * the changelog's newest.
 */
export async function checkPackage(folder: string, { newest }: { newest: string }): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Packed;
  const problems: string[] = [];
  if (manifest.version !== newest) {
    problems.push(`Its version is ${manifest.version}, but CHANGELOG.md says ${newest}.`);
  }
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('node_modules/'));
  for (const path of files) if (!ALLOWED.test(path)) problems.push(`${path} does not belong in the package.`);
  for (const path of ['README.md', 'LICENSE']) if (!files.includes(path)) problems.push(`${path} is missing.`);
  const named = [
    ...Object.values(manifest.exports ?? {}).flatMap((conditions) => Object.values(conditions)),
    ...Object.values(manifest.bin ?? {}),
  ].map((path) => path.replace(/^\.\//, ''));
  for (const path of named) if (!files.includes(path)) problems.push(`${path}, named in its manifest, is missing.`);
  for (const path of Object.values(manifest.bin ?? {})) {
    const text = await readFile(join(folder, path), 'utf8').catch(() => '');
    if (!text.startsWith('#!/usr/bin/env node\n')) problems.push(`${path} must start with #!/usr/bin/env node.`);
  }
  for (const path of files.filter((file) => /\.(?:js|d\.ts)$/.test(file))) {
    const text = await readFile(join(folder, path), 'utf8');
    for (const [, from, bare, later] of text.matchAll(IMPORTED)) {
      const specifier = from ?? bare ?? later ?? '';
      const problem = problemOfImport(folder, { path, specifier, manifest });
      if (problem !== null) problems.push(problem);
    }
  }
  return problems;
}

function problemOfImport(
  folder: string,
  { path, specifier, manifest }: { path: string; specifier: string; manifest: Packed },
): string | null {
  if (specifier.startsWith('node:')) return null;
  if (specifier.startsWith('.')) {
    const at = join(folder, dirname(path), specifier);
    const isThere = existsSync(path.endsWith('.d.ts') ? at.replace(/\.[jt]s$/, '.d.ts') : at);
    return isThere ? null : `${path} imports ${specifier}, which is missing.`;
  }
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (name === manifest.name || manifest.bundleDependencies?.includes(name)) return null;
  return `${path} imports ${specifier}, which is not a dependency.`;
}
