import type { revision, revisionItem } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import { makeExcerpt } from '../../content/make-excerpt.ts';
import { blogFieldsOf, type StoredFields } from '../writing/draft.ts';
import type { Revision } from './revision-store.ts';

/** What was written, by its wire names. */
export function showFields(row: StoredFields) {
  const written = blogFieldsOf(row);
  return {
    title: written.title,
    slug: written.slug,
    content: written.content,
    content_markdown: written.contentMarkdown,
    excerpt: written.excerpt ?? makeExcerpt(written.content),
    meta_title: written.metaTitle,
    meta_description: written.metaDescription,
    featured_image_url: written.featuredImageUrl,
    generated_images: written.generatedImages,
    categories: written.categories,
    tags: written.tags,
    keyword: written.keyword,
    ...written.extra,
  };
}

/** A revision in whole. */
export function showRevision(shown: Revision): z.infer<typeof revision> {
  return {
    blog_id: shown.blogId,
    number: shown.number,
    published_at: shown.publishedAt.toISOString(),
    ...showFields(shown),
    provenance: (shown.provenance ?? []) as z.infer<typeof revision>['provenance'],
  };
}

/** A revision in lists. */
export function showRevisionItem(
  item: Pick<Revision, 'number' | 'publishedAt' | 'title' | 'slug'>,
): z.infer<typeof revisionItem> {
  return { number: item.number, published_at: item.publishedAt.toISOString(), title: item.title, slug: item.slug };
}
