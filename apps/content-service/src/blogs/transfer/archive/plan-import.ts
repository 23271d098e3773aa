import {
  blogCreateRequest,
  MAX_POST_AUTHORS,
  MAX_SHORT_TEXT,
  type AuthorCreateRequest,
  type BlogCreateRequest,
} from '@blog-content/payload-schemas';
import { OperationalError, parseBody, storableText } from '@blog-content/service-runtime';
import { z } from 'zod';
import { readOriginal, type OriginalPost } from '../portable/original-post.ts';
import { withExportedImages } from '../portable/portable-images.ts';
import { extensionOf } from '../posts/classify-path.ts';
import { originalPathOf } from '../posts/original-path.ts';
import { otherSlug, slugInLanguage } from '../posts/post-slug.ts';
import { readPost, type ParsedPost } from '../posts/read-post.ts';
import { imageAt, rewriteLinks, type PathImage, type Targets } from '../posts/rewrite-links.ts';
import { problemText } from '../problem-text.ts';
import type { Archive } from './open-archive.ts';
import type { PathLanguage } from './path-languages.ts';
import { planDataFields } from './plan-data-fields.ts';
import { planAuthors, withAddress } from './plan-authors.ts';
import { picturesOf, planImages } from './plan-images.ts';
import { failed, skipped, type ImportPost, type PlannedFile } from './planned-file.ts';
import type { Reading, Survey } from './survey-archive.ts';

export type { ImportAuthor, ImportDataFields, ImportImage, ImportPost, PlannedFile } from './planned-file.ts';

/** Most kinds of other files that are told apart. */
const MAX_KINDS = 30;

/** Plans what becomes of each file, one after the other: images, authors and data fields, then posts in the archive's order. */
export async function* planImport({ archive, now, checkTime }: Reading, survey: Survey): AsyncGenerator<PlannedFile> {
  const { byPath: slugs, owners, expected, languages } = survey;
  const images = new Map<string, string>();
  yield* planImages({ archive, checkTime }, survey, images);
  const authors: AuthorCreateRequest[] = [];
  yield* planAuthors(archive, authors);
  yield* planDataFields(archive);
  const targets = { slugs, expected, images };
  for (const file of archive.files) {
    checkTime();
    const { path } = file;
    const text = await file.read();
    if ('unreadable' in text) {
      yield failed(path, text.unreadable);
      continue;
    }
    const post = readPost({ ...file, text: withExportedImages(text.text) }, now);
    const slug = slugs.get(path.normalize());
    if ('problem' in post) yield failed(path, post.problem);
    else if (slug === undefined || owners.get(slug) !== path.normalize()) {
      const owner = owners.get(post.slug) ?? 'another file';
      yield failed(path, `has the slug “${post.slug}”, the same as ${owner}: change one of them (slug: …)`);
    } else {
      const located = languages.get(path.normalize());
      const given = { ...post, ...renamed(path, post, slug, located) };
      const original = await originalOf(archive, path, text.text);
      const planned =
        original === null ? planFile(path, inLanguage(given, located), targets) : planOriginal(path, given, original);
      yield withAddresses(planned, authors);
    }
  }
  for (const path of archive.unsupported) {
    yield skipped(path, 'Not imported: only .md, .markdown, .html and .htm files are supported.');
  }
  yield* planOthers(archive, (path) => images.has(path) || survey.shown.has(path));
}

function withAddresses(file: PlannedFile, authors: readonly AuthorCreateRequest[]): PlannedFile {
  if (file.status !== 'waiting' || !('authors' in file.post)) return file;
  const named = file.post.authors?.map((author) => withAddress(author, authors));
  return { ...file, post: { ...file.post, authors: named } };
}

/** What its path says of its language, as far as its front matter says nothing. */
function inLanguage(post: ParsedPost, located: PathLanguage | undefined): ParsedPost {
  if (located === undefined) return post;
  return { ...post, fields: { language: located.language, translation_key: located.key, ...post.fields } };
}

/** With the slug that it gets beside the others. */
function renamed(
  path: string,
  post: ParsedPost,
  slug: string,
  located: PathLanguage | undefined,
): Pick<ParsedPost, 'slug' | 'notes'> {
  const isTranslation = located !== undefined && slug === slugInLanguage(post, located.language);
  // Any other is that of a post that was renamed here, as the plan of the whole import has found.
  if (!isTranslation && slug !== otherSlug(post, path.normalize())) return { slug, notes: post.notes };
  const where = isTranslation ? 'in another language' : 'by another file';
  return { slug, notes: [...post.notes, `The slug “${post.slug}” is used ${where}, so it was changed to “${slug}”.`] };
}

