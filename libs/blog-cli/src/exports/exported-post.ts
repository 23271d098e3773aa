/** A post as another program has exported it. */
export interface ExportedPost {
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
}

/** What an export has. */
export interface ReadExport {
  readonly posts: readonly ExportedPost[];
  /** What of it is not taken over, as sentences. */
  readonly notes: readonly string[];
}

/** What is wrong with an export as a whole. */
export class UnreadableExport extends Error {}

/** A count of things as a sentence's subject: “1 page is”, “3 pages are”. */
export const countOf = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one} is` : `${count} ${many} are`;
