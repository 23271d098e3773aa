import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

export interface ArchiveOptions {
  /** Unix mode of every file. */
  readonly mode?: number;
  readonly compress?: boolean;
}

/** Of every file: archives of the same files are the same bytes, whenever they are made. */
const MTIME = new Date('2026-11-21T12:00:00.000Z');

/** A ZIP archive of files by their paths. */
export async function makeArchive(
  files: Readonly<Record<string, string | Buffer>>,
  { mode = 0o100644, compress = true }: ArchiveOptions = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) {
    if (path.endsWith('/')) zip.addEmptyDirectory(path, { mtime: MTIME });
    else zip.addBuffer(Buffer.from(content as string), path, { mode, compress, mtime: MTIME });
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** The same archive with each occurrence of `text` overwritten by another of the same length. */
export function overwrite(archive: Buffer, text: string, by: string): Buffer {
  if (text.length !== by.length) throw new Error('The texts must have the same length.');
  return Buffer.from(archive.toString('latin1').replaceAll(text, by), 'latin1');
}
