import {
  compileContent,
  placeholderSlugs,
  type Segment,
  urlWithoutPlaceholders,
  withoutPlaceholders,
} from '@blog-content/link-resolver';
import { extras, referencesIn, type ShowingEvent } from '@blog-content/payload-schemas';
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
  /** The values of the extra fields that readers can get, by their names. */
  readonly extra: object;
  /** The content, cut at its link placeholders (contract §2.4.3). */
  readonly segments: readonly Segment[];
  /** The slugs that the placeholders name, and those of posts that the data refers to. */
  readonly linkSlugs: readonly string[];
  /** The ids of the blogs that some of these slugs are bound to. Null when none is. */
  readonly linkBindings: Readonly<Record<string, string>> | null;
  readonly publishedAt: Date;
  readonly updatedAt: Date;
  /** The distinct words that it is searched by, with a space between them. */
  readonly search: string;
}

/**
 * What a publish makes public. `publishedAt` is when the current publication began and `updatedAt` when this revision
 * was published (contract §3.1). The content is cut at its placeholders here, so that a read only joins pieces.
 * Texts become such that PostgreSQL keeps them: an event with another would hold up its partition for ever.
 */
export function toPublishedBlog(event: ShowingEvent): PublishedBlog {
  const { revision } = event;
  const segments = compileContent(storableText(revision.content));
  // What data refers to is watched like what the content links to.
  const references = new Set(referencesIn(revision.data ?? {}));
  const referred = event.link_bindings?.filter(({ blog_id: id }) => references.has(id)).map(({ slug }) => slug) ?? [];
  const linkSlugs = [...new Set([...placeholderSlugs(segments), ...referred])];
  // Older events hold placeholders as their authors wrote them.
  const text = {
    title: storableText(withoutPlaceholders(revision.title)),
    excerpt: storableText(withoutPlaceholders(revision.excerpt)),
    tags: withoutPlaceholders(revision.tags).map(storableText),
  };
  return {
    ...text,
    id: event.blog_id,
    projectId: event.project_id,
    slug: revision.slug,
    metaTitle: nullIfBlank(withoutPlaceholders(revision.meta_title)),
    metaDescription: nullIfBlank(withoutPlaceholders(revision.meta_description)),
    featuredImageUrl: nullIfBlank(urlWithoutPlaceholders(revision.featured_image_url)),
    categories: withoutPlaceholders(revision.categories).map(storableText),
    extra: { ...extras.keptFor('public', revision, storableText), ...knownImages(revision) },
    segments,
    linkSlugs,
    linkBindings: bindingsOf(linkSlugs, event.link_bindings ?? []),
    publishedAt: new Date(event.publication_began_at),
    updatedAt: new Date(event.published_at),
    search: searchWords({ ...text, segments }),
  };
}

function knownImages({ library_images: images = [] }: ShowingEvent['revision']): object {
  return images.length === 0 ? {} : { library_images: images.map((one) => ({ ...one, alt: storableText(one.alt) })) };
}

function bindingsOf(
  linkSlugs: readonly string[],
  bindings: NonNullable<ShowingEvent['link_bindings']>,
): PublishedBlog['linkBindings'] {
  const named = new Set(linkSlugs);
  const bound = bindings.filter(({ slug }) => named.has(slug)).map(({ slug, blog_id }) => [slug, blog_id] as const);
  return bound.length === 0 ? null : Object.fromEntries(bound);
}

function nullIfBlank(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : storableText(text);
}
