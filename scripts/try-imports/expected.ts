/** A post as it must stand here when its export has been imported with `--publish --host-images`. */
export interface ExpectedPost {
  readonly title: string;
  readonly slug: string;
  readonly state: 'published' | 'draft';
  /** ISO 8601; null for a draft. */
  readonly publishedAt: string | null;
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  /** Where the export has one of its own. */
  readonly excerpt?: string;
  readonly metaTitle?: string;
  readonly metaDescription?: string;
  /** Whether it has a featured image. */
  readonly hasHero?: boolean;
  /** How many images the content shows. */
  readonly images?: number;
  /** What the content has, and has not. */
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
}

/** What a system was filled with, and what must become of it. */
export interface FilledSite {
  readonly posts: readonly ExpectedPost[];
  /** Lines of the file of redirects, in any order. */
  readonly redirects: readonly string[];
  /** What the command must say of what it leaves out, in these words. */
  readonly said: readonly string[];
}
