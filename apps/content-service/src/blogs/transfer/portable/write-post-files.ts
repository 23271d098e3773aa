import { createHash } from 'node:crypto';
import { extras } from '@blog-content/payload-schemas';
import { Document, Scalar } from 'yaml';
import type { Blog } from '../../blog-row.ts';
import { originalPath } from '../posts/original-path.ts';
import { originalOf, type CurrentTranslations } from './original-post.ts';
import { dateOf } from './post-date.ts';
import type { PortableContent } from './portable-content.ts';
import { portableExtras, type PostSlugs } from './portable-extras.ts';
import { withRelativeImages, type ExportedImages } from './portable-images.ts';

/** A file of an export. */
export interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

interface Surroundings {
  readonly images: ExportedImages;
  /** Former slugs of posts that lead to them, by their slugs. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  /** Of all posts. */
  readonly slugs: PostSlugs;
  readonly translations: CurrentTranslations;
}

/**
 * The working copy of a blog as a Markdown file with front matter for site generators, and as it was written, for an
 * import that is to give the same post.
 */
export function writePostFiles(blog: Blog, body: PortableContent, surroundings: Surroundings): readonly WrittenFile[] {
  const path = `posts/${blog.slug}.md`;
  const text = `---\n${frontMatterOf(blog, body, surroundings)}---\n\n${body.body}\n`;
  const hash = createHash('sha256').update(text).digest('hex');
  return [
    { path, text },
    { path: originalPath(blog.slug), text: `${JSON.stringify(originalOf(blog, path, hash, surroundings), null, 2)}\n` },
  ];
}

/**
 * Names that Astro, Hugo, Eleventy and Jekyll know, then those of the product's own. Texts are quoted, because each of
 * these reads another version of YAML; dates are not, because some schemas ask for them.
 */
function frontMatterOf(
  blog: Blog,
  { body, isHtml }: PortableContent,
  { images, aliases, slugs }: Surroundings,
): string {
  const isDraft = blog.state !== 'published';
  const began = dateOf(blog);
  const relative = (url: string) => withRelativeImages(url, blog.projectId, images);
  const hero = blog.featuredImageUrl && relative(blog.featuredImageUrl);
  const {
    language = null,
    translation_key: translationKey = null,
    ...others
  } = portableExtras(blog.extra as object, slugs);
  for (const name of extras.images) others[name] &&= relative(others[name]);
  const fields: Record<string, unknown> = {
    title: blog.title,
    slug: blog.slug,
    ...(isDraft
      ? { draft: true, permalink: false, eleventyExcludeFromCollections: true }
      : { permalink: `/blog/${blog.slug}/` }),
    aliases: isDraft ? null : nullIfEmpty((aliases.get(blog.slug) ?? []).map((slug) => `/blog/${slug}/`)),
    date: began === null ? null : plainDate(began),
    // Astro's blog asks for it, of drafts too.
    pubDate: plainDate(began ?? blog.createdAt),
    lastmod: plainDate(blog.updatedAt),
    updatedDate: plainDate(blog.updatedAt),
    description: blog.metaDescription ?? blog.excerpt ?? blog.madeExcerpt ?? '',
    image: hero,
    // Astro looks for it beside the file.
    heroImage: hero?.startsWith('../') ? hero : null,
    categories: nullIfEmpty(blog.categories),
    tags: nullIfEmpty(blog.tags),
    excerpt: blog.excerpt,
    meta_title: blog.metaTitle,
    meta_description: blog.metaDescription,
    keyword: blog.keyword,
    ...others,
    // As Eleventy and Hugo call them.
    lang: language,
    translationKey,
    ...(isHtml && { format: 'html' }),
    // Braces of the post are none of a template's.
    ...(/\{[{%#]/.test(body) && { templateEngineOverride: 'md', render_with_liquid: false }),
  };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const document = new Document(given, { version: '1.2', schema: 'core', aliasDuplicateObjects: false });
  return document.toString({ lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' });
}

function plainDate(date: Date): Scalar {
  const scalar = new Scalar(date.toISOString());
  scalar.type = Scalar.PLAIN;
  return scalar;
}

function nullIfEmpty(list: readonly string[]): readonly string[] | null {
  return list.length > 0 ? list : null;
}
