import { parseSegments, urlWithoutPlaceholders, withoutPlaceholders } from '@blog-content/link-resolver';
import { parseTextArray } from './parse-text-array.ts';
import type { BlogSummary, BlogWithContent, LinkContext } from './published-blog.ts';

/** Rows as arrays, every value as PostgreSQL writes it, except arrays of texts. */
export const asTexts = {
  rowMode: 'array',
  types: { getTypeParser: (oid: number) => (oid === TEXT_ARRAY_OID ? parseTextArray : asIs) },
} as const;
const TEXT_ARRAY_OID = 1009;
const asIs = (text: string): string => text;

/** A blog as `rowsOf` in read-statements.ts lists its columns; the last two only where content is read. */
export type BlogRow = readonly [
  position: string,
  id: string,
  slug: string,
  title: string,
  excerpt: string,
  metaTitle: string | null,
  metaDescription: string | null,
  featuredImageUrl: string | null,
  categories: string[] | null,
  tags: string[] | null,
  publishedAt: string,
  updatedAt?: string,
  segments?: string | null,
];
type ProjectRow = readonly [
  position: '0',
  version: string,
  name: string | null,
  siteUrl: string | null,
  total: string | null,
  contentBytes: string | null,
];
type TargetRow = readonly [position: null, slug: string, title: string];

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

/** Null when the project is gone. Order is by position: SQL promises none for what UNION ALL puts together. */
export function readRows(rows: readonly unknown[]): StatementRows | null {
  const targets = new Map<string, { readonly title: string }>();
  const blogs: BlogRow[] = [];
  let project: ProjectRow | undefined;
  for (const row of rows as readonly (BlogRow | ProjectRow | TargetRow)[]) {
    if (row[0] === null) targets.set(row[1], { title: row[2] });
    else if (row[0] === '0') project = row as ProjectRow;
    else blogs[Number(row[0]) - 1] = row as BlogRow;
  }
  if (project === undefined) return null;
  const [, version, name, siteUrl, total, contentBytes] = project;
  return {
    ...{ version, name, siteUrl, targets, blogs },
    total: total === null ? null : Number(total),
    contentBytes: Number(contentBytes ?? 0),
  };
}

/** A blog without its content. */
export function toSummary(row: BlogRow): BlogSummary {
  const [, id, slug, title, excerpt, metaTitle, metaDescription, featuredImageUrl, categories, tags, publishedAt] = row;
  return {
    // The projection takes placeholders out; older rows hold what their authors wrote.
    ...withoutPlaceholders({
      title,
      excerpt,
      metaTitle,
      metaDescription,
      categories: categories ?? [],
      tags: tags ?? [],
    }),
    id,
    slug,
    featuredImageUrl: urlWithoutPlaceholders(featuredImageUrl),
    publishedAt: toIsoTime(publishedAt),
  };
}

/** A blog with its content. */
export function toBlogWithContent(row: BlogRow): BlogWithContent {
  return withContent(row, row[12] ?? '[]');
}

/** A blog with its content as the database writes it, read by itself. */
export function withContent(row: BlogRow, segments: string): BlogWithContent {
  return { ...toSummary(row), updatedAt: toIsoTime(row[11] ?? ''), segments: parseSegments(JSON.parse(segments)) };
}

/** `"2026-01-02T03:04:05.6"`, with its quotes → `2026-01-02T03:04:05.600Z`. */
export function toIsoTime(json: string): string {
  const fraction = json.slice(21, -1);
  return `${json.slice(1, 20)}.${fraction.length === 3 ? fraction : fraction.padEnd(3, '0')}Z`;
}
