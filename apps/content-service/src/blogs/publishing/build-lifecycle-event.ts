import { withoutPlaceholders } from '@blog-content/link-resolver';
import type { BlogPublishedEvent, LifecycleEvent, Trigger } from '@blog-content/payload-schemas';
import { makeExcerpt } from '../../content/make-excerpt.ts';
import type { PublishedLinks } from '../links/published-target-store.ts';
import { publicFieldsOf, type BlogFields } from '../writing/draft.ts';

/** A change that readers see, by the blog and the number that the event gets. */
export interface LifecycleChange {
  readonly blogId: string;
  readonly projectId: string;
  readonly eventNumber: number;
  readonly trigger: Trigger;
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
  /** Other slugs that it was published under. */
  readonly aliases: readonly string[];
}

/**
 * The event that tells readers and receivers of a change. No plain text in it has a link placeholder (contract §2.4.3).
 */
export function buildLifecycleEvent(change: LifecycleChange, details: LifecycleDetails, now: Date): LifecycleEvent {
  const { blogId, projectId, eventNumber, trigger } = change;
  const about = { blog_id: blogId, project_id: projectId, blog_event_number: eventNumber, trigger };
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

function publishedRevision({ revision, written, links: { content } }: Publication): BlogPublishedEvent['revision'] {
  const fields = publicFieldsOf(written);
  return {
    number: revision,
    content,
    ...fields,
    excerpt: fields.excerpt ?? withoutPlaceholders(makeExcerpt(content)),
  };
}
