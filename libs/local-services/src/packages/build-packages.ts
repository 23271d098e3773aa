import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packPackages, PACKAGES_INDEX, PUBLISHED_PACKAGES } from './pack-packages.ts';

const root = join(import.meta.dirname, '../../../..');

/**
 * Packs the published packages unless they are packed from the same sources already; returns the folder of the
 * tarballs.
 */
export async function buildPackages(onProgress: (step: string) => void = () => undefined): Promise<string> {
  const folder = join(root, '.data/packages', hashOfSources());
  if (existsSync(join(folder, PACKAGES_INDEX))) return folder;
  onProgress('Packing the client, the receiver and the command line');
  // Two starts may pack concurrently: each has a folder of its own, and the first one counts.
  await mkdir(dirname(folder), { recursive: true });
  const made = await mkdtemp(`${folder}-`);
  await packPackages(root, made);
  await rename(made, folder).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(made, { recursive: true });
  });
  return folder;
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  const files = ['package-lock.json', 'tsconfig.base.json', 'CHANGELOG.md'].map((file) => join(root, file));
  for (const file of readdirSync(import.meta.dirname)) files.push(join(import.meta.dirname, file));
  for (const name of PUBLISHED_PACKAGES) {
    const folder = join(root, 'libs', name);
    files.push(...['package.json', 'tsconfig.lib.json', 'README.md', 'LICENSE'].map((file) => join(folder, file)));
    for (const entry of readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && !entry.name.endsWith('.spec.ts')) files.push(join(entry.parentPath, entry.name));
    }
  }
  for (const file of files.sort()) hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 16);
}
