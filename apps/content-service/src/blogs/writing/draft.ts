import { extras, type BlogCreateRequest, type BlogUpdateRequest, type Extras } from '@blog-content/payload-schemas';
import { urlWithoutPlaceholders, whyNothingShows, withoutPlaceholders } from '@blog-content/link-resolver';
import { storableText, unprocessable } from '@blog-content/service-runtime';
import type { WrittenContent } from '../../content/content-work.ts';
import { RESERVED_SLUGS } from '../../content/slugify.ts';
import { checkGivenUrls } from '../../platform/http/check-given-urls.ts';

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
  /** Those that were given. */
  readonly extra: Partial<Extras>;
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
  extra: {},
};

/** A draft with what belongs to the post and not to any of its revisions. */
export interface DatedDraft extends Draft {
  /** The slugs that placeholders of its content name, where they have been looked for. */
  readonly linkSlugs?: readonly string[];
  /** Null: when the publication begins. */
  readonly publicationDate: Date | null;
}

/** A draft with its slug: what a working copy and a revision hold alike. */
export type BlogFields = Draft & { readonly slug: string };
/** The same as a row has it. */
export type StoredFields = Omit<BlogFields, 'extra'> & { readonly extra: unknown };

/** The written part of a blog or a revision, without what else its row holds. */
export function blogFieldsOf(row: StoredFields): BlogFields & { readonly extra: Extras } {
  const { title, slug, content, contentMarkdown, excerpt, metaTitle, metaDescription, featuredImageUrl } = row;
  const { generatedImages, categories, tags, keyword } = row;
  return {
    title,
    slug,
    content,
    contentMarkdown,
    excerpt,
    metaTitle,
    metaDescription,
    featuredImageUrl,
    generatedImages,
    categories,
    tags,
    keyword,
    extra: extras.of(row.extra),
  };
}

/** The fields of a tombstone: all empty. */
export const CLEARED_FIELDS: BlogFields & {
  readonly madeExcerpt: null;
  readonly imageHashes: string[];
  readonly publicationDate: null;
  readonly publicDate: null;
} = {
  ...EMPTY,
  title: '',
  slug: '',
  madeExcerpt: null,
  imageHashes: [],
  publicationDate: null,
  publicDate: null,
};

/** The hero that readers get (contract §2.4.2): the dedicated one, else the first generated image. */
export function heroOf(blog: Pick<Draft, 'featuredImageUrl' | 'generatedImages'>): string | null {
  // An old draft may have a hero with a placeholder.
  return urlWithoutPlaceholders(blog.featuredImageUrl ?? blog.generatedImages[0] ?? null);
}

/** What readers and receivers get of a blog, but for its content. The excerpt is null where it is made from that. */
export function publicFieldsOf(written: Omit<StoredFields, 'content' | 'contentMarkdown'>) {
  return {
    slug: written.slug,
    featured_image_url: heroOf(written),
    title: withoutPlaceholders(written.title),
    excerpt: nullIfBlank(withoutPlaceholders(written.excerpt)),
    meta_title: nullIfBlank(withoutPlaceholders(written.metaTitle)),
    meta_description: nullIfBlank(withoutPlaceholders(written.metaDescription)),
    categories: withoutPlaceholders(written.categories),
    tags: withoutPlaceholders(written.tags),
    keyword: nullIfBlank(withoutPlaceholders(written.keyword)),
    ...extras.of(written.extra, withoutPlaceholders),
  };
}

function nullIfBlank(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}

/** The draft of a new blog. @param written the request's content, cleaned. */
export function newDraft(request: BlogCreateRequest, written: WrittenContent): DatedDraft {
  return {
    ...EMPTY,
    publicationDate: null,
    ...draftChanges(request, written),
    title: checkTitle(storableText(request.title)),
  };
}

/**
 * What a request changes of a draft.
 * @param written the request's content, cleaned.
 * @throws a 422 problem for a URL with a placeholder, and for a title of which nothing would be public.
 */
export function draftChanges(request: BlogUpdateRequest, written: WrittenContent): Partial<DatedDraft> {
  const { title, excerpt, keyword, generated_images: generatedImages = [], published_at: publishedAt } = request;
  const { meta_title: metaTitle, meta_description: metaDescription, featured_image_url: featuredImageUrl } = request;
  const extra = extras.given(request, storableText);
  checkGivenUrls({
    featured_image_url: featuredImageUrl,
    ...Object.fromEntries(generatedImages.map((url, index) => [`generated_images.${index}`, url])),
  });
  return {
    ...(title !== undefined && { title: checkTitle(storableText(title)) }),
    ...written,
    ...(excerpt !== undefined && { excerpt: storableText(excerpt).trim() || null }),
    ...(metaTitle !== undefined && { metaTitle: storableOrNull(metaTitle) }),
    ...(metaDescription !== undefined && { metaDescription: storableOrNull(metaDescription) }),
    ...(featuredImageUrl !== undefined && { featuredImageUrl }),
    ...(request.generated_images && { generatedImages: [...new Set(request.generated_images)] }),
    ...(request.categories && { categories: distinct(request.categories) }),
    ...(request.tags && { tags: distinct(request.tags) }),
    ...(keyword !== undefined && { keyword: storableOrNull(keyword) }),
    ...(extra && { extra }),
    ...(publishedAt !== undefined && { publicationDate: publishedAt === null ? null : new Date(publishedAt) }),
  };
}

/** A title as it is stored. @throws a 422 problem for one of which nothing would be seen in public. */
export function checkTitle(title: string): string {
  const message = whyNothingShows(title);
  if (message !== null) throw unprocessable([{ field: 'title', message }]);
  return title;
}

/** A slug that an author gives. @throws a 422 problem for a reserved one. */
export function checkGivenSlug(slug: string): string {
  if (RESERVED_SLUGS.has(slug)) {
    throw unprocessable([{ field: 'slug', message: `“${slug}” is reserved: choose another slug` }]);
  }
  return slug;
}

function storableOrNull(text: string | null): string | null {
  return text === null ? null : storableText(text);
}

function distinct(labels: readonly string[]): string[] {
  return [...new Set(labels.map(storableText))];
}
