import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { CommandError } from '../command-error.ts';
import { sentenceOn } from '../exports/exported-post.ts';
import { isHidden, isPostPath, type Source, type SourceFile } from './source.ts';

/** The files of a folder, with a note on links, which could lead to what nobody meant to import. */
export async function readFolder(folder: string): Promise<Source> {
  // As names: what Node 20.3 says of entries has no path.
  const names = (await readdir(folder, { recursive: true }))
    .map((name) => name.split(sep).join('/'))
    .filter((name) => !isHidden(name))
    .sort();
  const files: SourceFile[] = [];
  const links: string[] = [];
  for (const path of names) {
    const file = join(folder, path);
    const entry = await lstat(file);
    if (entry.isSymbolicLink() && (isPostPath(path) || (await leadsToFolder(file)))) links.push(path);
    if (!entry.isFile()) continue;
    // What no archive can hold.
    if (isPostPath(path) && /^[a-z]:|\\/i.test(path))
      throw new CommandError(`${file} cannot be imported: rename it without colons or backslashes.`);
    files.push({ path, size: entry.size, read: () => readFile(file) });
  }
  return {
    files,
    notes: sentenceOn(links, 'symbolic link not imported', 'symbolic links not imported'),
    close: () => undefined,
  };
}

const leadsToFolder = async (link: string): Promise<boolean> =>
  (await stat(link).catch(() => null))?.isDirectory() === true;
