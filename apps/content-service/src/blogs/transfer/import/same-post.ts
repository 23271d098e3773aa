import type { ImportPost } from '../archive/plan-import.ts';

/** A post of an import, as far as it can be told from others. */
export interface ImportedPost extends Pick<ImportPost, 'slug' | 'sameBy'> {
  readonly title: string;
  /** Of its file. */
  readonly path: string;
}

/** A blog that is there. */
export interface StandingBlog {
  readonly title: string;
  /** Composed paths (NFC) of the files that imports have made it of. */
  readonly paths: ReadonlySet<string>;
}

/** Why a blog that has a post's slug is not edited. */
export interface LeftAlone {
  readonly status: 'skipped' | 'failed';
  readonly message: string;
}

/** What to do about a blog that has the slug of an imported post; null when the post may edit it. */
export function leftAlone(
  { slug, sameBy = 'slug', title, path }: ImportedPost,
  there: StandingBlog,
  existing: 'skip' | 'update',
): LeftAlone | null {
  const isFromFile = sameBy === 'file' && there.paths.has(path.normalize());
  const isSame = sameBy === 'slug' || isFromFile || (sameBy !== 'nothing' && sameTitle(title, there.title));
  if (isSame)
    return existing === 'update' ? null : { status: 'skipped', message: `A blog has the slug “${slug}” already.` };
  const held = `A blog has the slug “${slug}” already, “${there.title.slice(0, 200).toWellFormed()}”`;
  const way = `give the file another slug, or “slug: ${slug}” to edit that one.`;
  // A slug that nothing but the file makes is the file's own, come again.
  const status = existing === 'skip' || sameBy === 'nothing' ? 'skipped' : 'failed';
  return { status, message: `${held}, which may be another post: ${way}` };
}

const sameTitle = (a: string, b: string): boolean => comparable(a) === comparable(b);
const comparable = (title: string): string => title.normalize('NFKC').trim().toLowerCase();
