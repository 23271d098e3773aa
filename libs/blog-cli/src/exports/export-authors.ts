import { asciiSlug } from './ascii-slug.ts';
import { isHttpUrl, type ExportedAuthor } from './exported-post.ts';

/** Somebody who wrote posts, as another program has them. Texts may be anything. */
export interface GivenAuthor {
  readonly slug: string;
  readonly name: string;
  readonly email?: string;
  readonly bio?: string;
  readonly picture?: string;
  readonly website?: string;
  readonly profiles?: readonly string[];
}

/** What the service takes, in characters. */
const MAX_NAME = 300;
const MAX_BIO = 2_000;
const MAX_SLUG = 90;
/** What most addresses look like: the service takes no others. */
const EMAIL = /^[\w'+-]+(?:\.[\w'+-]+)*@(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/i;
const MAX_EMAIL = 254;

/**
 * Authors by what the export calls them, each as the service takes them and with a slug of their own. What it does not
 * take of one is left out.
 */
export function authorsByKey(given: ReadonlyMap<string, GivenAuthor>): ReadonlyMap<string, ExportedAuthor> {
  const taken = new Set<string>();
  return new Map(
    [...given].map(([key, author]) => {
      const name = author.name.trim().slice(0, MAX_NAME).trim() || key.slice(0, MAX_NAME);
      const slug = freeSlug(asciiSlug(author.slug) || asciiSlug(name) || 'author', taken);
      return [key, { slug, name, ...about(author) }] as const;
    }),
  );
}

function about({ email = '', bio = '', picture = '', website = '', profiles = [] }: GivenAuthor) {
  return {
    email: EMAIL.test(email) && email.length <= MAX_EMAIL ? email.toLowerCase() : null,
    bio: bio.trim().slice(0, MAX_BIO) || null,
    avatar_url: isHttpUrl(picture) ? picture : null,
    links: isHttpUrl(website) ? [{ label: 'Website', url: website }] : [],
    same_as: [...new Set(profiles.filter(isHttpUrl))],
  };
}

function freeSlug(slug: string, taken: Set<string>): string {
  const base = slug.slice(0, MAX_SLUG).replace(/-$/, '');
  let free = base;
  for (let number = 2; taken.has(free); number += 1) free = `${base}-${number}`;
  taken.add(free);
  return free;
}

/** Those who wrote something of it. */
export function authorsOfPosts(
  posts: readonly { readonly authors: readonly string[] }[],
  authors: ReadonlyMap<string, ExportedAuthor>,
): ExportedAuthor[] {
  const named = new Set(posts.flatMap((post) => post.authors));
  return [...authors.values()].filter(({ slug }) => named.has(slug));
}
