import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { IMPORT_LIMITS } from '@blog-content/payload-schemas';
import { unprocessable } from '@blog-content/service-runtime';
import type { Entry, ZipFile } from 'yauzl';
import { MAX_IMAGE_BYTES } from '../../../images/image-limits.ts';
import { classifyPath, EXPORT_MARK, extensionOf, isPicturePath } from '../posts/classify-path.ts';

/** The text of a file, or why it cannot be read. */
export type FileText = { readonly text: string } | { readonly unreadable: string };

/** A file that may be a post. Nothing of it is unpacked before it is read, nor kept after. */
export interface ArchivedFile {
  readonly path: string;
  readonly format: 'markdown' | 'html';
  read(): Promise<FileText>;
}

/** A text beside the posts. */
export interface ArchivedText {
  readonly path: string;
  read(): Promise<FileText>;
}

/** An image of a library, or one that posts may show. Nothing of it is unpacked before it is read, nor kept after. */
export interface ArchivedImage {
  readonly path: string;
  /** In bytes, when unpacked. */
  readonly size: number;
  read(): Promise<{ readonly bytes: Buffer } | { readonly unreadable: string }>;
}

/** A ZIP archive whose table of contents is within the limits. */
export interface Archive {
  readonly files: readonly ArchivedFile[];
  readonly images: readonly ArchivedImage[];
  /** Other images, by composed path (NFC): those that posts show are imported. */
  readonly pictures: ReadonlyMap<string, ArchivedImage>;
  /** What the archive tells of its images, as lines of JSON; null when it tells nothing. */
  readonly imageData: ArchivedText | null;
  /** The authors of an export, as lines of JSON; null when there are none. */
  readonly authorData: ArchivedText | null;
  /** How the project of an export is set up, as JSON; null in what is no export. */
  readonly settingsData: ArchivedText | null;
  /** Posts as they were written, by their paths in an export. */
  readonly originals: ReadonlyMap<string, ArchivedText>;
  /** The slugs of files in other archives, as lines of JSON; null when there are none. */
  readonly slugData: ArchivedText | null;
  /** Paths of texts in formats that are not read. */
  readonly unsupported: readonly string[];
  /** How many other files there are, by extension. */
  readonly others: ReadonlyMap<string, number>;
  /** Of all files but the pictures. */
  readonly unpackedBytes: number;
}

/** Most entries of any kind: images and folders are listed in the archive, though not unpacked. */
const MAX_ENTRIES = 20_000;
const MEBIBYTE = 1024 * 1024;
/** Most bytes of what an export tells of its images: enough for as many as one archive may have. */
const MAX_IMAGE_DATA_BYTES = 8 * MEBIBYTE;
/** Most bytes of the authors: more than a project may have. */
const MAX_AUTHOR_DATA_BYTES = MEBIBYTE;
/** Most bytes of the settings: data fields with schemas, a brand voice, topics of an autopilot. */
const MAX_SETTINGS_BYTES = 8 * MEBIBYTE;
/** Most bytes of the slugs in other archives: enough for as many posts as a project may have. */
const MAX_SLUG_DATA_BYTES = 16 * MEBIBYTE;
const FILE_TYPE_BITS = 0o170000;
const SYMBOLIC_LINK = 0o120000;
const MADE_ON_UNIX = 3;
const STORED = 0;
/** Kinds of files that are unpacked. */
const UNPACKED: ReadonlySet<string> = new Set([
  'post',
  'original',
  'image',
  'image_data',
  'author_data',
  'settings_data',
  'slug_data',
]);

/** What to do with an archive that is too large. */
export const SEND_IN_PARTS =
  'split it into several archives, images with data/images.jsonl first, then posts; `blog import` does this automatically';

const inflate = promisify(inflateRaw);

/**
 * Opens a ZIP archive. Only the files that may be posts are ever unpacked, one at a time, and counted while they are.
 *
 * @throws a 422 problem of `body` for what is no ZIP, holds nothing to import or dangerous paths, or breaks a limit.
 */
