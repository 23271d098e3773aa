import { stringify } from 'yaml';
import type { Blog } from '../../writing/blog-store.ts';

/** A file of an export. */
export interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The working copy of a blog as a file with front matter, such that importing it gives the same post: Markdown when it
 * was written as Markdown, else HTML.
 */
export function writePost(blog: Blog): WrittenFile {
  const fields = {
    title: blog.title,
    slug: blog.slug,
    ...(blog.state !== 'published' && { draft: true }),
    date: (blog.publicationDate ?? blog.publicDate ?? blog.publicationBeganAt)?.toISOString() ?? null,
    excerpt: blog.excerpt,
    meta_title: blog.metaTitle,
    meta_description: blog.metaDescription,
    featured_image_url: blog.featuredImageUrl,
    generated_images: nullIfEmpty(blog.generatedImages),
    categories: nullIfEmpty(blog.categories),
    tags: nullIfEmpty(blog.tags),
    keyword: blog.keyword,
  };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const front = stringify(given, { version: '1.2', schema: 'core', lineWidth: 0, aliasDuplicateObjects: false });
  const isMarkdown = blog.contentMarkdown !== null;
  return {
    path: `posts/${blog.slug}.${isMarkdown ? 'md' : 'html'}`,
    text: `---\n${front}---\n\n${blog.contentMarkdown ?? blog.content}`,
  };
}

function nullIfEmpty(list: readonly string[]): readonly string[] | null {
  return list.length > 0 ? list : null;
}
