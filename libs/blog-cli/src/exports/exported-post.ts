import { asciiSlug, isAlphabetic } from './ascii-slug.ts';

/** A post as another program has exported it. */
export interface ExportedPost {
  /** What that program calls it; the same in every export. */
  readonly id: string;
  /** Of letters, digits and hyphens; null where the export has none. */
  readonly slug: string | null;
  /** Whether another name could have made the slug, too. */
  readonly isSlugMade: boolean;
  readonly title: string;
  readonly html: string;
  /** Whether the import publishes it only when its owner does so. */
  readonly isDraft: boolean;
  /** What it is there, as a clause: “it is private in WordPress”. */
  readonly state: string;
  /** Whether anyone could read it at its URL: the public, or members alone. */
  readonly wasLive: boolean;
  /** ISO 8601, when it was published or is to be; null for one that never was. */
  readonly publishedAt: string | null;
  readonly excerpt: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly keyword: string | null;
  readonly sharing: Sharing;
  /** Its language, and what it has in common with its translations, by the names that front matter has for it. */
  readonly translation?: { readonly lang: string; readonly translationKey?: string } | undefined;
  readonly featuredImageUrl: string | null;
  readonly featuredImageAlt: string | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** The slugs of who wrote it, in order. */
  readonly authors: readonly string[];
  /** Where it was, absolute; null when the export does not say. */
  readonly url: string | null;
  /** Other addresses that led to it, absolute. */
  readonly otherUrls: readonly string[];
}

/** What search engines and shared links get instead of the above, by the names that front matter has for it. */
export type Sharing = Readonly<
  Partial<
    Record<
      'canonical_url' | 'og_title' | 'og_description' | 'og_image_url' | 'x_title' | 'x_description' | 'x_image_url',
      string
    >
  > & { noindex?: true }
>;

/** Somebody who wrote posts, by the names that the service has for it. */
export interface ExportedAuthor {
  /** No other of the export has it. */
  readonly slug: string;
  readonly name: string;
  readonly email: string | null;
  readonly bio: string | null;
  readonly avatar_url: string | null;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  readonly same_as: readonly string[];
}

/** What an export has. */
export interface ReadExport {
  readonly posts: readonly ExportedPost[];
  /** Those who wrote these posts. */
  readonly authors: readonly ExportedAuthor[];
  /** What of it is not taken over, as sentences. */
  readonly notes: readonly string[];
  /** The same of what could not be read: the import has failed in part. */
  readonly problems: readonly string[];
}

/** How an export has come. */
export interface ExportFile {
  readonly text: string;
  /** Whether U+FFFD replaces bytes that could not be read. */
  readonly isDamaged: boolean;
  /** Which dates are in the future. */
  readonly now: Date;
}

/** Most characters of a post's HTML: what the service takes. */
export const MAX_POST_CHARACTERS = 500_000;
const MAX_SLUG = 200;

/** The slug of another program as the service takes it, its letters transliterated; null where it has none. */
export function slugFrom(name: string): Pick<ExportedPost, 'slug' | 'isSlugMade'> {
  const given = decoded(name);
  const whole = asciiSlug(given);
  const slug = whole.slice(0, MAX_SLUG).replace(/-$/, '');
  return { slug: slug === '' ? null : slug, isSlugMade: slug !== whole || !isAlphabetic(given) };
}

/** WordPress keeps other letters than Latin ones as in an address, and may cut the last of them in two. */
const decoded = (name: string): string =>
  name.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString().replaceAll('\uFFFD', ' '),
  );

export const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** What is wrong with an export as a whole. */
export class UnreadableExport extends Error {}

/** Most titles in one sentence. */
const MAX_NAMED = 20;

/**
 * A sentence on things of an export, by their names: “2 pages not imported: About; Contact.” None where there are none.
 *
 * @param one what is said of one, many of more: “page not imported”, “pages not imported”.
 */
export function sentenceOn(names: readonly string[], one: string, many: string): string[] {
  if (names.length === 0) return [];
  return [`${names.length} ${names.length === 1 ? one : many}: ${listOf(names)}.`];
}

function listOf(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? `; and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join('; ')}${more}`;
}

/** How many posts a sentence names with what they have. */
const MAX_EXAMPLES = 3;

/** A sentence on what posts have: “Shortcodes kept as text: form (Soup, Bread).” None where they have nothing. */
export function sentenceOnNames(
  words: string,
  posts: readonly { readonly title: string; readonly names: readonly string[] }[],
): string[] {
  const titles = new Map<string, string[]>();
  for (const { title, names } of posts) {
    for (const name of names) {
      const found = titles.get(name);
      if (found === undefined) titles.set(name, [title]);
      else if (found.length < MAX_EXAMPLES) found.push(title);
    }
  }
  if (titles.size === 0) return [];
  const named = [...titles].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, of]) => `${name} (${of.join(', ')})`);
  return [`${words}: ${listOf(named)}.`];
}

/** A sentence on posts that are left out because they have more than MAX_POST_CHARACTERS characters. */
export const sentenceOnLong = (titles: readonly string[]): string[] =>
  sentenceOn(
    titles,
    `post has more than ${MAX_POST_CHARACTERS} characters, not imported`,
    `posts have more than ${MAX_POST_CHARACTERS} characters, not imported`,
  );

/** A sentence on posts that are left out because of bytes that could not be read. */
export const sentenceOnDamaged = (titles: readonly string[]): string[] =>
  sentenceOn(
    titles,
    'post has bytes that are invalid in the file’s encoding, not imported',
    'posts have bytes that are invalid in the file’s encoding, not imported',
  );

/** A sentence on posts whose letters were lost before they were exported. */
export const sentenceOnLostLetters = (posts: readonly ExportedPost[]): string[] =>
  sentenceOn(
    posts.filter((post) => JSON.stringify(post).includes('\uFFFD')).map(({ title }) => title),
    'post has \uFFFD for lost characters in the export itself',
    'posts have \uFFFD for lost characters in the export itself',
  );
