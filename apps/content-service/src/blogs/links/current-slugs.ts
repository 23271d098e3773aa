import { renamePlaceholders } from '@blog-content/link-resolver';

/** A placeholder's slug and the blog that it belongs to, as that stands now. */
export interface BoundLink {
  /** The slug as the stored content names it. */
  readonly named: string;
  readonly targetId: string;
  readonly isDeleted: boolean;
  /** The slug of the target's working copy; of a deleted one, the last that links named, if that is known. */
  readonly workingSlug: string | null;
  /** What readers see of the target; null while it is not published. */
  readonly served: { readonly slug: string; readonly title: string } | null;
}

/** What content is written as: the slugs that it names are not touched when their blogs are renamed. */
interface Written {
  readonly content: string;
  readonly contentMarkdown: string | null;
}

/** New slugs by the ones that the stored content names. */
export type Renames = ReadonlyMap<string, string>;

/** What authors see: the slug of the target's working copy. */
export const slugForAuthors = ({ named, workingSlug }: BoundLink): string => workingSlug ?? named;

/** What readers get: the slug that the target is published under, or the one that it would be. */
export const slugForReaders = (link: BoundLink): string => link.served?.slug ?? slugForAuthors(link);

/** The slugs that are named otherwise now. */
export function renamesOf(links: readonly BoundLink[], slugOf: (link: BoundLink) => string): Renames {
  return new Map(links.map((link) => [link.named, slugOf(link)] as const).filter(([named, now]) => named !== now));
}

/** The content with the slugs that its links name now. */
export function withCurrentSlugs<Row extends Written>(row: Row, renames: Renames): Row {
  if (renames.size === 0) return row;
  const { content, contentMarkdown } = row;
  return {
    ...row,
    content: renamePlaceholders(content, renames),
    contentMarkdown: contentMarkdown === null ? null : renamePlaceholders(contentMarkdown, renames),
  };
}
