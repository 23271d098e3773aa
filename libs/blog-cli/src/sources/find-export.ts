import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { CommandError } from '../command-error.ts';
import { decodeJson, decodeXml } from '../exports/decode-export.ts';
import { isPostPath, type Source, type SourceFile } from './source.ts';

export type ExportKind = 'wordpress' | 'ghost';

/** A file that another program has exported. */
export interface FoundExport {
  readonly kind: ExportKind;
  readonly file: SourceFile;
}

/** How much of a file tells what it is: a site may have printed errors before it. */
const HEAD_BYTES = 64 * 1024;

/** One file by itself, as a source. */
export async function readSingle(path: string): Promise<SourceFile> {
  const { size } = await stat(path);
  return {
    path: basename(path),
    size,
    async read() {
      const file = await open(path);
      try {
        return await file.readFile();
      } finally {
        await file.close();
      }
    },
  };
}

export async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Files, or the end of an archive without any. */
export const isZip = (head: Buffer): boolean => ['504b0304', '504b0506'].includes(head.toString('hex', 0, 4));

/** What has exported a file that begins so; null for what none of them writes. */
export function kindOf(path: string, head: Buffer): ExportKind | null {
  try {
    if (/^\s*\{/.test(decodeJson(head).text)) return /\.json$/i.test(path) ? 'ghost' : null;
    return /<rss[\s>][^]*(?:wordpress\.org\/export|wxr_version)/.test(decodeXml(head).text) ? 'wordpress' : null;
  } catch (error) {
    // In an encoding that is not read: its reader says so.
    return /\.xml$/i.test(path) && error instanceof Error ? 'wordpress' : null;
  }
}

/**
 * The exports of other programs in a folder or an archive without posts, which WordPress.com and Ghost make of several
 * files. Empty where there are none.
 */
export async function exportsIn({ files }: Source): Promise<FoundExport[]> {
  if (files.some(({ path }) => isPostPath(path))) return [];
  const found: FoundExport[] = [];
  for (const file of files) {
    if (!/\.(?:xml|json)$/i.test(file.path)) continue;
    const head = (await file.read()).subarray(0, HEAD_BYTES);
    const kind = kindOf(file.path, head);
    if (kind === 'wordpress' || (kind === 'ghost' && /"posts"\s*:/.test(decodeJson(await file.read()).text)))
      found.push({ kind, file });
  }
  const [first] = found;
  if (first !== undefined && found.some(({ kind }) => kind !== first.kind))
    throw new CommandError('Found both WordPress and Ghost exports. Import one at a time.');
  if (first?.kind === 'ghost' && found.length > 1)
    throw new CommandError(`Found several Ghost exports. Import one at a time, such as ${first.file.path}.`);
  return found;
}
