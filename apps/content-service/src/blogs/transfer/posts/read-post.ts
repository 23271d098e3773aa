import { MAX_CONTENT } from '@blog-content/payload-schemas';
import { excessOf } from '../../../content/html-limits.ts';
import { hasTooManyLines } from '../../../content/markdown.ts';
import { RESERVED_SLUGS } from '../../../content/slugify.ts';
import { takeDataImages, type DataImage } from './data-images.ts';
import { htmlOfMarkdown } from './html-in-markdown.ts';
import { FrontReader } from './front-matter/front-reader.ts';
import { noteOnAddresses, readAuthors, readFields, readHeroAlt } from './front-matter/read-fields.ts';
import { readFrontMatter } from './front-matter/read-front-matter.ts';
import { readPublication } from './front-matter/read-publication.ts';
import { findMarkdownBlocks, plainText } from './markdown-blocks.ts';
import { showsSomething } from './shows-something.ts';
import { slugFromFile, slugFromGiven, type PostSlug, type SameBy } from './post-slug.ts';
import { readHtml } from './read-html.ts';

/** A post as read from a file of an archive, by the owner API's field names but not yet checked against its schema. */
export interface ParsedPost {
  readonly slug: string;
  readonly sameBy: SameBy;
  /** Also where the file says something of its readers or its date that is not understood. */
  readonly isDraft: boolean;
  /** The publication date, which may be in the future; null when the file says none. */
  readonly date: Date | null;
  readonly format: 'markdown' | 'html';
  readonly content: string;
  readonly fields: Readonly<Record<string, unknown>> & { readonly title: string };
  /** Where the featured image may be in the archive, if it is not a URL. */
  readonly heroPaths: readonly string[];
  /** The alt text of the featured image, which images of the library have; null without one. */
  readonly heroAlt: string | null;
  /** Slugs or names of who wrote it, in order; null where the file doesn't say. */
  readonly authors: readonly string[] | null;
  readonly dataImages: readonly DataImage[];
  /** What of the file was left out or changed, in full sentences. */
  readonly notes: readonly string[];
}

export interface PostFile {
  readonly path: string;
  readonly format: 'markdown' | 'html';
  readonly text: string;
}

/** Reads a post from a file with front matter. `now` tells which dates are past. */
export function readPost({ path, text, ...file }: PostFile, now: Date): ParsedPost | { readonly problem: string } {
  const front = readFrontMatter(text);
  if ('problem' in front) return front;
  const reader = new FrontReader(front.entries);
  // As an export has posts that were written as HTML, because site generators pass over files of HTML.
  const isHtml = file.format === 'html' || reader.text('format') === 'html';
  const format = isHtml ? 'html' : 'markdown';
  const dataImages = takeDataImages(front.body, format);
  const body = file.format === 'markdown' && isHtml ? htmlOfMarkdown(dataImages.text) : dataImages.text;
  if (dataImages.others > 0) reader.notes.push('Embedded images that are not base64 were skipped.');
  if (body.length > MAX_CONTENT) return { problem: `has more than ${MAX_CONTENT} characters of content` };
  if (format === 'markdown' && hasTooManyLines(body)) return { problem: 'has too many lines of Markdown' };
  const excess = format === 'html' ? excessOf(body) : null;
  if (excess !== null) return { problem: excess };
  const name = nameOf(path);
  const { isDraft, date } = readPublication(reader, name, now);

  const givenTitle = reader.text('title');
  const { title, content } = (format === 'markdown' ? titleMarkdown : titleHtml)(body, givenTitle);
  const { slug, sameBy } = readSlug(reader, path, name.stem, title ?? '');
  if (RESERVED_SLUGS.has(slug)) return { problem: `has the reserved slug “${slug}”: choose another` };
  const { fields, heroPaths } = readFields(reader, name.date !== null);
  const heroAlt = readHeroAlt(reader);
  const authors = readAuthors(reader);
  const isBlank = !showsSomething(content);
  if (isBlank) reader.notes.unshift('Kept as a draft: it has no content.');
  const notes = [...reader.notes, ...noteOnAddresses(reader), ...reader.noteOnOthers()];
  return {
    slug,
    sameBy,
    isDraft: isDraft || isBlank,
    date,
    format,
    content,
    fields: { title: title ?? titleOfName(name.stem), ...fields, ...(front.data && { data: front.data }) },
    heroPaths,
    heroAlt,
    authors,
    dataImages: dataImages.images,
    notes,
  };
}

