import { urlWithoutPlaceholders } from '@blog-content/link-resolver';
import { httpUrl, MAX_CONTENT, MAX_GENERATED_IMAGES } from '@blog-content/payload-schemas';
import { excessOf } from '../../../content/html-limits.ts';
import { hasTooManyLines } from '../../../content/markdown.ts';
import { RESERVED_SLUGS } from '../../../content/slugify.ts';
import { htmlOfMarkdown } from '../portable/html-in-markdown.ts';
import { readFrontMatter, type FrontValue } from './front-matter.ts';
import { findMarkdownBlocks, plainText } from './markdown-blocks.ts';
import { slugFromFile, slugFromGiven, type PostSlug, type SameBy } from './post-slug.ts';
import { readDate } from './read-date.ts';
import { readHtml } from './read-html.ts';

/** A post as read from a file of an archive, by the owner API's field names but not yet checked against its schema. */
export interface ParsedPost {
  readonly slug: string;
  readonly sameBy: SameBy;
  readonly isDraft: boolean;
  /** When it was first published; null when the file says nothing of the past. */
  readonly date: Date | null;
  readonly format: 'markdown' | 'html';
  readonly content: string;
  readonly fields: Readonly<Record<string, unknown>> & { readonly title: string };
  /** The alt text of the featured image, which images of the library have; null without one. */
  readonly heroAlt: string | null;
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
  // As an export has posts that were written as HTML, because site generators pass over files of HTML.
  const isHtml = file.format === 'html' || front.values.get('format') === 'html';
  const format = isHtml ? 'html' : 'markdown';
  const body = file.format === 'markdown' && isHtml ? htmlOfMarkdown(front.body) : front.body;
  if (body.length > MAX_CONTENT) return { problem: `has more than ${MAX_CONTENT} characters of content` };
  if (format === 'markdown' && hasTooManyLines(body)) return { problem: 'has too many lines of Markdown' };
  const excess = format === 'html' ? excessOf(body) : null;
  if (excess !== null) return { problem: excess };
  const reader = new FieldReader(front.values);
  const name = nameOf(path);

  const givenTitle = reader.text('title');
  const { title, content } = (format === 'markdown' ? titleMarkdown : titleHtml)(body, givenTitle);
  const { slug, sameBy } = readSlug(reader, path, name.stem, title ?? '');
  if (RESERVED_SLUGS.has(slug)) return { problem: `has the slug “${slug}”, which is reserved: give it another` };
  return {
    slug,
    sameBy,
    isDraft: isDraft(reader, name.isInDrafts),
    date: readPastDate(reader, name.date, now),
    format,
    content,
    fields: { title: title ?? titleOfName(name.stem), ...readFields(reader) },
    heroAlt: reader.text('featured_image_alt', 'image_alt', 'hero_image_alt', 'cover_alt')?.trim() || null,
    notes: reader.notes,
  };
}

/** The values of front matter by what they mean, with notes of what was left out. */
class FieldReader {
  readonly notes: string[] = [];
  readonly #values: ReadonlyMap<string, FrontValue>;

  constructor(values: ReadonlyMap<string, FrontValue>) {
    this.#values = values;
  }

  /** The value of the first key that has one. */
  #first(keys: readonly string[]): { readonly key: string; readonly value: string | readonly string[] } | null {
    for (const key of keys) {
      const value = this.#values.get(key) ?? null;
      if (value !== null) return { key, value };
    }
    return null;
  }

  text(...keys: string[]): string | null {
    const { value } = this.#first(keys) ?? { value: null };
    return typeof value === 'string' ? value : (value?.[0] ?? null);
  }

  flag(key: string): boolean | null {
    const text = this.text(key)?.trim().toLowerCase() ?? '';
    if (['true', 'yes', 'on', '1'].includes(text)) return true;
    if (['false', 'no', 'off', '0'].includes(text)) return false;
    if (text !== '') this.notes.push(`${key} is neither true nor false: left out.`);
    return null;
  }

  labels(...keys: string[]): string[] | null {
    const { value } = this.#first(keys) ?? { value: null };
    if (value === null) return null;
    const labels = (typeof value === 'string' ? value.split(',') : value).map((label) => label.trim());
    return [...new Set(labels.filter((label) => label !== ''))];
  }

  urls(...keys: string[]): string[] | null {
    const { key, value } = this.#first(keys) ?? { key: '', value: null };
    if (value === null) return null;
    const given = (typeof value === 'string' ? [value] : value).filter((url) => url.trim() !== '');
    const urls = given.filter((url) => httpUrl.safeParse(url).success);
    if (urls.length < given.length) this.notes.push(`${key} is not an absolute http(s) URL: left out.`);
    const kept = urls.filter((url) => urlWithoutPlaceholders(url) !== null);
    if (kept.length < urls.length) this.notes.push(`${key} has a link placeholder: left out.`);
    return kept;
  }
}

