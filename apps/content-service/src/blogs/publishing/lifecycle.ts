import { IMAGE_TYPES } from '@blog-content/image-storage';
import { withoutPlaceholders } from '@blog-content/link-resolver';
import {
  libraryImagesOf,
  type LifecycleEvent,
  type PublishedRevision,
  type Trigger,
} from '@blog-content/payload-schemas';
import type { ShownImage } from '../../content/images/decorate-images.ts';
import { makeExcerpt } from '../../content/make-excerpt.ts';
import type { PublishedLinks } from '../links/link-store.ts';
import { publicFieldsOf, type BlogFields } from '../writing/draft.ts';

/**
 * The life of a blog (contract §3, §3.1):
 *
 *     draft ──publish──► published ──unpublish──► unpublished ──publish──► published …
 *     any state ──delete──► deleted
 *
 * `publish` and `sync` of a published blog publish its working copy again. A sync never makes a first publication. A
 * publish of a blog that is dated in the future becomes a schedule for that time.
 */
export interface BlogStatus {
  /** A `BlogState`. */
  readonly state: string;
  /** Number of the last lifecycle event; 0 before the first. */
  readonly eventNumber: number;
  /** Number of the last published revision; 0 before the first publish. */
  readonly revision: number;
  /** When the current publication began; null unless published. */
  readonly publicationBeganAt: Date | null;
  /** The publication date of the working copy, where one is set. */
  readonly publicationDate: Date | null;
  /** The publication date that readers see, or saw last; null where `publicationBeganAt` is all that says it. */
  readonly publicDate: Date | null;
}

export type Command = 'publish' | 'sync' | 'unpublish' | 'delete';

export type Decision =
  | {
      readonly kind: 'published';
      readonly eventNumber: number;
      readonly revision: number;
      /** Kept when published again, new after an unpublish. */
      readonly publicationBeganAt: Date;
      /** What readers see as `published_at`. */
      readonly publicDate: Date;
    }
  | { readonly kind: 'scheduled'; readonly publishAt: Date }
  | {
      readonly kind: 'unpublished';
      readonly eventNumber: number;
      /** What readers saw: to be offered when it is published again. */
      readonly publicDate: Date | null;
      /** The next publish is of a new date, unless one was set that readers have not seen. */
      readonly publicationDate: Date | null;
    }
  /** `announced`: receivers and readers hear of it, because the blog was published (contract §6). */
  | { readonly kind: 'deleted'; readonly eventNumber: number; readonly announced: boolean }
  | { readonly kind: 'refused'; readonly because: 'not_published' | 'deleted' | 'dated_ahead' };

export type Decided<Kind extends Decision['kind']> = Extract<Decision, { kind: Kind }>;

/** What a command makes of a blog. */
export function decide(
  command: 'publish' | 'sync',
  blog: BlogStatus,
  now: Date,
): Decided<'published' | 'scheduled' | 'refused'>;
export function decide(command: 'unpublish', blog: BlogStatus, now: Date): Decided<'unpublished' | 'refused'>;
export function decide(command: 'delete', blog: BlogStatus, now: Date): Decided<'deleted' | 'refused'>;
export function decide(command: Command, blog: BlogStatus, now: Date): Decision;
export function decide(command: Command, blog: BlogStatus, now: Date): Decision {
  if (blog.state === 'deleted') return { kind: 'refused', because: 'deleted' };
  const isPublished = blog.state === 'published';
  const eventNumber = blog.eventNumber + 1;
  const { publicationDate } = blog;
  switch (command) {
    case 'publish':
    case 'sync': {
      if (command === 'sync' && !isPublished) return { kind: 'refused', because: 'not_published' };
      if (publicationDate !== null && publicationDate > now) {
        return isPublished
          ? { kind: 'refused', because: 'dated_ahead' }
          : { kind: 'scheduled', publishAt: publicationDate };
      }
      const publicationBeganAt = blog.publicationBeganAt ?? now;
      const publicDate = publicationDate ?? publicationBeganAt;
      return { kind: 'published', eventNumber, revision: blog.revision + 1, publicationBeganAt, publicDate };
    }
    case 'unpublish': {
      if (!isPublished) return { kind: 'refused', because: 'not_published' };
      const publicDate = blog.publicDate ?? blog.publicationBeganAt;
      const isSeen = publicationDate?.getTime() === publicDate?.getTime();
      return { kind: 'unpublished', eventNumber, publicDate, publicationDate: isSeen ? null : publicationDate };
    }
    case 'delete':
      return { kind: 'deleted', announced: isPublished, eventNumber: isPublished ? eventNumber : blog.eventNumber };
  }
}

/** A change that readers see, by the blog and the number that the event gets. */
export interface LifecycleChange {
  readonly blogId: string;
  readonly projectId: string;
  readonly eventNumber: number;
  readonly trigger: Trigger;
  /** Of a repair: receivers are not told. */
  readonly readersOnly?: boolean;
}

/** What an event tells of the change, besides. */
export type LifecycleDetails =
  | { readonly kind: 'published'; readonly publication: Publication }
  /** `title`: of the revision that readers saw. */
  | { readonly kind: 'unpublished' | 'deleted'; readonly title: string };

/** A publish with the revision that it makes public. */
export interface Publication {
  readonly publishId: string;
  readonly revision: number;
  /** What readers see as `published_at`. */
  readonly publicDate: Date;
  readonly siteUrl: string | null;
  /** The working copy, and its links with the published form of its content. */
  readonly written: BlogFields;
  readonly links: PublishedLinks;
  /** The stored images of the project that it shows. */
  readonly images: readonly ShownImage[];
  /** Other slugs that it was published under. */
  readonly aliases: readonly string[];
}

/**
 * The event that tells readers and receivers of a change. No plain text in it has a link placeholder (contract §2.4.3).
 */
export function buildLifecycleEvent(change: LifecycleChange, details: LifecycleDetails, now: Date): LifecycleEvent {
  const { blogId, projectId, eventNumber, trigger, readersOnly = false } = change;
  const about = {
    blog_id: blogId,
    project_id: projectId,
    blog_event_number: eventNumber,
    trigger,
    ...(readersOnly && { readers_only: true as const }),
  };
  const at = now.toISOString();
  switch (details.kind) {
    case 'published': {
      const { publishId, publicDate, siteUrl, links, aliases } = details.publication;
      return {
        event: 'blog.published',
        ...about,
        publish_id: publishId,
        published_at: at,
        publication_began_at: publicDate.toISOString(),
        site_url: siteUrl,
        revision: publishedRevision(details.publication),
        published_link_targets: links.targets,
        link_bindings: links.bindings,
        aliases: [...aliases],
      };
    }
    case 'unpublished':
      return {
        event: 'blog.unpublished',
        ...about,
        title: withoutPlaceholders(details.title),
        unpublished_at: at,
      };
    case 'deleted':
      return { event: 'blog.deleted', ...about, title: withoutPlaceholders(details.title), deleted_at: at };
  }
}

function publishedRevision({ revision, written, links: { content }, images }: Publication): PublishedRevision {
  const fields = publicFieldsOf(written);
  const known = libraryImagesOf(fields, images).map(({ url, ext, width, height, alt }) => {
    return { url, type: IMAGE_TYPES[ext], width, height, alt };
  });
  return {
    number: revision,
    content,
    ...fields,
    excerpt: fields.excerpt ?? withoutPlaceholders(makeExcerpt(content)),
    ...(known.length > 0 && { library_images: known }),
  };
}
