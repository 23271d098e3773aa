import { withoutPlaceholders } from '@blog-content/link-resolver';
import type { RenamePreview } from '@blog-content/payload-schemas';
import { RESERVED_SLUGS } from '../../content/slugify.ts';
import type { SlugHolder } from '../slugs/slug-claim-store.ts';

/** What there is to know before a post is renamed. */
export interface RenameFacts {
  readonly blogId: string;
  /** Of its working copy. */
  readonly currentSlug: string;
  /** The slug that readers see it under. */
  readonly publishedSlug: string | null;
  /** Every slug that it was published under. */
  readonly publishedSlugs: readonly string[];
  readonly linkingPosts: number;
  /** Who has the new slug. */
  readonly holder: SlugHolder | null;
}

/** Says what a rename would do. */
export function previewRename(slug: string, facts: RenameFacts): RenamePreview {
  const { linkingPosts, publishedSlug, holder } = facts;
  const availability = availabilityOf(slug, facts);
  const other = holder !== null && holder.id !== facts.blogId ? holder : null;
  const oldSlug = publishedSlug ?? facts.currentSlug;
  const keepsOldUrl = slug !== oldSlug && facts.publishedSlugs.includes(oldSlug);
  const isPossible = availability === 'free' || availability === 'alias' || availability === 'own';
  return {
    slug,
    availability,
    held_by: other && { blog_id: other.id, title: withoutPlaceholders(other.title) },
    linking_posts: linkingPosts,
    published_slug: publishedSlug,
    keeps_old_url: keepsOldUrl,
    message: [
      ...(availability === 'own' ? [] : [AVAILABILITY[availability](slug, withoutPlaceholders(other?.title ?? ''))]),
      ...(isPossible ? [linksText(linkingPosts), ...(slug === oldSlug ? [] : [oldUrlText(oldSlug, keepsOldUrl)])] : []),
    ].join(' '),
  };
}

type Availability = RenamePreview['availability'];

function availabilityOf(slug: string, { currentSlug, holder, blogId }: RenameFacts): Availability {
  if (slug === currentSlug || holder?.id === blogId) return 'own';
  if (RESERVED_SLUGS.has(slug)) return 'reserved';
  if (holder === null) return 'free';
  return holder.isAlias ? 'alias' : 'taken';
}

const AVAILABILITY: Readonly<Record<Exclude<Availability, 'own'>, (slug: string, title: string) => string>> = {
  free: (slug) => `“${slug}” is free.`,
  alias: (slug, title) =>
    `“${slug}” is an alias of “${title}”. If you take it, its links and redirects no longer lead there.`,
  taken: (slug, title) => `“${slug}” belongs to “${title}”. Choose another slug.`,
  reserved: (slug) => `“${slug}” is reserved. Choose another slug.`,
};

function linksText(posts: number): string {
  if (posts === 0) return 'No post links here.';
  return posts === 1
    ? '1 post links here. Its links will be updated.'
    : `${posts} posts link here. Their links will be updated.`;
}

const oldUrlText = (oldSlug: string, keepsOldUrl: boolean): string =>
  keepsOldUrl
    ? `The old URL (“${oldSlug}”) redirects to the new one if your site uses redirects.`
    : `The post was never published as “${oldSlug}”, so no redirect is needed.`;
