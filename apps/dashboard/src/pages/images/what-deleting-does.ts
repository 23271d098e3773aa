import type { ImageUse } from '../../generated/types.gen.ts';

/** What deleting an image does to whom, by where it is used. The API asks to be forced while readers see it. */
export function whatDeletingDoes(
  uses: readonly Pick<ImageUse, 'published'>[],
):
  | { readonly kind: 'unused' | 'used'; readonly force: false }
  | { readonly kind: 'published'; readonly force: true; readonly posts: number } {
  const posts = uses.filter(({ published }) => published).length;
  if (posts > 0) return { kind: 'published', force: true, posts };
  return { kind: uses.length > 0 ? 'used' : 'unused', force: false };
}
