import { createHash } from 'node:crypto';
import { MAX_SHORT_TEXT, MAX_TRANSLATIONS, timestamp } from '@blog-content/payload-schemas';
import { z } from 'zod';
import type { Blog } from '../../blog-row.ts';
import { portableExtras, type PostSlugs } from './portable-extras.ts';
import { dateOf, isScheduled } from './post-date.ts';

const slug = z.string().max(MAX_SHORT_TEXT);

/** A translation that is up to date with the post that it was made from, by their slugs. */
const currentTranslation = z.object({ source: slug, translation: slug });
export type CurrentTranslation = z.infer<typeof currentTranslation>;

/** A post as it was written, beside its file for site generators. */
const originalPost = z.object({
  file: z.string(),
  /** Of the file: one that was edited since counts, and this does not. */
  sha256: z.string(),
  /** Not of a scheduled post: its date is in the future. */
  is_draft: z.boolean(),
  date: timestamp.nullable(),
  /** Each pair that the post belongs to. Both posts have it, because an import may create either one first. */
  current_translations: z.array(currentTranslation).max(MAX_TRANSLATIONS).optional().catch(undefined),
  post: z.record(z.string(), z.unknown()),
});

/** By the slugs of both sides. */
export type CurrentTranslations = ReadonlyMap<string, CurrentTranslation[]>;

export type OriginalPost = z.infer<typeof originalPost>;

/** By the field names of the owner API. */
export function originalOf(
  blog: Blog,
  file: string,
  sha256: string,
  { slugs, translations }: { readonly slugs: PostSlugs; readonly translations: CurrentTranslations },
): OriginalPost {
  const ofPost = translations.get(blog.slug);
  const fields = {
    title: blog.title,
    slug: blog.slug,
    ...(blog.contentMarkdown === null ? { content: blog.content } : { content_markdown: blog.contentMarkdown }),
    excerpt: blog.excerpt,
    meta_title: blog.metaTitle,
    meta_description: blog.metaDescription,
    featured_image_url: blog.featuredImageUrl,
    generated_images: blog.generatedImages,
    categories: blog.categories,
    tags: blog.tags,
    keyword: blog.keyword,
    ...portableExtras(blog.extra as object, slugs),
  };
  const post = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return {
    file,
    sha256,
    is_draft: blog.state !== 'published' && !isScheduled(blog),
    date: dateOf(blog)?.toISOString() ?? null,
    ...(ofPost && { current_translations: ofPost }),
    post,
  };
}

/** The post of a file of an export, unless the file was edited since, or there is none that can be read. */
export function readOriginal(json: string, text: string): OriginalPost | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return null;
  }
  const { data } = originalPost.safeParse(parsed);
  return data?.sha256 === createHash('sha256').update(text).digest('hex') ? data : null;
}
