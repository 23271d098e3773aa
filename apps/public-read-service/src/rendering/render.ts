import { resolveLinks, urlWithoutPlaceholders, withoutTrailingSlashes } from '@blog-content/link-resolver';
import {
  extras,
  postImages,
  postImagesOf,
  type PublicAuthor,
  type PublicAuthors,
  type PublicBlog,
  type PublicBlogChanges,
  type PublicBlogList,
  type PublicBlogListItem,
  type PublicRedirects,
  type PublicSitemap,
  type RelatedBlogs,
  type RemovedBlog,
  type Translation,
} from '@blog-content/payload-schemas';
import { countWords } from './count-words.ts';
import { structuredDataOf } from './structured-data.ts';
import { formatPosition } from '../request/position.ts';
import type { ChangesQuery, ListQuery } from '../request/parse-list-query.ts';
import {
  linksOf,
  type BlogSummary,
  type BlogWithContent,
  type LinkContext,
  type StoredAuthor,
} from '../queries/published-blog.ts';
import type { Change, ChangePage } from '../queries/read-changes.ts';
import type { BlogPage, RelatedPage } from '../queries/public-read-store.ts';
import type { RedirectPage, RedirectQuery, Sitemap } from '../queries/read-addresses.ts';

/** With `fields`, blogs have those only. */
type ListAnswer = Omit<PublicBlogList, 'blogs'> & { readonly blogs: readonly Partial<PublicBlogListItem>[] };

/** The answer of the list endpoint (contract §4.1). */
export function renderList(page: Omit<BlogPage, 'isLarge'>, { limit, offset, fields }: ListQuery): ListAnswer {
  return {
    blogs: page.blogs.map((blog) => choose(renderItem(blog, page), blog, page, fields)),
    total: page.total,
    limit,
    offset,
  };
}

/** What has changed since a position. */
export function renderChanges(page: ChangePage, { limit, fields }: ChangesQuery): PublicBlogChanges {
  return {
    changes: page.changes.map((change) =>
      'removed' in change
        ? renderRemoved(change.removed)
        : choose(renderItem(change.blog, page), change.blog, page, fields),
    ),
    limit,
    next_since: formatPosition(page.next),
    has_more: page.hasMore,
  };
}

function renderRemoved({ id, slug, movedTo }: Extract<Change, { removed: unknown }>['removed']): RemovedBlog {
  return { id, slug, removed: true, ...(movedTo !== undefined && { moved_to: movedTo }) };
}

/** Keeps these fields of a blog, in their order, or those that nobody has to ask for when `fields` is undefined. */
export function choose<Whole extends Pick<PublicBlogListItem, 'featured_image_url'>>(
  whole: Whole,
  blog: BlogSummary,
  { authors, siteUrl }: Pick<LinkContext, 'authors' | 'siteUrl'>,
  fields: readonly (keyof Whole & string)[] | undefined,
): Partial<Whole> {
  if (fields === undefined) return whole;
  const images = fields.some((name) => name in postImages) && postImagesOf(whole.featured_image_url, blog.extra);
  const asked = extras.requested('public', fields, blog.extra);
  const all = {
    ...whole,
    ...asked,
    ...images,
    ...(asked.authors && { authors: authorsOf(blog.extra, authors) }),
    translations: renderTranslations(blog, siteUrl),
  };
  return Object.fromEntries(fields.map((field) => [field, all[field]])) as Partial<Whole>;
}

/** One that another of its language has replaced in the group is no translation of the others, nor they of it. */
function renderTranslations(blog: BlogSummary, siteUrl: string | null): Translation[] {
  const { id, slug, title, translations = [] } = blog;
  const { language, translation_key: key } = extras.of(blog.extra);
  const isListed = translations.some((one) => one.id === id);
  const siblings = isListed || language === null || key === null ? translations : [{ id, language, slug, title }];
  const site = withoutTrailingSlashes(urlWithoutPlaceholders(siteUrl) ?? '');
  return siblings.map((one) => ({
    id: one.id,
    language: one.language,
    slug: one.slug,
    title: one.title,
    url: site === '' ? null : `${site}/blog/${one.slug}/`,
  }));
}

function renderItem(blog: BlogPage['blogs'][number], links: LinkContext): PublicBlogListItem {
  const { slug, extra, segments, bindings = null } = blog;
  return segments === undefined
    ? renderSummary(blog)
    : { ...renderSummary(blog), content: renderContent({ slug, extra, segments, bindings }, links) };
}

/** One blog (contract §2.2); the words counted are those of the content as it is returned. */
export function renderBlog(blog: BlogWithContent, links: LinkContext, fields: readonly string[] = []): PublicBlog {
  const content = renderContent(blog, links);
  return {
    ...renderSummary(blog),
    content,
    updated_at: blog.updatedAt,
    word_count: countWords(content),
    ...(fields.includes('structured_data') && { structured_data: structuredDataOf(blog.title, content) }),
  };
}

/** What is related to a blog: items as in a list. */
export function renderRelated({ blogs, total }: NonNullable<RelatedPage['related']>): RelatedBlogs {
  return { blogs: blogs.map(renderSummary), total };
}

/** The answer of the sitemap endpoint (contract §4.3). */
export function renderSitemap({ entries }: Sitemap): PublicSitemap {
  return {
    blogs: entries.map(({ slug, publishedAt, updatedAt }) => ({
      slug,
      published_at: publishedAt,
      updated_at: updatedAt,
    })),
    total: entries.length,
  };
}

/** Where earlier addresses lead. */
export function renderRedirects({ redirects, total }: RedirectPage, { limit, offset }: RedirectQuery): PublicRedirects {
  return { redirects: redirects.map(({ from, to }) => ({ from, to })), total, limit, offset };
}

/** The authors that a blog names, in order and each once. Nobody sees a slug that no author has (any more). */
export function authorsOf(extra: object, authors: LinkContext['authors']): PublicAuthor[] {
  const { authors: named = [] } = extras.requested('public', ['authors'], extra);
  const found = named.map((slug) => authors.get(slug)).filter((author) => author !== undefined);
  return [...new Set(found)].map(renderAuthor);
}

/** All authors of a project. */
export function renderAuthors(authors: readonly StoredAuthor[]): PublicAuthors {
  return { authors: authors.map(renderAuthor), total: authors.length };
}

function renderAuthor(author: StoredAuthor): PublicAuthor {
  const { slug, name, bio, avatar_url, links, same_as } = author;
  return {
    slug,
    name,
    bio,
    avatar_url,
    url: links[0]?.url ?? null,
    links: links.map(({ label, url }) => ({ label, url })),
    same_as,
  };
}

/** The content of a blog with its links resolved (contract §2.4.3). */
export function renderContent(
  blog: Pick<BlogWithContent, 'segments' | 'slug' | 'bindings' | 'extra'>,
  links: LinkContext,
): string {
  return resolveLinks(blog.segments, linksOf(blog, links));
}

/** The fields of contract §2.1 without `content`; the SEO fields fall back. */
function renderSummary(blog: BlogSummary): PublicBlogListItem {
  return {
    id: blog.id,
    title: blog.title,
    slug: blog.slug,
    excerpt: blog.excerpt,
    meta_title: blog.metaTitle ?? blog.title,
    meta_description: blog.metaDescription ?? blog.excerpt,
    featured_image_url: blog.featuredImageUrl,
    categories: blog.categories as string[],
    tags: blog.tags as string[],
    published_at: blog.publishedAt,
    ...extras.for('public', blog.extra),
  };
}
