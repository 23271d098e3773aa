/** What search engines and chats are told of a post. What a post has not is null, or false. */
export interface ExpectedSharing {
  readonly canonical_url: string;
  readonly noindex: boolean;
  readonly og_title: string;
  readonly og_description: string;
  readonly x_title: string;
  readonly x_description: string;
  /** Whether it has an image of its own when it is shared, and on X. */
  readonly og_image: boolean;
  readonly x_image: boolean;
}

/** One with all of it. */
export const SHARING: ExpectedSharing = {
  canonical_url: 'https://elsewhere.example.com/soup/',
  noindex: true,
  og_title: 'Soup & bread, shared',
  og_description: 'For “chats”.',
  x_title: 'Soup on X',
  x_description: 'For X <only>.',
  og_image: true,
  x_image: true,
};

/** A post as it must be here after its export was imported with `--publish --host-images`. */
export interface ExpectedPost {
  readonly title: string;
  readonly slug: string;
  readonly state: 'published' | 'draft';
  /** ISO 8601: when it was published there, or is to be; null for what never was. */
  readonly publishedAt: string | null;
  /** Whether it waits for that time. */
  readonly isScheduled?: boolean;
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  /** Where the export has one of its own. */
  readonly excerpt?: string;
  readonly metaTitle?: string;
  readonly metaDescription?: string;
  readonly keyword?: string;
  readonly sharing?: ExpectedSharing;
  /** The names of its authors; the first of the site unless given. */
  readonly authors?: readonly string[];
  /** The alt text of its featured image, where it has one. */
  readonly heroAlt?: string;
  /** How many images the content shows. */
  readonly images?: number;
  /** What the content has, and has not. */
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
}

/** A time that a schedule may have, in whole seconds. */
export const SOON = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 200 * 86_400_000).toISOString();

/** An author as the owner of the project sees them. */
export interface ExpectedAuthor {
  readonly name: string;
  readonly email: string;
  readonly bio?: string;
  readonly links?: readonly { readonly label: string; readonly url: string }[];
  readonly same_as?: readonly string[];
}

/** What a system was filled with, and what must become of it. */
export interface FilledSite {
  readonly posts: readonly ExpectedPost[];
  /** Those who wrote them, with what the export has of each. */
  readonly authors: readonly [ExpectedAuthor, ...ExpectedAuthor[]];
  /** Lines of the file of redirects, in any order. */
  readonly redirects: readonly string[];
  /** What the command must say of what it leaves out, in these words. */
  readonly said: readonly string[];
}