export async function openArchive(bytes: Buffer): Promise<Archive> {
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true }).catch((error: unknown) => {
    throw refused(`is not a readable ZIP archive: ${reasonOf(error)}`);
  });
  if (zip.entryCount > MAX_ENTRIES) throw refused(`has more than ${MAX_ENTRIES} entries`);
  const entries = await listEntries(zip);
  const archive = sortEntries(bytes, zip, entries);
  refuseUnlessImportable(archive);
  return archive;
}

/** What each entry is, with what reads it. Nothing is unpacked yet. */
function sortEntries(bytes: Buffer, zip: ZipFile, entries: readonly Entry[]): Archive {
  const files: ArchivedFile[] = [];
  const images: ArchivedImage[] = [];
  const pictures = new Map<string, ArchivedImage>();
  const originals = new Map<string, ArchivedText>();
  const root = rootOf(entries);
  let imageData: ArchivedText | null = null;
  let slugData: ArchivedText | null = null;
  let authorData: ArchivedText | null = null;
  let settingsData: ArchivedText | null = null;
  let unpackedBytes = 0;
  const unsupported: string[] = [];
  const others = new Map<string, number>();
  const seen = new Set<string>();
  const readerOf = (entry: Entry, unreadable: string | null) => () =>
    unreadable === null ? readText(bytes, zip, entry) : Promise.resolve({ unreadable });
  const imageOf = (entry: Entry, path: string): ArchivedImage => ({
    path,
    size: entry.uncompressedSize,
    async read() {
      const unreadable = reasonNotToRead(entry, MAX_IMAGE_BYTES);
      const unpacked = unreadable === null ? await unpackWhole(bytes, zip, entry) : null;
      return unpacked === null ? { unreadable: unreadable ?? DAMAGED.unreadable } : { bytes: unpacked };
    },
  });
  for (const entry of entries) {
    const path = entry.fileName.startsWith(root ?? '') ? entry.fileName.slice(root?.length ?? 0) : entry.fileName;
    if (path.endsWith('/')) continue;
    const what = classifyPath(path, root !== null);
    if (UNPACKED.has(what.kind)) unpackedBytes += entry.uncompressedSize;
    switch (what.kind) {
      case 'post': {
        const unreadable = seen.has(path.normalize()) ? 'is a duplicate path' : reasonNotToRead(entry);
        seen.add(path.normalize());
        files.push({ path, format: what.format, read: readerOf(entry, unreadable) });
        break;
      }
      case 'image':
        images.push(imageOf(entry, path));
        break;
      case 'original':
        originals.set(path, { path, read: readerOf(entry, reasonNotToRead(entry)) });
        break;
      case 'image_data':
        imageData = { path, read: readerOf(entry, reasonNotToRead(entry, MAX_IMAGE_DATA_BYTES)) };
        break;
      case 'author_data':
        authorData = { path, read: readerOf(entry, reasonNotToRead(entry, MAX_AUTHOR_DATA_BYTES)) };
        break;
      case 'settings_data':
        settingsData = { path, read: readerOf(entry, reasonNotToRead(entry, MAX_SETTINGS_BYTES)) };
        break;
      case 'slug_data':
        slugData = { path, read: readerOf(entry, reasonNotToRead(entry, MAX_SLUG_DATA_BYTES)) };
        break;
      case 'unsupported':
        unsupported.push(path);
        break;
      case 'other':
        if (isPicturePath(path)) pictures.set(path.normalize(), imageOf(entry, path));
        else others.set(extensionOf(path), (others.get(extensionOf(path)) ?? 0) + 1);
        break;
      case 'ignored':
        break;
    }
  }
  return {
    files,
    images,
    pictures,
    imageData,
    authorData,
    settingsData,
    originals,
    slugData,
    unsupported,
    others,
    unpackedBytes,
  };
}

/** The folder of an export within its archive, or nothing; null where the archive is none. */
function rootOf(entries: readonly Entry[]): string | null {
  const mark = entries.find(
    ({ fileName }) => /^(?:[^/]+\/)?[^/]+\/[^/]+$/.test(fileName) && fileName.endsWith(EXPORT_MARK),
  );
  return mark === undefined ? null : mark.fileName.slice(0, -EXPORT_MARK.length);
}

