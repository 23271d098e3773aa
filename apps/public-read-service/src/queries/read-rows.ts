import { parseSegments, type LinkTarget } from '@blog-content/link-resolver';
import { resolveReferences, type PostData } from '@blog-content/payload-schemas';
import {
  targetKey,
  translatedKey,
  type BlogSummary,
  type BlogWithContent,
  type LinkContext,
  type StoredAuthor,
  type TranslatedTarget,
} from './published-blog.ts';

/** Every value as PostgreSQL writes it, except arrays of texts. */
export const asTexts = {
  types: { getTypeParser: (oid: number) => (oid === TEXT_ARRAY_OID ? parseTextArray : asIs) },
} as const;
const TEXT_ARRAY_OID = 1009;
const asIs = (text: string): string => text;

/** A row of a statement that row-statements.ts ends. It has the columns of the other kinds too; they are null. */
export type ResultRow = BlogRow | ProjectRow | TargetRow;

/** A blog on the page. */
export interface BlogRow {
  /** JSON of {@link JsonOfBlog}. Null when the blog has neither. */
  readonly json: string | null;
  /** From 1. */
  readonly position: string;
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly meta_title: string | null;
  readonly meta_description: string | null;
  readonly featured_image_url: string | null;
  readonly categories: readonly string[] | null;
  readonly tags: readonly string[] | null;
  readonly published_at: string;
  /** Left out, like the content, where no content is read. */
  readonly updated_at?: string;
  /** Null where it is too large to be read with the page. */
  readonly segments?: string | null;
}

/**
 * The ids of blogs by the slugs of the placeholders that are bound to them; the extra fields; the slugs of the published
 * blogs that the data among these refers to, by their ids; and its translations.
 */
type JsonOfBlog = readonly [
  bindings: Readonly<Record<string, string>> | null,
  extra: { readonly data?: PostData },
  slugs: Readonly<Record<string, string>> | null,
  translations: readonly TranslationRow[] | null,
];
const NONE: JsonOfBlog = [null, {}, null, null];
type TranslationRow = readonly [id: string, language: string, slug: string, title: string];

export interface ProjectRow {
  /** JSON of {@link ProjectOfRead}. */
  readonly json: string;
  readonly position: null;
  readonly slug: null;
}

/** The project, and what is counted of its blogs. */
export interface ProjectOfRead {
  readonly version: string;
  readonly name: string | null;
  readonly site_url: string | null;
  /** Null where the statement counts nothing. */
  readonly total: number | null;
  readonly content_bytes: number | null;
  /** Where the blog that was asked for is now. Null when it is there, and where no slug is asked for. */
  readonly moved_to: string | null;
  /** Null where no blog of the page names any. */
  readonly authors: readonly StoredAuthor[] | null;
}

/** A published blog that a placeholder of the page leads to. */
export interface TargetRow {
  /** JSON of {@link TranslationOfTarget}. Null without one. */
  readonly json: string | null;
  readonly position: null;
  /** The blog that the placeholder is bound to, be it the target or not. */
  readonly id: string | null;
  /** As the placeholder names it. */
  readonly slug: string;
  readonly title: string;
  /** The slug of the target, when it is another one. The column is borrowed: a row has fourteen already. */
  readonly excerpt: string | null;
}

/** The translation of a target in the language of posts that link to it, and the key that the two share. */
type TranslationOfTarget = readonly [language: string, key: string, slug: string, title: string];

/** The rows of one statement, by what they are. */
export interface StatementRows extends LinkContext {
  readonly version: string;
  readonly name: string | null;
  /** Null where the statement counts nothing. */
  readonly total: number | null;
  /** What the contents take in the database; 0 where none are read. */
  readonly contentBytes: number;
  readonly movedTo: string | null;
  readonly blogs: readonly BlogRow[];
}

