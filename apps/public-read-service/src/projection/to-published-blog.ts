import {
  compileContent,
  placeholderSlugs,
  type Segment,
  urlWithoutPlaceholders,
  withoutPlaceholders,
} from '@blog-content/link-resolver';
import type { ShowingEvent } from '@blog-content/payload-schemas';
import { storableText } from '@blog-content/service-runtime';
import { searchWords } from '../search/search-words.ts';

/** A blog as the read model keeps it. */
export interface PublishedBlog {
  readonly id: string;
  readonly projectId: string;
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly featuredImageUrl: string | null;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  /** The content, cut at its link placeholders (spec §2.4.3). */
  readonly segments: readonly Segment[];
  /** The slugs that the placeholders name. */
  readonly linkSlugs: readonly string[];
  readonly publishedAt: Date;
  readonly updatedAt: Date;
  /** The distinct words that it is searched by, with a space between them. */
  readonly search: string;
}

/**
 * What a publish makes public. `publishedAt` is when the current publication began and `updatedAt` when this revision
 * was published (decisions "Lifecycle"). The content is cut at its placeholders here, so that a read only joins pieces.
 * Texts are made such as PostgreSQL keeps: an event with another would hold up its partition for ever.
 */
export function toPublishedBlog(event: ShowingEvent): PublishedBlog {
  const { slug, content, featured_image_url: hero, title, excerpt, meta_title, meta_description } = event.revision;
  const { categories, tags } = event.revision;
  // Older events hold placeholders as their authors wrote them.
  const revision = withoutPlaceholders({ title, excerpt, meta_title, meta_description, categories, tags });
  const segments = compileContent(storableText(content));
  const text = {
    title: storableText(revision.title),
    excerpt: storableText(revision.excerpt),
    tags: revision.tags.map(storableText),
  };
  return {
    ...text,
    id: event.blog_id,
    projectId: event.project_id,
    slug,
    metaTitle: nullIfBlank(revision.meta_title),
    metaDescription: nullIfBlank(revision.meta_description),
    featuredImageUrl: nullIfBlank(urlWithoutPlaceholders(hero)),
    categories: revision.categories.map(storableText),
    segments,
    linkSlugs: placeholderSlugs(segments),
    publishedAt: new Date(event.publication_began_at),
    updatedAt: new Date(event.published_at),
    search: searchWords({ ...text, segments }),
  };
}

function nullIfBlank(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : storableText(text);
}
