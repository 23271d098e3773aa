import { sentenceOn } from '../exports/exported-post.ts';
import { findPictures, pictureData } from './find-pictures.ts';
import {
  AUTHOR_DATA,
  EXPORT_MARK,
  IMAGE_DATA,
  isImagePath,
  isOfExport,
  isOtherText,
  isPostPath,
  SETTINGS_DATA,
  type SourceFile,
} from './source.ts';

/** Files that are imported together: images, or posts. */
export interface Part {
  readonly kind: 'images' | 'posts';
  readonly files: readonly SourceFile[];
  /** What goes with them. */
  readonly beside: readonly SourceFile[];
}

/** What is imported, step by step, and what is not. */
export interface Parts {
  readonly parts: readonly Part[];
  readonly notes: readonly string[];
  /** The same of what is too large. */
  readonly problems: readonly string[];
}

/** Of one import: the service takes 2,000 files and 32 MB, packed. */
const MAX_FILES = 500;
const MAX_BYTES = 24 * 2 ** 20;
const MEBIBYTE = 2 ** 20;
/** What the service takes of one file. */
const MAX_POST_BYTES = 4 * MEBIBYTE;
const MAX_IMAGE_BYTES = 20 * MEBIBYTE;
const MAX_PATH = 500;

/**
 * The files in groups that one import takes each: images first, since posts show them, unless all fit into one; and
 * what is called a draft last, since a public post of the same name gets the slug.
 */
export async function splitFiles(given: readonly SourceFile[]): Promise<Parts> {
  const files = withoutRoot(given);
  const byPath = new Map(files.map((file) => [file.path, file] as const));
  const mark = byPath.get(EXPORT_MARK);
  const all = files.filter(({ path }) => isPostPath(path));
  const posts = [...all.filter(({ path }) => !isDraftPath(path)), ...all.filter(({ path }) => isDraftPath(path))];
  const images = files.filter(({ path }) => isImagePath(path));
  const pictures = await findPictures(files, MAX_POST_BYTES);
  const isTooLarge = ({ path, size }: SourceFile) => size > (isPostPath(path) ? MAX_POST_BYTES : MAX_IMAGE_BYTES);
  const isTooDeep = ({ path }: SourceFile) => path.length > MAX_PATH;
  const fits = (file: SourceFile) => !isTooLarge(file) && !isTooDeep(file);
  const shown = pictures.filter(({ file }) => fits(file));
  const named = (is: (file: SourceFile) => boolean) =>
    [...posts, ...images, ...pictures.map(({ file }) => file)].filter(is).map(({ path }) => path);
  const withOriginals = (group: readonly SourceFile[]) => group.flatMap((file) => originalOf(file, byPath));
  const postGroups = grouped(posts.filter(fits), (file) => originalOf(file, byPath));
  const [first = []] = postGroups;
  const isOne =
    postGroups.length === 1 && fitInOne([...first, ...withOriginals(first), ...shown.map(({ file }) => file)]);
  const before = isOne ? [] : shown;
  const exported = byPath.get(IMAGE_DATA);
  const authors = byPath.get(AUTHOR_DATA);
  const settings = mark && byPath.get(SETTINGS_DATA);
  const imageData = before.length > 0 ? pictureData(IMAGE_DATA, before, exported) : exported;
  const besidePosts = [
    ...(mark === undefined ? [] : [mark]),
    ...(authors === undefined ? [] : [authors]),
    ...(settings === undefined ? [] : [settings]),
    ...(before.length > 0 && imageData !== undefined ? [imageData] : []),
    ...(isOne ? shown.map(({ file }) => file) : []),
  ];
  return {
    parts: [
      ...grouped([...images.filter(fits), ...before.map(({ file }) => file)], () => []).map((group) => ({
        kind: 'images' as const,
        files: group,
        beside: imageData === undefined ? [] : [imageData],
      })),
      ...postGroups.map((group) => ({
        kind: 'posts' as const,
        files: group,
        beside: [...besidePosts, ...withOriginals(group)],
      })),
    ],
    notes: sentenceOn(
      files.filter(({ path }) => isOtherText(path)).map(({ path }) => path),
      'text file not imported (only .md, .markdown, .html and .htm are)',
      'text files not imported (only .md, .markdown, .html and .htm are)',
    ),
    problems: [
      ...sentenceOn(
        named(isTooLarge),
        `file not imported (limits: post ${MAX_POST_BYTES / MEBIBYTE} MB, image ${MAX_IMAGE_BYTES / MEBIBYTE} MB)`,
        `files not imported (limits: post ${MAX_POST_BYTES / MEBIBYTE} MB, image ${MAX_IMAGE_BYTES / MEBIBYTE} MB)`,
      ),
      ...sentenceOn(
        named((file) => !isTooLarge(file) && isTooDeep(file)),
        `file not imported: its path exceeds ${MAX_PATH} characters`,
        `files not imported: their paths exceed ${MAX_PATH} characters`,
      ),
    ],
  };
}

const fitInOne = (files: readonly SourceFile[]): boolean =>
  files.length <= MAX_FILES && files.reduce((total, { size }) => total + size, 0) <= MAX_BYTES;

/** What its name calls a draft. */
const isDraftPath = (path: string): boolean => /(?:^|\/)(?:_(?!index\.)[^/]*|_?drafts?\/.*)$/i.test(path);

/** The files of an export of a project, which may be in a folder of its own, without what is for others; or all files. */
function withoutRoot(files: readonly SourceFile[]): readonly SourceFile[] {
  const isMark = ({ path }: SourceFile) => path === EXPORT_MARK || /^[^/]+\/data\/project\.json$/.test(path);
  const mark = files.find(isMark);
  if (mark === undefined) return files;
  const root = mark.path.slice(0, -EXPORT_MARK.length);
  return files
    .filter(({ path }) => path.startsWith(root) && !isOfExport(path.slice(root.length)))
    .map((file) => ({ path: file.path.slice(root.length), size: file.size, read: () => file.read() }));
}

/** How an export of a project has a post as its author wrote it. */
function originalOf({ path }: SourceFile, byPath: ReadonlyMap<string, SourceFile>): SourceFile[] {
  const [, slug] = /^posts\/([a-z\d-]+)\.\w+$/.exec(path) ?? [];
  return byPath.get(`data/posts/${slug}.json`) ? [byPath.get(`data/posts/${slug}.json`)!] : [];
}

function grouped(files: readonly SourceFile[], beside: (file: SourceFile) => readonly SourceFile[]): SourceFile[][] {
  const groups: SourceFile[][] = [];
  let bytes = 0;
  for (const file of files) {
    const size = [file, ...beside(file)].reduce((total, one) => total + one.size, 0);
    const last = groups.at(-1);
    bytes += size;
    if (last !== undefined && last.length < MAX_FILES && bytes <= MAX_BYTES) last.push(file);
    else {
      groups.push([file]);
      bytes = size;
    }
  }
  return groups;
}
