import { otherSlug, slugInLanguage, type PostSlug, type SameBy } from '../posts/post-slug.ts';
import type { SlugsByPath } from '../posts/rewrite-links.ts';

/** A file with the slug that it gives itself. */
export type NamedFile = PostSlug & {
  readonly path: string;
  readonly isDraft: boolean;
  /** Where its path tells it. */
  readonly language?: string | undefined;
};

/** Which file has which slug. */
export interface AssignedSlugs {
  readonly byPath: SlugsByPath;
  /** The paths of those that have a slug. */
  readonly owners: ReadonlyMap<string, string>;
}

/** What is given, or can be told from other names, keeps its slug before what cannot; of those, drafts come last. */
const RANKS: Readonly<Record<SameBy, number>> = { slug: 0, file: 1, nothing: 2 };

/**
 * Gives each file a slug of its own. Of two with one slug the first has it, and a draft after all others; the other has
 * none, or a longer one if it is a translation or a draft, or where only their transliteration is the same.
 *
 * @param others the slugs of files that come in other archives, by composed path.
 */
export function assignSlugs(files: readonly NamedFile[], others: SlugsByPath): AssignedSlugs {
  const byPath = new Map(others);
  const owners = new Map([...others].map(([path, slug]) => [slug, path]));
  const rank = ({ sameBy, isDraft }: NamedFile) => RANKS[sameBy] * 2 + Number(isDraft);
  for (const file of files.toSorted((a, b) => rank(a) - rank(b))) {
    const path = file.path.normalize();
    // Where the whole of an import has been planned before, it is settled.
    const settled = others.get(path);
    const hasOther = file.sameBy === 'file' || file.isDraft;
    const inLanguage = file.language === undefined ? [] : [slugInLanguage(file, file.language)];
    const candidates = [file.slug, ...inLanguage, ...(hasOther ? [otherSlug(file, path)] : [])];
    const slug = settled ?? candidates.find((candidate) => !owners.has(candidate));
    if (slug === undefined) continue;
    byPath.set(path, slug);
    owners.set(slug, path);
  }
  return { byPath, owners };
}
