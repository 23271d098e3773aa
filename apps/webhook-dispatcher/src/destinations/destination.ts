import type { DestinationKind, Extras } from '@blog-content/payload-schemas';
import type { LinkedPost } from '../payload/link-live.ts';

/** A blog as another system is to have it, its links resolved. */
export interface DestinationPost {
  readonly title: string;
  readonly slug: string;
  /** HTML. */
  readonly content: string;
  readonly excerpt: string;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly keyword: string | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly featuredImageUrl: string | null;
  /** The images of the content; each `url` is the value of `src`. */
  readonly images: readonly SourceImage[];
  /** The posts that it links to. */
  readonly linkTargets: readonly LinkedPost[];
  /** Its original: as its author says, else where the project's site has it; null when the project has no site. */
  readonly canonicalUrl: string | null;
  /** For search engines and shared links, as its author wrote them. */
  readonly extras: Extras;
  /** Who wrote it, in order. */
  readonly authors: readonly PostAuthor[];
  /** When this publish was finalized, as an ISO 8601 timestamp. */
  readonly publishedAt: string;
}

/** What is needed to find an author of the project at a destination. */
export interface PostAuthor {
  readonly name: string;
  /** The present one first, then earlier ones. */
  readonly slugs: readonly string[];
  readonly email: string | null;
}

export interface SourceImage {
  readonly url: string;
  readonly alt: string;
}

/** Where a post is at the other system. */
export interface PlacedPost {
  readonly id: string;
  readonly url: string | null;
  /** The slug that it got; left out where the system has none, or does not say. */
  readonly slug?: string;
}

/** The post that a system was asked to make or to show. */
export interface AskedPost {
  readonly slug: string;
  readonly title: string;
  /** What its original is now said to be; null when there is none, or it is unknown. */
  readonly canonicalUrl: string | null;
}

/** A post that the other system has and that may be one that was asked for. */
export interface FoundPost extends PlacedPost {
  readonly title: string;
  readonly createdAt: Date;
}

/**
 * A system that posts are written into (contract §6.7). What the system does not accept, or does not answer, is thrown
 * as a `TargetFailure`: a post takes many requests, and each may be the last.
 */
export interface Destination {
  /** Makes of HTML what the system takes, before it is asked for anything. Left out where it takes HTML. */
  render?(html: string): Promise<string>;
  /** Makes a post, and shows it. */
  publish(post: DestinationPost): Promise<PlacedPost>;
  /** Makes this post what is given, and shows it; null when it is not there any more. */
  update(id: string, post: DestinationPost): Promise<PlacedPost | null>;
  /** The title of this post; null when it is not there. Left out where an id belongs to one post at any address. */
  titleOf?(id: string): Promise<string | null>;
  /** Hides it, and keeps it. False when it is not there any more. */
  unpublish(id: string): Promise<boolean>;
  /** False when it is not there any more. */
  delete(id: string): Promise<boolean>;
  /**
   * The post under this slug, shown or not, and those under what the slug becomes where it is taken; where slugs cannot
   * be chosen, those of this title.
   */
  findBySlug(asked: AskedPost): Promise<readonly FoundPost[]>;
  /**
   * Asks whether the credential lets posts be written. Resolves to what the owner should know; null when all is well.
   */
  test(): Promise<string | null>;
}

/** What is to become of a blog at a system. */
export type DestinationAction =
  | { readonly kind: 'show'; readonly post: DestinationPost }
  | { readonly kind: 'hide' }
  | { readonly kind: 'delete' };

/** Which system, where, and how it lets us in. */
export interface Target {
  readonly kind: DestinationKind;
  readonly integrationId: string;
  readonly projectId: string;
  /** Without a slash at its end. */
  readonly url: string;
  readonly secret: string;
  readonly settings: unknown;
}