/** Null when the project is gone. Sorts by position: SQL promises no order for what UNION ALL puts together. */
export function readRows(rows: readonly ResultRow[]): StatementRows | null {
  const targets = new Map<string, LinkTarget>();
  const translated = new Map<string, TranslatedTarget>();
  const blogs: BlogRow[] = [];
  let project: ProjectOfRead | undefined;
  for (const row of rows) {
    if (row.position !== null) blogs[Number(row.position) - 1] = row;
    else if (row.slug === null) project = JSON.parse(row.json) as ProjectOfRead;
    else {
      const key = targetKey(row.slug, row.id);
      targets.set(key, toTarget(row));
      if (row.json === null) continue;
      const [language, translationKey, slug, title] = JSON.parse(row.json) as TranslationOfTarget;
      translated.set(translatedKey(key, language), { slug, title, translationKey });
    }
  }
  if (project === undefined) return null;
  const { version, name, site_url: siteUrl, total, content_bytes, moved_to: movedTo } = project;
  const authors = bySlug(project.authors ?? []);
  return {
    version,
    name,
    siteUrl,
    targets,
    translated,
    authors,
    blogs,
    total,
    contentBytes: content_bytes ?? 0,
    movedTo,
  };
}

const bySlug = (authors: readonly StoredAuthor[]): ReadonlyMap<string, StoredAuthor> =>
  new Map(authors.flatMap((author) => [...author.former_slugs, author.slug].map((slug) => [slug, author])));

function toTarget({ title, excerpt: slug }: TargetRow): LinkTarget {
  return slug === null ? { title } : { title, slug };
}

/** A blog without its content. */
export function toSummary(row: BlogRow): BlogSummary {
  return summaryOf(row, jsonOf(row));
}

const jsonOf = ({ json }: BlogRow): JsonOfBlog => (json === null ? NONE : (JSON.parse(json) as JsonOfBlog));

function summaryOf(row: BlogRow, [, extra, slugs, translations]: JsonOfBlog): BlogSummary {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    excerpt: row.excerpt,
    metaTitle: row.meta_title,
    metaDescription: row.meta_description,
    featuredImageUrl: row.featured_image_url,
    categories: row.categories ?? [],
    tags: row.tags ?? [],
    extra: extra.data ? { ...extra, data: resolveReferences(extra.data, (id) => slugs?.[id]) } : extra,
    ...(translations !== null && { translations: translations.map(toTranslation) }),
    publishedAt: toIsoTime(row.published_at),
  };
}

const toTranslation = ([id, language, slug, title]: TranslationRow) => ({ id, language, slug, title });

/** A blog with its content. */
export function toBlogWithContent(row: BlogRow): BlogWithContent {
  return withContent(row, row.segments ?? '[]');
}

/** A blog with its content as the database writes it, read by itself. */
export function withContent(row: BlogRow, segments: string): BlogWithContent {
  const json = jsonOf(row);
  const [bindings] = json;
  return {
    ...summaryOf(row, json),
    updatedAt: toIsoTime(row.updated_at ?? ''),
    segments: parseSegments(JSON.parse(segments)),
    bindings: bindings === null ? null : new Map(Object.entries(bindings)),
  };
}

/** `"2026-01-02T03:04:05.6"`, with its quotes → `2026-01-02T03:04:05.600Z`. */
export function toIsoTime(json: string): string {
  const fraction = json.slice(21, -1);
  return `${json.slice(1, 20)}.${fraction.length === 3 ? fraction : fraction.padEnd(3, '0')}Z`;
}

/**
 * Reads an array of texts in PostgreSQL's own notation (`{a,"b c"}`): one dimension, no nulls. Several times faster
 * than having `pg` or `JSON.parse` do it, and each blog of each read has two.
 */
export function parseTextArray(literal: string): string[] {
  if (literal === '{}') return [];
  if (!literal.includes('"')) return literal.slice(1, -1).split(',');
  const texts: string[] = [];
  const end = literal.length - 1;
  let at = 1;
  while (at < end) {
    const isQuoted = literal[at] === '"';
    const close = isQuoted ? closingQuote(literal, at + 1) : nextComma(literal, at, end);
    const raw = literal.slice(isQuoted ? at + 1 : at, close);
    texts.push(raw.includes('\\') ? raw.replaceAll(/\\(.)/gsu, '$1') : raw);
    at = close + (isQuoted ? 2 : 1);
  }
  return texts;
}

function closingQuote(literal: string, from: number): number {
  let at = from;
  while (literal[at] !== '"') {
    if (at >= literal.length) throw new TypeError('Unterminated array literal.');
    at += literal[at] === '\\' ? 2 : 1;
  }
  return at;
}

function nextComma(literal: string, from: number, end: number): number {
  const comma = literal.indexOf(',', from);
  return comma === -1 ? end : comma;
}