/** The post as it was written, if the archive has it and its file was not edited since. */
async function originalOf({ originals }: Archive, path: string, text: string): Promise<OriginalPost | null> {
  const original = await originals.get(originalPathOf(path) ?? '')?.read();
  return original === undefined || 'unreadable' in original ? null : readOriginal(original.text, text);
}

/** What the file says for site generators is written again for them at each export. */
function planOriginal(
  path: string,
  post: ParsedPost,
  { post: { authors, ...fields }, is_draft: isDraft, date, current_translations: currentTranslations }: OriginalPost,
): PlannedFile {
  const { title } = post.fields;
  return planPost(
    path,
    {
      ...post,
      isDraft,
      date: date === null ? null : new Date(date),
      fields: { title, ...fields },
      authors: slugsIn(authors) ?? post.authors,
      dataImages: [],
      currentTranslations,
      notes: [],
    },
    {},
  );
}

/** What an original has, if that is a list of texts. */
const slugsIn = (value: unknown): readonly string[] | null => slugs.safeParse(value).data ?? null;
const slugs = z.array(z.string().max(MAX_SHORT_TEXT)).max(MAX_POST_AUTHORS);

/** With its links, and the images that it shows by path. */
function planFile(path: string, post: ParsedPost, targets: Targets): PlannedFile {
  const { format, content, heroPaths, fields } = post;
  const rewritten = rewriteLinks(content, format, path, targets);
  const hero = heroPaths.flatMap((written): PathImage[] => {
    const url = imageAt(written, path, targets.images);
    return url === null ? [] : [{ url, path: written }];
  })[0];
  const lost = hero === undefined ? heroPaths.slice(0, 1) : [];
  const planned = {
    ...post,
    fields: hero === undefined ? fields : { ...fields, featured_image_url: hero.url },
    // The image has it.
    heroAlt: hero === undefined ? post.heroAlt : null,
    notes: [
      ...post.notes,
      ...lost.map((written) => `The featured image is left out: ${written} is not in the import, and not a URL.`),
      ...rewritten.notes,
    ],
  };
  const pathImages = [...(hero === undefined ? [] : [hero]), ...rewritten.pathImages];
  const text = rewritten.text;
  return planPost(path, planned, format === 'markdown' ? { content_markdown: text } : { content: text }, pathImages);
}

function planPost(
  path: string,
  post: ParsedPost & Pick<ImportPost, 'currentTranslations'>,
  content: Partial<BlogCreateRequest>,
  pathImages: readonly PathImage[] = [],
): PlannedFile {
  const { slug, sameBy, isDraft, date, fields, dataImages, authors, currentTranslations } = post;
  const heroAlt = post.heroAlt === null ? null : storableText(post.heroAlt);
  const notes = post.notes.map(storableText);
  try {
    const request = parseBody(blogCreateRequest, { ...fields, ...content, slug });
    return {
      path,
      status: 'waiting',
      post: {
        slug,
        sameBy,
        request,
        heroAlt,
        dataImages,
        pathImages,
        ...(authors && { authors: authors.map((name) => ({ name: storableText(name) })) }),
        ...(currentTranslations && { currentTranslations }),
        isDraft,
        date: date?.toISOString() ?? null,
        notes,
      },
    };
  } catch (error) {
    if (!(error instanceof OperationalError)) throw error;
    return { path, status: 'failed', message: problemText(error) };
  }
}

function* planOthers(archive: Archive, isImported: (path: string) => boolean): Generator<PlannedFile> {
  for (const [extension, count] of [...archive.others].slice(0, MAX_KINDS)) {
    yield skipped(kindOf(extension), `Not imported: ${filesText(count)} of this kind, only posts and images are.`);
  }
  const unused = new Map<string, number>();
  for (const { path } of picturesOf(archive, (path) => !isImported(path)))
    unused.set(extensionOf(path), (unused.get(extensionOf(path)) ?? 0) + 1);
  for (const [extension, count] of unused)
    yield skipped(kindOf(extension), `Not imported: ${filesText(count)} of this kind, which no post shows.`);
}

const kindOf = (extension: string): string => (extension === '' ? '*' : `*.${extension}`);
const filesText = (count: number): string => (count === 1 ? '1 file' : `${count} files`);