function readSlug(reader: FrontReader, path: string, stem: string, title: string): PostSlug {
  const given = reader.text('slug')?.trim() ?? '';
  const read = given === '' ? null : slugFromGiven(given);
  if (read !== null) {
    if (read.note !== null) reader.notes.push(read.note);
    // What another program called it, as the command line has transliterated or numbered that.
    return reader.flag('slugmade') === true ? { ...read, sameBy: 'file' } : read;
  }
  const made = slugFromFile(path, stem, title);
  if (given !== '') reader.notes.push(`The slug has no letter or digit, so it was changed to “${made.slug}”.`);
  return made;
}

interface FileName {
  /** Without folders, extension and date; of `index.md` and `index.de.md` the folder's. */
  readonly stem: string;
  /** The one that Jekyll puts before the name. */
  readonly date: string | null;
  /** What of the path says that the post is a draft. */
  readonly draftPlace: string | null;
}

function nameOf(path: string): FileName {
  const folders = path.split('/');
  const file = (folders.pop() ?? '').replace(/\.[^.]*$/, '');
  const index = /^_?index(\.[a-z]{2}(?:[-_][a-zA-Z]{2})?)?$/i.exec(file);
  const name = index === null ? file : `${folders.at(-1) ?? 'index'}${index[1] ?? ''}`;
  const [, date = null, stem = name] = /^(\d{4}-\d\d-\d\d)-(.+)$/.exec(name) ?? [];
  const drafts = folders.find((folder) => /^_?drafts?$/i.test(folder));
  const inFolder = drafts === undefined ? null : `it is in the folder ${drafts}`;
  // Astro and Jekyll do not build it.
  const draftPlace = /^_(?!index$)/i.test(file) ? 'its name starts with an underscore' : inFolder;
  return { stem, date, draftPlace: /\.draft$/i.test(file) ? `its name is ${file}` : draftPlace };
}

function titleOfName(stem: string): string {
  const words = stem.replace(/[-_\s]+/g, ' ').trim() || 'Post';
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface TitledContent {
  readonly title: string | null;
  readonly content: string;
}

/** A heading without the id behind it: `{#id}`. */
const withoutId = (heading: string): string => heading.replace(/\{:?[ \t]*#[^{}]{1,400}\}[ \t]*$/, '');

/** Takes the first heading out of the body when it has to serve as the title. */
function titleMarkdown(body: string, given: string | null): TitledContent {
  if (given?.trim()) return { title: given, content: body };
  const { lines, heading } = findMarkdownBlocks(body);
  const title = heading === null ? '' : plainText(withoutId(heading.text.slice(0, 1_000).toWellFormed()));
  if (heading === null || title === '') return { title: null, content: body };
  const [before, after] = [lines.slice(0, heading.start).join(''), lines.slice(heading.end).join('')];
  return { title, content: before + (before === '' ? after.replace(/^[\r\n]+/, '') : after) };
}

function titleHtml(text: string, given: string | null): TitledContent {
  const { body, title, heading } = readHtml(text);
  const content = text.slice(body.start, body.end);
  if (given?.trim()) return { title: given, content };
  if (heading?.text && heading.start >= body.start && heading.end <= body.end) {
    return { title: heading.text, content: text.slice(body.start, heading.start) + text.slice(heading.end, body.end) };
  }
  return { title: title || null, content };
}
