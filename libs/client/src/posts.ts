/** Fields that posts have only if `fields` names them. */
export interface RequestedFields {
  /** Values of the project’s data fields. The command `blog types` writes their type. */
  data?: Record<string, unknown> | undefined;
  /** In order. */
  authors?: Author[] | undefined;
  /** Where the post first appeared; null if here. */
  canonical_url?: string | null | undefined;
  /** Whether search engines should leave it out. */
  noindex?: boolean | undefined;
  /** For sharing (Open Graph); null if the same as for search engines. */
  og_title?: string | null | undefined;
  og_description?: string | null | undefined;
  og_image_url?: string | null | undefined;
  /** For X; null if the same as for sharing. */
  x_title?: string | null | undefined;
  x_description?: string | null | undefined;
  x_image_url?: string | null | undefined;
  /** The hero image with its size. `og_image` and `x_image` default to it. */
  featured_image?: PostImage | null | undefined;
  og_image?: PostImage | null | undefined;
  x_image?: PostImage | null | undefined;
  /** BCP 47 tag; null if not set. */
  language?: string | null | undefined;
  /** Posts with the same key are translations of each other; null if not set. */
  translation_key?: string | null | undefined;
  /** The published posts with the same `translation_key`, this one included: what `hreflang` needs. */
  translations?: Translation[] | undefined;
}

/** An image of a post. Nothing but its URL is known of one that is not of the project's library. */
export interface PostImage {
  url: string;
  /** In pixels. */
  width: number | null;
  height: number | null;
  type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif' | 'image/gif' | null;
  alt: string | null;
}

/** A post among its translations. */
export interface Translation {
  id: string;
  /** A BCP 47 tag. */
  language: string;
  slug: string;
  title: string;
  /** On the project's site; null without a site URL. */
  url: string | null;
}

/** A post in a list. */
export interface ListedPost extends RequestedFields {
  /** A UUID that stays with the post. */
  id: string;
  title: string;
  /** Lowercase and hyphenated, unique in the project. */
  slug: string;
  /** Plain text, may be `''`. */
  excerpt: string;
  meta_title: string;
  meta_description: string;
  /** The hero image, which is not in the content; null when there is none. */
  featured_image_url: string | null;
  categories: string[];
  tags: string[];
  /** ISO 8601, UTC: when the post was published first since it was last taken down. */
  published_at: string;
}

/** The same with its HTML. */
export interface ListedPostWithContent extends ListedPost {
  content: string;
}

/** One post. */
export interface Post extends ListedPostWithContent {
  /** ISO 8601, UTC: when what is served now was published. */
  updated_at: string;
  word_count: number;
  /** JSON-LD of the FAQ and HowTo parts of the content; only where `fields` names it. */
  structured_data?: StructuredData[] | undefined;
}

/** A `FAQPage` or `HowTo` of schema.org. */
export type StructuredData =
  | {
      '@context': 'https://schema.org';
      '@type': 'FAQPage';
      mainEntity: { '@type': 'Question'; name: string; acceptedAnswer: { '@type': 'Answer'; text: string } }[];
    }
  | {
      '@context': 'https://schema.org';
      '@type': 'HowTo';
      name: string;
      step: { '@type': 'HowToStep'; name?: string | undefined; text: string }[];
    };

/** One page of a list. */
export interface PostList<Item extends Partial<ListedPostWithContent> = ListedPost> {
  blogs: Item[];
  /** All published posts that match the filters. */
  total: number;
  limit: number;
  offset: number;
}

/** A post that is gone from its slug: it was unpublished, deleted or renamed. */
export interface RemovedPost {
  id: string;
  slug: string;
  removed: true;
  /** The slug that it is published under now. */
  moved_to?: string | undefined;
}

/** Some of what has changed, oldest change first. */
export interface ChangePage<Item> {
  /** Current posts, and removed ones (`'removed' in change`). Apply them in order. */
  readonly changes: readonly (Item | RemovedPost)[];
  /** Everything begins here: drop what you have. */
  readonly startsAnew: boolean;
  /** The position behind these changes. */
  readonly since: string;
}

/** What is related to a post, those that share most first. */
export interface RelatedPosts {
  blogs: ListedPost[];
  total: number;
}

/** The newest 5,000 posts. */
export interface Sitemap {
  blogs: { slug: string; published_at: string; updated_at: string }[];
  /** Number of entries. */
  total: number;
}

/** An earlier slug of a published post, and its present one. */
export interface Redirect {
  from: string;
  to: string;
}

/** Some of the redirects. */
export interface RedirectPage {
  redirects: Redirect[];
  /** All there are. */
  total: number;
}

/** An author of the project. */
export interface Author {
  slug: string;
  name: string;
  /** Plain text. */
  bio: string | null;
  avatar_url: string | null;
  /** The URL of the first link. */
  url: string | null;
  links: { label: string; url: string }[];
  /** Other pages about this person. */
  same_as: string[];
}

/** All authors of the project. */
export interface AuthorList {
  authors: Author[];
  /** Number of authors. */
  total: number;
}

/** JSON Feed 1.1. */
export interface JsonFeed {
  version: 'https://jsonfeed.org/version/1.1';
  title: string;
  home_page_url: string;
  items: {
    id: string;
    url: string;
    title: string;
    content_html: string;
    summary?: string | undefined;
    image?: string | undefined;
    date_published: string;
    date_modified: string;
    tags: string[];
    authors?: { name: string; url?: string | undefined; avatar?: string | undefined }[] | undefined;
  }[];
}
