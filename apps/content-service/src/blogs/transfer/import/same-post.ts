import type { ImportPost } from '../archive/plan-import.ts';

/** Why a blog that has a post's slug is not edited. */
export interface LeftAlone {
  readonly status: 'skipped' | 'failed';
  readonly message: string;
}

/** What to do about a blog that has the slug of an imported post; null when the post may edit it. */
export function leftAlone(
  { slug, sameBy = 'slug', title }: Pick<ImportPost, 'slug' | 'sameBy'> & { readonly title: string },
  there: { readonly title: string },
  existing: 'skip' | 'update',
): LeftAlone | null {
  const isSame = sameBy === 'slug' || (sameBy === 'title' && sameTitle(title, there.title));
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
