/** A post as another program has exported it. */
export interface ExportedPost {
  /** What that program calls it; the same in every export. */
  readonly id: string;
  /** Of letters, digits and hyphens; null where the export has none. */
  readonly slug: string | null;
  readonly title: string;
  readonly html: string;
  readonly isDraft: boolean;
  /** ISO 8601; null for one that was never published. */
  readonly publishedAt: string | null;
  readonly excerpt: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly featuredImageUrl: string | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** Where it was, absolute; null when the export does not say. */
  readonly url: string | null;
  /** Other addresses that led to it, absolute. */
  readonly otherUrls: readonly string[];
}

/** What an export has. */
export interface ReadExport {
  readonly posts: readonly ExportedPost[];
  /** What of it is not taken over, as sentences. */
  readonly notes: readonly string[];
}

/** What is wrong with an export as a whole. */
export class UnreadableExport extends Error {}

/** Most titles in one sentence. */
const MAX_NAMED = 20;

/**
 * A sentence on things of an export, by their names: “2 pages are left out: About; Contact.” None where there are none.
 *
 * @param one what is said of one, many of more: “page is left out”, “pages are left out”.
 */
export function sentenceOn(names: readonly string[], one: string, many: string): string[] {
  if (names.length === 0) return [];
  const more = names.length > MAX_NAMED ? `; and ${names.length - MAX_NAMED} more` : '';
  return [`${names.length} ${names.length === 1 ? one : many}: ${names.slice(0, MAX_NAMED).join('; ')}${more}.`];
}

/** A sentence on who wrote the posts, where these are several. */
export const sentenceOnAuthors = (names: ReadonlySet<string>): string[] =>
  names.size < 2
    ? []
    : sentenceOn([...names].sort(), 'author is lost', 'authors are lost, because posts have none here');
