import { urlWithoutPlaceholders, withoutPlaceholders, withoutTrailingSlashes } from '@blog-content/link-resolver';
import type { BlogSummary } from '../../queries/published-blog.ts';

/** The website that a feed belongs to. */
export interface FeedChannel {
  /** The project's name, or its site's host as long as the name is not known, or is a link placeholder only. */
  readonly title: string;
  /** Address of the site, without a slash at its end. */
  readonly siteUrl: string;
}

/**
 * The site that the feed is of. Null for a project without a site address: RSS and sitemaps have no valid form without
 * addresses of the site's pages.
 */
export function feedChannel(project: {
  readonly name: string | null;
  readonly siteUrl: string | null;
}): FeedChannel | null {
  const siteUrl = withoutTrailingSlashes(urlWithoutPlaceholders(project.siteUrl) ?? '');
  if (siteUrl === '') return null;
  return { title: withoutPlaceholders(project.name) || siteUrl.replace(/^https?:\/\//i, ''), siteUrl };
}

/** The URL of a post on the site, which links between posts use too (contract §2.4.3). */
export function postUrl({ siteUrl }: FeedChannel, slug: string): string {
  return `${siteUrl}/blog/${slug}/`;
}

/** Categories and tags: feeds know one kind of label. */
export function labelsOf({ categories, tags }: Pick<BlogSummary, 'categories' | 'tags'>): string[] {
  return [...new Set([...categories, ...tags])];
}
