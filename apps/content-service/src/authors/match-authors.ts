import type { AuthorCreateRequest } from '@blog-content/payload-schemas';
import { slugOf } from '../content/slugify.ts';

/** An author as an imported file names them; stored as JSON. */
export interface NamedAuthor {
  /** A slug or a name. */
  readonly name: string;
  readonly email?: string | null | undefined;
}

interface Known {
  readonly slug: string;
  readonly formerSlugs: readonly string[];
  readonly name: string;
  readonly email: string | null;
}

/**
 * The author with the email address, else with the slug (current or earlier), else with the name. Two people can share
 * a name, so an author with another address never matches.
 */
function matchAuthor<Candidate extends Known>(
  authors: readonly Candidate[],
  { name, email }: NamedAuthor,
): Candidate | undefined {
  const address = email?.toLowerCase() || undefined;
  const isOther = (author: Candidate) => address !== undefined && author.email !== null && author.email !== address;
  const possible = authors.filter((author) => !isOther(author));
  const folded = name.normalize().toLowerCase();
  return (
    possible.find((author) => address !== undefined && author.email === address) ??
    withSlug(possible, name) ??
    possible.find((author) => author.name.normalize().toLowerCase() === folded) ??
    withSlug(possible, slugOf(name))
  );
}

/** The project's author whom an archive describes. */
export const sameAuthor = <Candidate extends Known>(
  authors: readonly Candidate[],
  { slug, name, email }: Pick<AuthorCreateRequest, 'slug' | 'name' | 'email'>,
): Candidate | undefined =>
  matchAuthor(authors, { name: slug ?? name, email }) ?? matchAuthor(authors, { name, email });

const withSlug = <Candidate extends Known>(authors: readonly Candidate[], slug: string | null) =>
  slug === null
    ? undefined
    : (authors.find((author) => author.slug === slug) ?? authors.find(({ formerSlugs }) => formerSlugs.includes(slug)));

/** The slugs of the authors found, each once and in order, and a note on the names without an author. */
export function matchAuthors(
  authors: readonly Known[],
  named: readonly NamedAuthor[],
): { readonly slugs: readonly string[]; readonly note: string | null } {
  const matches = named.map((one) => matchAuthor(authors, one)?.slug ?? null);
  const unknown = named.filter((_, index) => matches[index] === null).map(({ name }) => `“${name}”`);
  return {
    slugs: [...new Set(matches.filter((slug) => slug !== null))],
    note:
      unknown.length === 0
        ? null
        : `Not an author of this project: ${unknown.join(', ')}. Add them under Settings → Authors, then import the post again and update it.`,
  };
}
