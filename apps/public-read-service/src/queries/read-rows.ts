import { parseSegments } from '@blog-content/link-resolver';
import { parseTextArray } from './parse-text-array.ts';
import type { BlogSummary, BlogWithContent, LinkContext } from './published-blog.ts';

/** Every value as PostgreSQL writes it, except arrays of texts. */
export const asTexts = {
  types: { getTypeParser: (oid: number) => (oid === TEXT_ARRAY_OID ? parseTextArray : asIs) },
} as const;
const TEXT_ARRAY_OID = 1009;
const asIs = (text: string): string => text;

/** A row of a statement of read-statements.ts. It has the columns of the other kinds too; they are null. */
export type ResultRow = BlogRow | ProjectRow | TargetRow;

/** A blog on the page. */
export interface BlogRow {
  readonly project: null;
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

export interface ProjectRow {
  /** JSON of {@link ProjectOfRead}. */
  readonly project: string;
}

/** The project, and what is counted of its blogs. */
export interface ProjectOfRead {
  readonly version: string;
  readonly name: string | null;
  readonly site_url: string | null;
  /** Null where the statement counts nothing. */
  readonly total: number | null;
  readonly content_bytes: number | null;
}

/** A published blog that a placeholder of the page names. */
export interface TargetRow {
  readonly project: null;
  readonly position: null;
  readonly slug: string;
  readonly title: string;
}

/** The rows of one statement, by what they are. */
export interface StatementRows extends LinkContext {
  readonly version: string;
  readonly name: string | null;
  /** Null where the statement counts nothing. */
  readonly total: number | null;
  /** What the contents take in the database; 0 where none are read. */
  readonly contentBytes: number;
  readonly blogs: readonly BlogRow[];
}

/** Null when the project is gone. Sorts by position: SQL promises no order for what UNION ALL puts together. */
export function readRows(rows: readonly ResultRow[]): StatementRows | null {
  const targets = new Map<string, { readonly title: string }>();
  const blogs: BlogRow[] = [];
  let project: ProjectOfRead | undefined;
  for (const row of rows) {
    if (row.project !== null) project = JSON.parse(row.project) as ProjectOfRead;
    else if (row.position === null) targets.set(row.slug, { title: row.title });
    else blogs[Number(row.position) - 1] = row;
  }
  if (project === undefined) return null;
  const { version, name, site_url: siteUrl, total, content_bytes: contentBytes } = project;
  return { version, name, siteUrl, targets, blogs, total, contentBytes: contentBytes ?? 0 };
}

/** A blog without its content. */
export function toSummary(row: BlogRow): BlogSummary {
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
    publishedAt: toIsoTime(row.published_at),
  };
}

/** A blog with its content. */
export function toBlogWithContent(row: BlogRow): BlogWithContent {
  return withContent(row, row.segments ?? '[]');
}

/** A blog with its content as the database writes it, read by itself. */
export function withContent(row: BlogRow, segments: string): BlogWithContent {
  return {
    ...toSummary(row),
    updatedAt: toIsoTime(row.updated_at ?? ''),
    segments: parseSegments(JSON.parse(segments)),
  };
}

/** `"2026-01-02T03:04:05.6"`, with its quotes → `2026-01-02T03:04:05.600Z`. */
export function toIsoTime(json: string): string {
  const fraction = json.slice(21, -1);
  return `${json.slice(1, 20)}.${fraction.length === 3 ? fraction : fraction.padEnd(3, '0')}Z`;
}
