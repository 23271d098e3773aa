import { buffer } from 'node:stream/consumers';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { CommandError } from '../command-error.ts';
import { isHidden, type Source, type SourceFile } from './source.ts';

/** Most entries of an archive, of any kind. */
const MAX_ENTRIES = 500_000;
const UTF8_NAME = 0x800;

/** The files of a ZIP archive, of any size: nothing is unpacked before it is read. */
export async function readZip(file: string): Promise<Source> {
  const zip = await openPromise(file, { autoClose: false, strictFileNames: true }).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (zip.entryCount > MAX_ENTRIES) {
    zip.close();
    throw new CommandError(`${file} has more than ${MAX_ENTRIES} entries.`);
  }
  const files: SourceFile[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const path = nameOf(entry);
      if (!path.endsWith('/') && !isHidden(path)) files.push(fileOf(zip, entry, path));
    }
  } catch (error) {
    zip.close();
    throw unreadable(file, error);
  }
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), notes: [], close: () => zip.close() };
}

const fileOf = (zip: ZipFile, entry: Entry, path: string): SourceFile => ({
  path,
  size: entry.uncompressedSize,
  async read() {
    try {
      return await buffer(await zip.openReadStreamPromise(entry));
    } catch (error) {
      throw unreadable(path, error);
    }
  },
});

/** Some systems write UTF-8 without saying so. */
function nameOf({ fileName, fileNameRaw, generalPurposeBitFlag }: Entry): string {
  if ((generalPurposeBitFlag & UTF8_NAME) !== 0) return fileName;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fileNameRaw);
  } catch {
    return fileName;
  }
}

const unreadable = (name: string, error: unknown): CommandError =>
  new CommandError(`${name} cannot be read: ${(error as Error).message.slice(0, 200)}`);
