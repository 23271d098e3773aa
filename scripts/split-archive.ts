import { stat } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import { IMPORT_LIMITS } from '@blog-content/payload-schemas';
import { openPromise, type Entry, type ZipFile as OpenedZip } from 'yauzl';
import { ZipFile } from 'yazl';

const IMAGE = /^images\/[0-9a-f]{64}\.\w+$/;
const IMAGE_DATA = 'data/images.jsonl';
/** Only an export has it. Its posts as they were written name each other by slugs: they need not be in one archive. */
const EXPORT_DATA = 'data/project.json';
/** Of what one import takes: a part has a table of contents beside its files, and a file may be packed less well. */
const FILLED = 0.9;

/**
 * An export in archives that the service takes, in the order in which they are to be imported: images first, since
 * posts show them. Null for an archive that can go as it is, or is no export.
 */
export async function splitArchive(file: string): Promise<AsyncGenerator<Buffer> | null> {
  const { size } = await stat(file);
  const zip = await openPromise(file, { autoClose: false });
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  const images = entries.filter(({ fileName }) => IMAGE.test(fileName));
  const byName = new Map(entries.map((entry) => [entry.fileName, entry]));
  const posts = entries.filter(({ fileName }) => fileName.startsWith('posts/'));
  const withOriginals = posts.map((post) => {
    const original = byName.get(originalOf(post.fileName));
    return original === undefined ? [post] : [post, original];
  });
  const parts = partsOf([...images.map((image) => [image]), ...withOriginals]);
  const isExport = entries.some(({ fileName }) => fileName === EXPORT_DATA);
  if (!isExport || (size <= IMPORT_LIMITS.archiveBytes && parts.length <= 1)) {
    zip.close();
    return null;
  }
  return packParts(zip, parts, entries.find(({ fileName }) => fileName === IMAGE_DATA) ?? null);
}

/** Where a post is as it was written. */
const originalOf = (file: string): string => file.replace(/^posts\/(.*)\.\w+$/, 'data/posts/$1.json');

/** The entries in order, in groups within the limits of an import; what belongs together stays so. */
function partsOf(units: readonly (readonly Entry[])[]): Entry[][] {
  const parts: Entry[][] = [];
  let packed = 0;
  let unpacked = 0;
  for (const entries of units) {
    const size = (of: 'compressedSize' | 'uncompressedSize') => entries.reduce((total, entry) => total + entry[of], 0);
    packed += size('compressedSize');
    unpacked += size('uncompressedSize');
    const last = parts.at(-1);
    const isFull =
      packed > FILLED * IMPORT_LIMITS.archiveBytes ||
      unpacked > FILLED * IMPORT_LIMITS.unpackedBytes ||
      (last?.length ?? 0) + entries.length > IMPORT_LIMITS.files;
    if (last !== undefined && !isFull) {
      last.push(...entries);
      continue;
    }
    parts.push([...entries]);
    [packed, unpacked] = [size('compressedSize'), size('uncompressedSize')];
  }
  return parts;
}

async function* packParts(zip: OpenedZip, parts: readonly Entry[][], imageData: Entry | null): AsyncGenerator<Buffer> {
  const lines = imageData === null ? [] : (await text(await zip.openReadStreamPromise(imageData))).split('\n');
  for (const entries of parts) {
    const part = new ZipFile();
    const names = new Set<string>();
    for (const entry of entries) {
      names.add(entry.fileName);
      const options = IMAGE.test(entry.fileName) ? { compressionLevel: 1 } : {};
      part.addBuffer(await buffer(await zip.openReadStreamPromise(entry)), entry.fileName, options);
    }
    const itsLines = lines.filter((line) => names.has(fileOf(line)));
    if (itsLines.length > 0) part.addBuffer(Buffer.from(itsLines.join('\n')), IMAGE_DATA);
    part.end();
    yield await buffer(part.outputStream);
  }
  zip.close();
}

/** Which file a line tells of. */
const fileOf = (line: string): string => /"file":"([^"]*)"/.exec(line)?.[1] ?? '';