/** @throws a 422 problem of `body` when there is nothing to import, or more than one import takes. */
function refuseUnlessImportable(archive: Archive): void {
  const { files, unsupported, images, imageData, pictures } = archive;
  // An archive that tells of its images may have nothing else.
  const named = imageData === null ? 0 : pictures.size;
  if (files.length + unsupported.length + images.length + named === 0)
    throw refused('has no .md, .markdown, .html or .htm file');
  refuseTooMuch(archive, []);
}

/** @throws a 422 problem of `body` when there is more than one import takes, with these of the pictures. */
export function refuseTooMuch(archive: Archive, pictures: readonly ArchivedImage[]): void {
  const found = archive.files.length + archive.unsupported.length + archive.images.length + pictures.length;
  if (found > IMPORT_LIMITS.files) {
    throw refused(`has more than ${IMPORT_LIMITS.files} posts and images: ${SEND_IN_PARTS}`);
  }
  if (pictures.reduce((total, { size }) => total + size, archive.unpackedBytes) > IMPORT_LIMITS.unpackedBytes) {
    throw refused(
      `has more than ${IMPORT_LIMITS.unpackedBytes / MEBIBYTE} MB of posts and images when unpacked: ${SEND_IN_PARTS}`,
    );
  }
}

async function listEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    throw refused(`is not a readable ZIP archive: ${reasonOf(error)}`);
  }
  for (const entry of entries) {
    const { fileName } = Object.assign(entry, { fileName: nameOf(entry) });
    if (fileName.length > IMPORT_LIMITS.pathLength) {
      throw refused(`has a path of more than ${IMPORT_LIMITS.pathLength} characters`);
    }
    if (/[\p{Cc}\p{Cs}]/u.test(fileName)) throw refused('has a path with control characters');
  }
  return entries;
}

const UTF8_NAME = 0x800;

/** Some systems write UTF-8 without saying so. */
function nameOf({ fileName, fileNameRaw, generalPurposeBitFlag }: Entry): string {
  if ((generalPurposeBitFlag & UTF8_NAME) !== 0) return fileName;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fileNameRaw);
  } catch {
    return fileName;
  }
}

/** Why the file is not unpacked at all; null when it may be. */
function reasonNotToRead(entry: Entry, maxBytes: number = IMPORT_LIMITS.fileBytes): string | null {
  if (entry.isEncrypted()) return 'is encrypted';
  const isUnix = entry.versionMadeBy >>> 8 === MADE_ON_UNIX;
  if (isUnix && ((entry.externalFileAttributes >>> 16) & FILE_TYPE_BITS) === SYMBOLIC_LINK) return 'is a symbolic link';
  if (!entry.canDecodeFileData()) return 'uses a compression method other than Deflate';
  if (entry.uncompressedSize > maxBytes) return `exceeds ${maxBytes / MEBIBYTE} MB`;
  return null;
}

const NOT_UTF8 = { unreadable: 'is not UTF-8 text' };
const DAMAGED = { unreadable: 'is corrupt in the archive' };

async function readText(archive: Buffer, zip: ZipFile, entry: Entry): Promise<FileText> {
  const bytes = await unpackWhole(archive, zip, entry);
  if (bytes === null) return DAMAGED;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // UTF-16 may be valid UTF-8, byte by byte.
    if (text.split('\0').length > text.length / 8 + 4) return NOT_UTF8;
    return { text: text.replace(/^\uFEFF+/, '').replaceAll('\0', '') };
  } catch {
    return NOT_UTF8;
  }
}

/** Null when it is damaged. */
async function unpackWhole(archive: Buffer, zip: ZipFile, entry: Entry): Promise<Buffer | null> {
  const bytes = await unpack(archive, zip, entry).catch(() => null);
  return bytes?.length === entry.uncompressedSize && crc32(bytes) === entry.crc32 ? bytes : null;
}

/** @throws when there is more than the entry has declared, or the data is damaged. */
async function unpack(archive: Buffer, zip: ZipFile, entry: Entry): Promise<Buffer> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const data = archive.subarray(fileDataStart, fileDataStart + entry.compressedSize);
  if (entry.compressionMethod === STORED) return data;
  return inflate(data, { maxOutputLength: Math.max(1, entry.uncompressedSize) });
}

const refused = (message: string) => unprocessable([{ field: 'body', message }]);

/** The library's message, which may quote a path of the archive. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'unknown reason';
}
