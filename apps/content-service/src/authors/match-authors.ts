import { slugOf } from '../content/slugify.ts';
import type { Author } from './author-store.ts';

/** An author as a file of an import names them; survives JSON. */
export interface NamedAuthor {
  /** A slug or a name. */
  readonly name: string;
  readonly email?: string | undefined;
}

type Known = Pick<Author, 'slug' | 'formerSlugs' | 'name' | 'email'>;

/**
 * The author who is meant: who has the email address, else the slug, now or earlier, else the name; undefined where
 * nobody has any of these.
 */
function matchAuthor<Candidate extends Known>(
  authors: readonly Candidate[],
  { name, email }: NamedAuthor,
): Candidate | undefined {
  const address = email?.toLowerCase();
  const folded = name.normalize().toLowerCase();
  return (
    authors.find((author) => address !== undefined && author.email === address) ??
    withSlug(authors, name) ??
    authors.find((author) => author.name.normalize().toLowerCase() === folded) ??
    withSlug(authors, slugOf(name))
  );
}

const withSlug = <Candidate extends Known>(authors: readonly Candidate[], slug: string | null) =>
  slug === null
    ? undefined
    : (authors.find((author) => author.slug === slug) ?? authors.find(({ formerSlugs }) => formerSlugs.includes(slug)));

/** The slugs of those who are meant, each once and in order, and a note on the others. */
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
