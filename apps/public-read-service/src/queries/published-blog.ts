import type { Segment } from '@blog-content/link-resolver';

/** A published blog without its content. */
export interface BlogSummary {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly featuredImageUrl: string | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** ISO 8601 UTC with milliseconds. */
  readonly publishedAt: string;
}

/** A published blog with its content, cut at its link placeholders. */
export interface BlogWithContent extends BlogSummary {
  /** ISO 8601 UTC with milliseconds. */
  readonly updatedAt: string;
  readonly segments: readonly Segment[];
}

/** What placeholders are resolved against: the project's site and the published targets by slug. */
export interface LinkContext {
  readonly siteUrl: string | null;
  readonly targets: ReadonlyMap<string, { readonly title: string }>;
}

/** A project and the version of what its readers see: a decimal integer that grows with every visible change. */
export interface ProjectVersion {
  readonly projectId: string;
  /** The account that the project counts for. It is the project's id while no owner is known. */
  readonly accountId: string;
  readonly version: string;
}
