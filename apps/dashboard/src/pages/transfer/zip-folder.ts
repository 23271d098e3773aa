/** A file of a folder that was chosen in the browser. */
export interface FolderFile {
  /** With `/`, beginning with the folder’s name. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const POST = /\.(?:md|markdown|html?)$/i;
const NOT_POSTS = /(?:^|\/)(?:\.[^/]*|node_modules|__MACOSX|_site|_layouts|_includes)\//;

/** What an export has beside the posts, and how each of these was written. */
const OF_EXPORT =
  /(?:^|\/)(?:data\/(?:(?:authors|images)\.jsonl|(?:project|settings)\.json|posts\/[a-z\d-]+\.json)|images\/[0-9a-f]{64}\.(?:jpg|png|webp|avif|gif))$/;

export const isPost = (path: string): boolean => POST.test(path);

/** Which files of a folder an import reads; the rest is not sent. */
export function isSent(path: string): boolean {
  return !NOT_POSTS.test(path) && (isPost(path) || OF_EXPORT.test(path));
}

const PICTURE = /\.(?:jpe?g|png|webp|avif|gif)$/i;
const PICTURE_NAME = /[^/"'<>()[\]{}=\r\n]{1,200}\.(?:jpe?g|png|webp|avif|gif)(?![\w-])/gi;
/** An import takes 32 MB and 2,000 files. */
const MAX_BYTES = 31 * 1024 * 1024;
const MAX_FILES = 2_000;

/** The pictures of a folder that posts name, as many as fit beside what is sent: the import takes those they show. */
export function picturesToSend<Picture extends { readonly path: string; readonly size: number }>(
  files: readonly Picture[],
  texts: readonly string[],
  sent: { readonly files: number; readonly bytes: number },
): Picture[] {
  const names = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(PICTURE_NAME)].flatMap(([name]) => [name, name.split(/\s/).at(-1) ?? ''].map(decoded)),
    ),
  );
  let { files: count, bytes } = sent;
  return files.filter(({ path, size }) => {
    const isNamed = names.has(path.slice(path.lastIndexOf('/') + 1).normalize());
    const fits = count < MAX_FILES && bytes + size <= MAX_BYTES;
    if (!PICTURE.test(path) || NOT_POSTS.test(path) || isSent(path) || !isNamed || !fits) return false;
    count += 1;
    bytes += size;
    return true;
  });
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.trim()).normalize();
  } catch {
    return name.trim().normalize();
  }
}

/** The path below the folder that was chosen, so that an unpacked export has its `images/` where an export has them. */
export const belowFolder = (path: string): string => path.slice(path.indexOf('/') + 1);

/**
 * A ZIP archive (APPNOTE 6.3, no ZIP64) that holds the files as they are: browsers can pack none, and text of this size
 * does not need to be made smaller on its way.
 */
export function zipFolder(files: readonly FolderFile[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = new TextEncoder().encode(path);
    const about = aboutFile(bytes, name.length);
    const local = record(0x04034b50, [20, ...about], [], name);
    directory.push(record(0x02014b50, [20, 20, ...about, 0, 0, 0], [0, offset], name));
    parts.push(local, bytes);
    offset += local.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = new Uint8Array(22);
  const view = new DataView(end.buffer);
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(8, files.length, true);
  view.setUint16(10, files.length, true);
  view.setUint32(12, size, true);
  view.setUint32(16, offset, true);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

/**
 * The fields that both records of a file share, in 16-bit words: flags (names are UTF-8), stored, no time, CRC, sizes.
 */
function aboutFile(bytes: Uint8Array, nameLength: number): number[] {
  const crc = crc32(bytes);
  const words = (value: number) => [value & 0xffff, value >>> 16];
  return [0x0800, 0, 0, 0x21, ...words(crc), ...words(bytes.length), ...words(bytes.length), nameLength, 0];
}

function record(
  signature: number,
  words: readonly number[],
  longs: readonly number[],
  name: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(4 + words.length * 2 + longs.length * 4 + name.length);
  const view = new DataView(made.buffer);
  view.setUint32(0, signature, true);
  words.forEach((word, index) => view.setUint16(4 + index * 2, word, true));
  longs.forEach((long, index) => view.setUint32(4 + words.length * 2 + index * 4, long, true));
  made.set(name, 4 + words.length * 2 + longs.length * 4);
  return made;
}

const TABLE = Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
