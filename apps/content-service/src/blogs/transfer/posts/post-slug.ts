import { createHash } from 'node:crypto';
import { slug as slugSchema } from '@blog-content/payload-schemas';
import { slugOf } from '../../../content/slugify.ts';

/**
 * What makes a blog with a file's slug the same post: the slug alone; that it came from the same file, or has its title,
 * where other names make the same slug (`章` and `张`, `C++` and `C#`); nothing, where the slug says nothing of the post.
 */
export type SameBy = 'slug' | 'file' | 'nothing';

export interface PostSlug {
  readonly slug: string;
  readonly sameBy: SameBy;
}

/** A slug given in front matter. `note` says what it was made into. */
export function slugFromGiven(given: string): (PostSlug & { readonly note: string | null }) | null {
  if (slugSchema.safeParse(given).success) return { slug: given, sameBy: 'slug', note: null };
  const made = slugFromText(given);
  if (made === null) return null;
  return { ...made, note: `The slug “${shortened(given)}” is invalid, so it was changed to “${made.slug}”.` };
}

/** The slug of a file without one: made from its name, else from its title, else from a hash of both. */
export function slugFromFile(path: string, stem: string, title: string): PostSlug {
  return slugFromText(stem) ?? slugFromText(title) ?? { slug: `post-${shortHash(path, title)}`, sameBy: 'nothing' };
}

/** Another slug for a file whose own is taken by another file: the same one in every import. */
export function otherSlug({ slug }: Pick<PostSlug, 'slug'>, path: string): string {
  return lengthened(slug, shortHash(path));
}

/** The slug of a translation whose own is taken by a post in another language. */
export const slugInLanguage = ({ slug }: Pick<PostSlug, 'slug'>, language: string): string =>
  lengthened(slug, language.toLowerCase());

function lengthened(slug: string, ending: string): string {
  return `${slug.slice(0, MAX_SLUG - ending.length - 1).replace(/-$/, '')}-${ending}`;
}

const MAX_SLUG = 200;

function slugFromText(text: string): PostSlug | null {
  const slug = slugOf(text);
  if (slug === null) return null;
  const isWhole = slug.length < NEARLY_MAX_SLUG && ALPHABETIC.test(text.normalize());
  return { slug, sameBy: isWhole ? 'slug' : 'file' };
}

/** From here on a slug may have been cut. */
const NEARLY_MAX_SLUG = 190;

/** Names whose letters can be told from the slug. */
const ALPHABETIC = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\d\s._'’,!?()-]*$/u;

/** Paths are composed as each system likes. */
function shortHash(...parts: readonly string[]): string {
  const text = parts.map((part) => part.normalize()).join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

const shortened = (text: string): string => text.slice(0, 200).toWellFormed();