function readFields(reader: FieldReader): Record<string, unknown> {
  const hero = reader.urls('featured_image_url', 'image', 'featured_image', 'cover', 'hero')?.[0] ?? null;
  const generated = reader.urls('generated_images');
  if (generated && generated.length > MAX_GENERATED_IMAGES) {
    reader.notes.push(`generated_images has more than ${MAX_GENERATED_IMAGES} URLs: the others were left out.`);
  }
  const fields = {
    excerpt: reader.text('excerpt', 'summary'),
    meta_title: reader.text('meta_title', 'seo_title'),
    meta_description: reader.text('meta_description', 'description'),
    featured_image_url: hero,
    generated_images: generated?.slice(0, MAX_GENERATED_IMAGES) ?? null,
    categories: reader.labels('categories', 'category'),
    tags: reader.labels('tags', 'tag'),
    keyword: reader.text('keyword', 'focus_keyword'),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function isDraft(reader: FieldReader, isInDrafts: boolean): boolean {
  const [draft, published] = [reader.flag('draft'), reader.flag('published')];
  return draft === true || published === false || (draft === null && published === null && isInDrafts);
}

function readSlug(reader: FieldReader, path: string, stem: string, title: string): PostSlug {
  const given = reader.text('slug')?.trim() ?? '';
  const read = given === '' ? null : slugFromGiven(given);
  if (read !== null) {
    if (read.note !== null) reader.notes.push(read.note);
    // What another program called it, as the command line has transliterated or numbered that.
    return reader.flag('slug_made') === true ? { ...read, sameBy: 'title' } : read;
  }
  const made = slugFromFile(path, stem, title);
  if (given !== '') reader.notes.push(`The slug has no letter or digit: it was made “${made.slug}”.`);
  return made;
}

/** The beginning of Unix time: not all that shows a post’s date knows an earlier one. */
const EARLIEST = new Date(0);

function readPastDate(reader: FieldReader, dateOfName: string | null, now: Date): Date | null {
  const given = reader.text('date', 'published_at', 'publish_date')?.trim() || dateOfName;
  if (given === null) return null;
  const date = readDate(given);
  if (date === null) reader.notes.push('The date is not one that can be read (2024-01-31T10:00:00Z): left out.');
  else if (date < EARLIEST) reader.notes.push('The date is before 1970: left out.');
  else if (date > now) reader.notes.push('The date is in the future: left out.');
  else return date;
  return null;
}

interface FileName {
  /** Without folders, extension and date; of `index.md` the folder's. */
  readonly stem: string;
  /** The one that Jekyll puts before the name. */
  readonly date: string | null;
  readonly isInDrafts: boolean;
}

function nameOf(path: string): FileName {
  const folders = path.split('/');
  const file = (folders.pop() ?? '').replace(/\.[^.]*$/, '');
  const name = /^_?index$/i.test(file) ? (folders.at(-1) ?? 'index') : file;
  const [, date = null, stem = name] = /^(\d{4}-\d\d-\d\d)-(.+)$/.exec(name) ?? [];
  return { stem, date, isInDrafts: folders.includes('_drafts') };
}

function titleOfName(stem: string): string {
  const words = stem.replace(/[-_\s]+/g, ' ').trim() || 'Post';
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface TitledContent {
  readonly title: string | null;
  readonly content: string;
}

/** Takes the first heading out of the body when it has to serve as the title. */
function titleMarkdown(body: string, given: string | null): TitledContent {
  if (given?.trim()) return { title: given, content: body };
  const { lines, heading } = findMarkdownBlocks(body);
  const title = heading === null ? '' : plainText(heading.text.slice(0, 1_000).toWellFormed());
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
