import {
  blogCreateRequest,
  IMPORT_LIMITS,
  MAX_LONG_TEXT,
  MAX_SHORT_TEXT,
  slug as slugSchema,
  type BlogCreateRequest,
} from '@blog-content/payload-schemas';
import { OperationalError, parseBody, storableText, unprocessable } from '@blog-content/service-runtime';
import { z } from 'zod';
import { originalPathOf } from '../posts/original-path.ts';
import { readOriginal, type OriginalPost } from '../portable/original-post.ts';
import { withExportedImages } from '../portable/portable-images.ts';
import type { DataImage } from '../posts/data-images.ts';
import { readPost, type ParsedPost } from '../posts/read-post.ts';
import type { SameBy } from '../posts/post-slug.ts';
import { rewriteHtmlLinks, rewriteMarkdownLinks, type SlugsByPath } from '../posts/rewrite-links.ts';
import { MAX_MESSAGE, problemText } from '../problem-text.ts';
import { assignSlugs, type AssignedSlugs, type NamedFile } from './assign-slugs.ts';
import type { Archive } from './open-archive.ts';

/** A post that is to become a blog; survives JSON. */
export interface ImportPost {
  readonly slug: string;
  /** Not of posts that have waited since before it was kept: then the slug. */
  readonly sameBy?: SameBy | undefined;
  readonly request: BlogCreateRequest;
  readonly isDraft: boolean;
  /** Not of posts that have waited since before it was kept. */
  readonly heroAlt?: string | null | undefined;
  /** Images that stood in the file. Not of posts that have waited since before they were kept. */
  readonly dataImages?: readonly DataImage[] | undefined;
  /** The publication date, in ISO 8601, which may be in the future; null when the file says none. */
  readonly date: string | null;
  /** What of the file was left out, in full sentences. */
  readonly notes: readonly string[];
}

/** An image that is to be in the library; survives JSON. */
export interface ImportImage {
  /** Its bytes, in base64. */
  readonly image: string;
  readonly alt: string;
  readonly name: string;
}

/** What is to become of one file of an archive, or of some that are not imported. */
export type PlannedFile = { readonly path: string } & (
  | { readonly status: 'waiting'; readonly post: ImportPost | ImportImage }
  | { readonly status: 'skipped' | 'failed'; readonly message: string }
);

/** Most kinds of other files that are told apart. */
const MAX_KINDS = 30;

/** An archive being read, with its time limit. */
export interface Reading {
  readonly archive: Archive;
  readonly now: Date;
  /** Called before each file. @throws when the reading has taken too long. */
  readonly checkTime: () => void;
}

/**
 * The slugs of an archive's posts by their files. Reads each file and keeps nothing else of it, so that memory is bounded
 * whatever the archive holds.
 */
export async function slugsOf({ archive, now, checkTime }: Reading): Promise<AssignedSlugs> {
  const named: NamedFile[] = [];
  for (const file of archive.files) {
    checkTime();
    const text = await file.read();
    if ('unreadable' in text) continue;
    const post = readPost({ ...file, ...text }, now);
    if (!('problem' in post)) named.push({ path: file.path, slug: post.slug, sameBy: post.sameBy });
  }
  return assignSlugs(named, await slugsElsewhere(archive));
}

/** Plans what becomes of each file, one after the other: images, then posts in the archive's order. */
export async function* planImport(
  { archive, now, checkTime }: Reading,
  { byPath, owners }: AssignedSlugs,
): AsyncGenerator<PlannedFile> {
  yield* planImages(archive, checkTime);
  for (const file of archive.files) {
    checkTime();
    const { path } = file;
    const text = await file.read();
    if ('unreadable' in text) {
      yield failed(path, text.unreadable);
      continue;
    }
    const post = readPost({ ...file, text: withExportedImages(text.text) }, now);
    const slug = byPath.get(path.normalize());
    if ('problem' in post) yield failed(path, post.problem);
    else if (slug === undefined || owners.get(slug) !== path.normalize()) {
      const owner = owners.get(post.slug) ?? 'another file';
      yield failed(path, `has the slug “${post.slug}”, as ${owner} has: give one of them another (slug: …)`);
    } else {
      const planned = { ...post, ...renamed(post, slug) };
      const original = await originalOf(archive, path, text.text);
      yield original === null
        ? planPost(path, planned, contentOf(path, post, byPath))
        : planOriginal(path, planned, original);
    }
  }
  for (const path of archive.unsupported) {
    yield skipped(path, 'Not imported: only .md, .markdown, .html and .htm files are.');
  }
  yield* planOthers(archive.others);
}

