import { extras, type livePost, type ownerBlog, type ownerBlogItem } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import type { Blog, BlogItem } from '../blog-row.ts';
import { heroOf } from './draft.ts';

export type LivePost = z.infer<typeof livePost>;

/** As far as showing blogs needs it. */
export interface LivePostStore {
  livePosts(blog: Pick<Blog, 'id' | 'publicationBeganAt'>): Promise<LivePost[]>;
}

/** A blog in lists. */
export function showBlogItem(blog: BlogItem): z.infer<typeof ownerBlogItem> {
  return {
    id: blog.id,
    project_id: blog.projectId,
    state: blog.state as z.infer<typeof ownerBlogItem>['state'],
    version: blog.version,
    title: blog.title,
    slug: blog.slug,
    excerpt: blog.excerpt ?? blog.madeExcerpt ?? '',
    meta_title: blog.metaTitle,
    meta_description: blog.metaDescription,
    featured_image_url: blog.featuredImageUrl,
    generated_images: blog.generatedImages,
    categories: blog.categories,
    tags: blog.tags,
    keyword: blog.keyword,
    ...extras.of(blog.extra),
    hero_image_url: heroOf(blog),
    has_unpublished_changes: blog.state === 'published' && blog.changedSincePublish,
    published_at: (blog.publicationDate ?? blog.publicationBeganAt)?.toISOString() ?? null,
    previous_published_at: (blog.state === 'unpublished' ? blog.publicDate : null)?.toISOString() ?? null,
    publish_at: blog.publishAt?.toISOString() ?? null,
    created_at: blog.createdAt.toISOString(),
    updated_at: blog.updatedAt.toISOString(),
  };
}

/** A blog as its owner sees it: the working copy, and where receivers have put it. */
export function showBlog(blog: Blog, livePosts: readonly LivePost[]): z.infer<typeof ownerBlog> {
  return {
    ...showBlogItem(blog),
    excerpt: blog.excerpt ?? blog.madeExcerpt ?? '',
    content: blog.content,
    content_markdown: blog.contentMarkdown,
    automatic_excerpt: blog.madeExcerpt ?? '',
    aliases: [...blog.aliases],
    live_posts: [...livePosts],
  };
}
