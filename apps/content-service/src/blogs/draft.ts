import { MAX_CONTENT, type BlogCreateRequest, type BlogUpdateRequest } from '@blog-content/payload-schemas';
import { unprocessable } from '@blog-content/service-runtime';
import { cleanHtml } from '../content/clean-html.ts';
import { RESERVED_SLUGS } from '../content/slugify.ts';

/** What an author writes of a blog, but for the slug. */
export interface Draft {
  readonly title: string;
  readonly content: string;
  /** Null: made from the content. */
  readonly excerpt: string | null;
  readonly metaTitle: string | null;
  readonly metaDescription: string | null;
  readonly featuredImageUrl: string | null;
  readonly categories: string[];
  readonly tags: string[];
  readonly keyword: string | null;
}

const EMPTY: Omit<Draft, 'title'> = {
  content: '',
  excerpt: null,
  metaTitle: null,
  metaDescription: null,
  featuredImageUrl: null,
  categories: [],
  tags: [],
  keyword: null,
};

/** The draft of a new blog. */
export function newDraft(request: BlogCreateRequest): Draft {
  return { ...EMPTY, ...draftChanges(request), title: storable(request.title) };
}

/** What a request changes of a draft, with its HTML cleaned. */
export function draftChanges(request: BlogUpdateRequest): Partial<Draft> {
  const { title, content, excerpt, keyword } = request;
  const { meta_title: metaTitle, meta_description: metaDescription, featured_image_url: featuredImageUrl } = request;
  return {
    ...(title !== undefined && { title: storable(title) }),
    ...(content !== undefined && { content: cleanContent(content) }),
    ...(excerpt !== undefined && { excerpt: storable(excerpt).trim() || null }),
    ...(metaTitle !== undefined && { metaTitle: storableOrNull(metaTitle) }),
    ...(metaDescription !== undefined && { metaDescription: storableOrNull(metaDescription) }),
    ...(featuredImageUrl !== undefined && { featuredImageUrl }),
    ...(request.categories && { categories: distinct(request.categories) }),
    ...(request.tags && { tags: distinct(request.tags) }),
    ...(keyword !== undefined && { keyword: storableOrNull(keyword) }),
  };
}

/** @throws a 422 problem when escaping has made the content longer than it may be. */
function cleanContent(content: string): string {
  const cleaned = cleanHtml(storable(content));
  if (cleaned.length > MAX_CONTENT) {
    throw unprocessable([{ field: 'content', message: `has more than ${MAX_CONTENT} characters once it is cleaned` }]);
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

/** PostgreSQL holds neither NUL nor half a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function storableOrNull(text: string | null): string | null {
  return text === null ? null : storable(text);
}

function distinct(labels: readonly string[]): string[] {
  return [...new Set(labels.map(storable))];
}
