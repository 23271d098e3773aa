import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { isImagePath, isPicturePath, isPostPath, type SourceFile } from './source.ts';

/** An image that posts show by its path. */
export interface Picture {
  readonly file: SourceFile;
  /** Where a post says it first; empty where it says none. */
  readonly alt: string;
}

const EXTENSION = /\.(?:png|jpe?g|webp|avif|gif)(?![\w-])/gi;
const MAX_PATH = 500;
/** Where site generators have what they serve as it is. */
const SITE_FOLDERS = ['', 'public/', 'static/'];
const MAX_ROOTS = 8;

/** The images that posts name: what looks like a path, and leads to a file. The service decides which they show. */
export async function findPictures(files: readonly SourceFile[], maxPostBytes: number): Promise<Picture[]> {
  const pictures = files.filter(({ path }) => isPicturePath(path) && !isImagePath(path) && !/^[a-z]:|\\/i.test(path));
  if (pictures.length === 0) return [];
  const byPath = new Map(pictures.map((file) => [file.path.normalize(), file] as const));
  const found = new Map<string, string>();
  for (const post of files) {
    if (!isPostPath(post.path) || post.size > maxPostBytes) continue;
    // One that cannot be read is named when it is sent.
    const text = await post.read().then(String, () => '');
    for (const { path, alt } of pathsIn(text)) {
      const place = path.map((one) => placesOf(one, post.path).find((place) => byPath.has(place))).find(Boolean);
      if (place !== undefined && !found.get(place)) found.set(place, alt);
    }
  }
  return [...found].flatMap(([path, alt]) => [{ file: byPath.get(path)!, alt }]);
}

const PHRASE_ENDS = [...`"'<>()[]{}=\n`];
const WORD_ENDS = [...PHRASE_ENDS, ...' \t\r,;'];

/** What ends like the name of an image: without spaces, or with spaces within the same quotes or brackets. */
function* pathsIn(text: string): Generator<{ readonly path: readonly string[]; readonly alt: string }> {
  for (const { index, 0: extension } of text.matchAll(EXTENSION)) {
    const before = text.slice(Math.max(0, index - MAX_PATH), index);
    const phrase = afterLast(before, PHRASE_ENDS);
    const named = [afterLast(before, WORD_ENDS), phrase, afterLast(phrase, [': '])];
    const [, alt = ''] = /!\[([^[\]\r\n]*)\]\([ \t]*<?$/.exec(before.slice(0, before.length - phrase.length)) ?? [];
    yield { path: named.map((one) => one.trim() + extension), alt };
  }
}

/** The end of a text, behind the last of the marks. */
function afterLast(text: string, marks: readonly string[]): string {
  const ends = marks.map((mark) => (text.includes(mark) ? text.lastIndexOf(mark) + mark.length : 0));
  return text.slice(Math.max(...ends));
}

/** As the service looks for them: beside the post, or at the root of its site. */
function placesOf(path: string, post: string): string[] {
  const file = decoded(path);
  if (!file.startsWith('/')) return [posix.join(posix.dirname(post), file).normalize()];
  const onSite = posix.normalize(file).slice(1).normalize();
  const folders = post.normalize().split('/').slice(0, -1).slice(0, MAX_ROOTS);
  const roots = ['', ...folders.map((_folder, index) => `${folders.slice(0, index + 1).join('/')}/`)];
  return roots.flatMap((root) => SITE_FOLDERS.map((folder) => `${root}${folder}${onSite}`));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** What tells the service of images that come in archives before those of the posts; after `data` of an export. */
export function pictureData(path: string, pictures: readonly Picture[], data: SourceFile | undefined): SourceFile {
  const read = async () => {
    const lines: string[] = [];
    for (const { file, alt } of pictures) {
      const bytes = await file.read().catch(() => null);
      if (bytes === null) continue;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      lines.push(JSON.stringify({ file: file.path, sha256, ...(alt !== '' && { alt }) }));
    }
    return Buffer.from([...(data === undefined ? [] : [String(await data.read()).trimEnd()]), ...lines].join('\n'));
  };
  let made: Promise<Buffer> | undefined;
  const size = pictures.reduce((total, { file, alt }) => total + file.path.length + alt.length + 120, data?.size ?? 0);
  return { path, size, read: () => (made ??= read()) };
}
