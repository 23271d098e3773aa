import type { RenamePreview } from '../../../generated/types.gen.ts';
import { links as text } from '../../../strings/writing/links.ts';

/**
 * What happens to links and the old URL, as sentences; null where nothing changes for readers.
 *
 * @param before the slug that the post had when it was opened.
 */
export function sayRename(preview: RenamePreview, before: string): string | null {
  const { slug, availability, published_slug: published, linking_posts: posts, keeps_old_url: keepsOldUrl } = preview;
  if (slug === (published ?? before) || availability === 'taken' || availability === 'reserved') return null;
  // A new draft has a slug by its title, which changes while it is typed.
  if (posts === 0 && !keepsOldUrl) return null;
  return `${keepsOldUrl ? text.oldUrlRedirects : text.noOldUrl} ${text.follow(posts)}`;
}

/** Why the post cannot have the slug; undefined where it can. */
export function refusalOf({ availability, held_by: holder }: RenamePreview): string | undefined {
  switch (availability) {
    case 'taken':
      return text.taken(holder?.title ?? '');
    case 'reserved':
      return text.reserved;
    case 'alias':
      return text.alias(holder?.title ?? '');
    case 'own':
    case 'free':
      return undefined;
  }
}