/** With the slug that it gets beside the others. */
function renamed(post: ParsedPost, slug: string): Pick<ParsedPost, 'slug' | 'notes'> {
  if (slug === post.slug) return { slug, notes: post.notes };
  const note = `The slug “${post.slug}” is another file’s: it was made “${slug}”.`;
  return { slug, notes: [...post.notes, note] };
}

/** The post as it was written, if the archive has it and its file was not edited since. */
async function originalOf({ originals }: Archive, path: string, text: string): Promise<OriginalPost | null> {
  const original = await originals.get(originalPathOf(path) ?? '')?.read();
  return original === undefined || 'unreadable' in original ? null : readOriginal(original.text, text);
}

/** What the file says for site generators is said anew for them at each export. */
function planOriginal(
  path: string,
  post: ParsedPost,
  { post: fields, is_draft: isDraft, date }: OriginalPost,
): PlannedFile {
  const { title } = post.fields;
  return planPost(
    path,
    {
      ...post,
      isDraft,
      date: date === null ? null : new Date(date),
      fields: { title, ...fields },
      dataImages: [],
      notes: [],
    },
    {},
  );
}

const contentOf = (path: string, { format, content }: ParsedPost, slugs: SlugsByPath) =>
  format === 'markdown'
    ? { content_markdown: rewriteMarkdownLinks(content, path, slugs) }
    : { content: rewriteHtmlLinks(content, path, slugs) };

function planPost(path: string, post: ParsedPost, content: Partial<BlogCreateRequest>): PlannedFile {
  const { slug, sameBy, isDraft, date, fields, dataImages } = post;
  const heroAlt = post.heroAlt === null ? null : storableText(post.heroAlt);
  const notes = post.notes.map(storableText);
  try {
    const request = parseBody(blogCreateRequest, { ...fields, ...content, slug });
    return {
      path,
      status: 'waiting',
      post: { slug, sameBy, request, heroAlt, dataImages, isDraft, date: date?.toISOString() ?? null, notes },
    };
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    return { path, status: 'failed', message: problemText(error) };
  }
}

async function* planImages(archive: Archive, checkTime: () => void): AsyncGenerator<PlannedFile> {
  const { imageData } = archive;
  const read = (await imageData?.read()) ?? { text: '' };
  if (imageData !== null && 'unreadable' in read) yield failed(imageData.path, read.unreadable);
  const texts = textsOfImages('text' in read ? read.text : '');
  for (const image of archive.images) {
    checkTime();
    const { path } = image;
    const file = await image.read();
    if ('unreadable' in file) yield failed(path, file.unreadable);
    else {
      const { alt = '', name = '' } = texts.get(path) ?? {};
      yield { path, status: 'waiting', post: { image: file.bytes.toString('base64'), alt, name } };
    }
  }
}

const slugLine = z.object({ file: z.string().max(IMPORT_LIMITS.pathLength), slug: slugSchema });

/** @throws a 422 problem of `body` when they cannot be read: links would be lost, and slugs given twice. */
async function slugsElsewhere({ slugData }: Archive): Promise<Map<string, string>> {
  if (slugData === null) return new Map();
  const read = await slugData.read();
  const lines = 'text' in read ? read.text.split('\n').filter((line) => line !== '') : [];
  const parsed = lines.map((line) => slugLine.safeParse(parseJson(line)).data);
  const found = parsed.flatMap((line) => (line ? [[line.file.normalize(), line.slug] as const] : []));
  if ('text' in read && found.length === lines.length) return new Map(found);
  throw unprocessable([{ field: 'body', message: `has a ${slugData.path} that cannot be read` }]);
}

const imageLine = z.object({
  file: z.string(),
  alt: z.string().max(MAX_LONG_TEXT).default(''),
  name: z.string().max(MAX_SHORT_TEXT).default(''),
});

/** What an export tells of its images, by their files; lines that cannot be read tell nothing. */
function textsOfImages(lines: string): Map<string, { readonly alt: string; readonly name: string }> {
  const read = lines.split('\n').flatMap((line) => {
    const parsed = imageLine.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
  return new Map(read.map(({ file, alt, name }) => [file, { alt: storableText(alt), name: storableText(name) }]));
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function* planOthers(others: ReadonlyMap<string, number>): Generator<PlannedFile> {
  for (const [extension, count] of [...others].slice(0, MAX_KINDS)) {
    const files = count === 1 ? '1 file' : `${count} files`;
    const path = extension === '' ? '*' : `*.${extension}`;
    yield skipped(path, `Not imported: ${files} of this kind, only posts are. Show images by their absolute URLs.`);
  }
}

const failed = (path: string, problem: string): PlannedFile => ({
  path,
  status: 'failed',
  message: `The file ${problem}.`.slice(0, MAX_MESSAGE).toWellFormed(),
});

const skipped = (path: string, message: string): PlannedFile => ({ path, status: 'skipped', message });
