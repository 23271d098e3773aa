/** An image of a post's content; `url` exactly as in its `src`, where `&` is `&amp;`. */
export interface PostImage {
  url: string;
  alt: string;
}

/** Fields that posts have only if the webhook’s `settings.fields` name them. */
export interface RequestedFields {
  /** Values of the project’s data fields. A reference to a post is `{ id, slug }`, or null while it is not published. */
  data?: Record<string, unknown> | undefined;
  /** Slugs of the authors, in order. */
  authors?: string[] | undefined;
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
  /** BCP 47 tag; null if not set. */
  language?: string | null | undefined;
  /** Posts with the same key are translations of each other; null if not set. */
  translation_key?: string | null | undefined;
}

/** A post was published, or published again: treat both the same, and write by `blog_id`. */
export interface PostEvent extends RequestedFields {
  event: 'blog.published' | 'blog.updated';
  /** A UUID that stays with the post. */
  blog_id: string;
  /** Text, not escaped for HTML. */
  title: string;
  slug: string;
  /** Only in `blog.updated`, and only when you have the post under another slug: redirect from it to `slug`. */
  previous_slug?: string | undefined;
  /** HTML; the hero image is not in it. */
  content: string;
  /** Plain text, may be `''`. */
  excerpt: string;
  /** The same, at most 256 characters. */
  excerpt_short: string;
  meta_title: string | null;
  meta_description: string | null;
  featured_image_url: string | null;
  categories: string[];
  tags: string[];
  keyword: string | null;
  /** ISO 8601, UTC: when this publish was made, the same on each attempt. */
  published_at: string;
  images: PostImage[];
  /** Only when an agent published: the same on each attempt, another one for each publish. */
  idempotency_key?: string | undefined;
  /** Only when an agent published: 1, 2, 3, … */
  publish_attempt?: number | undefined;
}

/** A post was taken down. */
export interface UnpublishedEvent {
  event: 'blog.unpublished';
  blog_id: string;
  title: string;
}

/** A published post was deleted. */
export interface DeletedEvent {
  event: 'blog.deleted';
  blog_id: string;
  title: string;
}

/** The owner pressed Test Connection. */
export interface PingEvent {
  event: 'test.ping';
  message: string;
  timestamp: string;
}

export type WebhookEvent = PostEvent | UnpublishedEvent | DeletedEvent | PingEvent;
