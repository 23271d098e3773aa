import { stat } from 'node:fs/promises';
import { CommandError, UsageError } from '../../command-error.ts';
import { decodeJson, decodeXml, type DecodedExport } from '../../exports/decode-export.ts';
import { sentenceOnLostLetters, UnreadableExport, type ReadExport } from '../../exports/exported-post.ts';
import { readGhost } from '../../exports/read-ghost.ts';
import { readWordPress } from '../../exports/wordpress/read-wordpress.ts';
import { writeFiles, type ImportFiles } from '../../exports/write-files.ts';
import { exportsIn, headOf, isZip, kindOf, readSingle, type ExportKind } from '../../sources/find-export.ts';
import { readFolder } from '../../sources/read-folder.ts';
import { readZip } from '../../sources/read-zip.ts';
import { AUTHOR_DATA, isPostPath, type Source, type SourceFile } from '../../sources/source.ts';

/** What is imported. */
export interface OpenImport extends Source, Pick<ImportFiles, 'redirects'> {
  /** What could not be read. */
  readonly problems: readonly string[];
  /** Whether its files name their own slugs, and each other by them. */
  readonly hasSlugs: boolean;
}

/** Of the files of an export that another program has made. */
const MAX_EXPORT_BYTES = 256 * 2 ** 20;

/**
 * Opens a source: a folder, a ZIP archive, one file, or an export of another program, which is recognized by what is in
 * it.
 *
 * @throws CommandError for what is none of these
 */
export async function openImport(path: string, from: unknown, site: string | null, now: Date): Promise<OpenImport> {
  if (from !== undefined && from !== 'wordpress' && from !== 'ghost')
    throw new UsageError('--from must be wordpress or ghost.');
  const found = await stat(path).catch(() => null);
  if (found === null) throw new CommandError(`${path} not found.`);
  if (found.isDirectory()) return filesOrExports(await readFolder(path), path, from, site, now);
  const head = await headOf(path);
  if (isZip(head)) return filesOrExports(await readZip(path), path, from, site, now);
  const file = await readSingle(path);
  const kind = from ?? kindOf(path, head);
  if (kind !== null) return fromExport(kind, [file], site, now);
  if (isPostPath(path)) return plain({ files: [file], notes: [], close: () => undefined });
  throw new CommandError(
    `${path} must be a folder, a ZIP archive, a Markdown or HTML file, or an export of WordPress (XML) or Ghost (JSON).`,
  );
}

const plain = (source: Source): OpenImport => ({ ...source, redirects: [], problems: [], hasSlugs: false });

async function filesOrExports(
  source: Source,
  path: string,
  from: ExportKind | undefined,
  site: string | null,
  now: Date,
): Promise<OpenImport> {
  try {
    const exported = await exportsIn(source);
    const kind = from ?? exported[0]?.kind;
    if (kind === undefined) return plain(source);
    const files = exported.filter((one) => one.kind === kind).map(({ file }) => file);
    if (files.length === 0) throw new CommandError(`${path} has no ${kind} export, or mixes it with other posts.`);
    const opened = await fromExport(kind, files, site, now);
    source.close();
    return opened;
  } catch (error) {
    source.close();
    throw error;
  }
}

async function fromExport(
  kind: ExportKind,
  files: readonly SourceFile[],
  site: string | null,
  now: Date,
): Promise<OpenImport> {
  const size = files.reduce((total, file) => total + file.size, 0);
  if (size > MAX_EXPORT_BYTES) {
    throw new CommandError(`The export exceeds ${MAX_EXPORT_BYTES / 2 ** 20} MB. Export it in parts.`);
  }
  try {
    const decoded: DecodedExport[] = [];
    for (const file of files) decoded.push((kind === 'ghost' ? decodeJson : decodeXml)(await file.read()));
    const read = readExport(kind, decoded, site, now);
    const notes = decoded.flatMap((one) => one.notes);
    if (read.posts.length === 0)
      throw new UnreadableExport(['The export has no importable posts.', ...read.problems, ...read.notes].join(' '));
    const { files: made, redirects, notes: addressNotes } = writeFiles(read.posts);
    return {
      files: [...made, ...authorFiles(read.authors)].map(([path, text]) => madeFile(path, text)),
      notes: [...notes, ...read.notes, ...sentenceOnLostLetters(read.posts), ...addressNotes],
      problems: read.problems,
      redirects,
      hasSlugs: true,
      close: () => undefined,
    };
  } catch (error) {
    if (error instanceof UnreadableExport) throw new CommandError(error.message);
    throw error;
  }
}

function readExport(kind: ExportKind, decoded: readonly DecodedExport[], site: string | null, now: Date): ReadExport {
  const files = decoded.map(({ text, isDamaged }) => ({ text, isDamaged, now }));
  const [first] = files;
  if (first === undefined) throw new UnreadableExport('No export found.');
  return kind === 'ghost' ? readGhost(first, site) : readWordPress(first, ...files.slice(1));
}

/** As an export of a project has them. */
const authorFiles = (authors: ReadExport['authors']): [string, string][] =>
  authors.length === 0 ? [] : [[AUTHOR_DATA, authors.map((author) => `${JSON.stringify(author)}\n`).join('')]];

function madeFile(path: string, text: string): SourceFile {
  const bytes = Buffer.from(text);
  return { path, size: bytes.length, read: () => Promise.resolve(bytes) };
}
