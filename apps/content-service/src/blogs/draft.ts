import { MAX_CONTENT, type BlogCreateRequest, type BlogUpdateRequest } from '@blog-content/payload-schemas';
import { storableText, unprocessable } from '@blog-content/service-runtime';
import { cleanHtml } from '../content/clean-html.ts';
import { markdownToHtml } from '../content/markdown.ts';
import { RESERVED_SLUGS } from '../content/slugify.ts';

/** What an author writes of a blog, but for the slug. */
export interface Draft {
  readonly title: string;
  readonly content: string;
  /** What the content was made from; null when it was written as HTML. */
  readonly contentMarkdown: string | null;
  /** Null: made from the content. */
  readonly excerpt: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly featuredImageUrl: string | null;
  /** URLs, in order: the first is the hero when none is dedicated. */
  readonly generatedImages: string[];
  readonly categories: string[];
  readonly tags: string[];
  readonly keyword: string | null;
}

const EMPTY: Omit<Draft, 'title'> = {
  content: '',
  contentMarkdown: null,
  excerpt: null,
  metaTitle: null,
  metaDescription: null,
  featuredImageUrl: null,
  generatedImages: [],
  categories: [],
  tags: [],
  keyword: null,
};

/** A draft with its slug: what a working copy and a revision hold alike. */
export type Written = Draft & { readonly slug: string };

/** The written part of a blog or a revision, without what else its row holds. */
export function writtenOf(row: Written): Written {
  const { title, slug, content, contentMarkdown, excerpt, metaTitle, metaDescription, featuredImageUrl } = row;
  const { generatedImages, categories, tags, keyword } = row;
  return {
    ...{ title, slug, content, contentMarkdown, excerpt, metaTitle, metaDescription, featuredImageUrl },
    ...{ generatedImages, categories, tags, keyword },
  };
}

/** What a tombstone keeps of what was written: nothing. */
export const NOTHING_WRITTEN: Written & { readonly madeExcerpt: null } = {
  ...EMPTY,
  title: '',
  slug: '',
  madeExcerpt: null,
};

/** The hero that readers get (spec §2.4.2): the dedicated one, else the first generated image. */
export function heroOf(blog: Pick<Draft, 'featuredImageUrl' | 'generatedImages'>): string | null {
  return blog.featuredImageUrl ?? blog.generatedImages[0] ?? null;
}

/** The draft of a new blog. */
export function newDraft(request: BlogCreateRequest): Draft {
  return { ...EMPTY, ...draftChanges(request), title: storableText(request.title) };
}

/** What a request changes of a draft, with its HTML cleaned. */
export function draftChanges(request: BlogUpdateRequest): Partial<Draft> {
  const { title, content, content_markdown: markdown, excerpt, keyword } = request;
  const { meta_title: metaTitle, meta_description: metaDescription, featured_image_url: featuredImageUrl } = request;
  return {
    ...(title !== undefined && { title: storableText(title) }),
    ...(content !== undefined && { content: cleanContent(content, 'content'), contentMarkdown: null }),
    ...(markdown !== undefined && writtenAsMarkdown(storableText(markdown))),
    ...(excerpt !== undefined && { excerpt: storableText(excerpt).trim() || null }),
    ...(metaTitle !== undefined && { metaTitle: storableOrNull(metaTitle) }),
    ...(metaDescription !== undefined && { metaDescription: storableOrNull(metaDescription) }),
    ...(featuredImageUrl !== undefined && { featuredImageUrl }),
    ...(request.generated_images && { generatedImages: [...new Set(request.generated_images)] }),
    ...(request.categories && { categories: distinct(request.categories) }),
    ...(request.tags && { tags: distinct(request.tags) }),
    ...(keyword !== undefined && { keyword: storableOrNull(keyword) }),
  };
}

function writtenAsMarkdown(markdown: string): Pick<Draft, 'content' | 'contentMarkdown'> {
  return { content: cleanContent(markdownToHtml(markdown), 'content_markdown'), contentMarkdown: markdown };
}

/** @throws a 422 problem when escaping has made the content longer than it may be. */
function cleanContent(content: string, field: string): string {
  const cleaned = cleanHtml(storableText(content));
  if (cleaned.length > MAX_CONTENT) {
    throw unprocessable([{ field, message: `has more than ${MAX_CONTENT} characters once it is cleaned HTML` }]);
  }
  return cleaned;
}

/** A slug that an author gives. @throws a 422 problem for a reserved one. */
export function checkGivenSlug(slug: string): string {
  if (RESERVED_SLUGS.has(slug)) {
    throw unprocessable([{ field: 'slug', message: `“${slug}” is reserved: choose another` }]);
  }
  return slug;
}

function storableOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text);
}

function distinct(labels: readonly string[]): string[] {
  return [...new Set(labels.map(storableText))];
}
