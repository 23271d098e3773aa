import { z } from 'zod';
import { doc, fields } from './fields.ts';
import { extras } from './extras/extra-fields.ts';
import { postImages } from './extras/post-images.ts';
import { timestamp } from './primitives.ts';

/** Page size and offset of the list endpoint (contract §8). */
export const LIST_LIMIT = { default: 50, min: 1, max: 100 } as const;
/** Most entries of the sitemap answer (contract §4.3). */
export const MAX_SITEMAP_ENTRIES = 5_000;

/** How many related blogs are listed. */
export const RELATED_LIMIT = { default: 5, min: 1, max: 20 } as const;
/** How many redirects are listed. */
export const REDIRECT_LIMIT = { default: 1_000, min: 1, max: 5_000 } as const;
/** How many blogs a feed has. */
export const FEED_LIMIT = { default: 50, min: 1, max: 100 } as const;
/** Most posts that `llms.txt` names. */
export const MAX_LLMS_ENTRIES = 500;
/** Most posts that are translations of each other. */
export const MAX_TRANSLATIONS = 100;
/** Longest text to search for, in UTF-16 code units. */
export const MAX_SEARCH_TEXT = 200;

/** An author of a project. */
export const publicAuthor = z.object({
  slug: z.string().meta(doc('The author’s name in URLs. Unique within the project.', 'ada-lovelace')),
  name: z.string().meta(doc('Name.', 'Ada Lovelace')),
  bio: z.string().nullable().meta(doc('A few sentences, as plain text.', 'Ada has brewed tea since 1998.')),
  avatar_url: z.string().nullable().meta(doc('URL of a picture.', 'https://cdn.example.com/ada.jpg')),
  url: z.string().nullable().meta(doc('URL of the first link.', 'https://ada.example.com/')),
  links: z
    .array(
      z.object({
        label: z.string().meta(doc('Text of the link.', 'Website')),
        url: z.string().meta(doc('URL of the page.', 'https://ada.example.com/')),
      }),
    )
    .describe('Pages to show with the author, in this order.'),
  same_as: z.array(z.string()).meta(doc('Other pages about this person.', ['https://www.wikidata.org/wiki/Q7259'])),
});
export type PublicAuthor = z.infer<typeof publicAuthor>;

const blogFields = {
  id: fields.id,
  title: fields.title,
  slug: fields.slug,
  excerpt: z.string().meta(doc('Plain-text summary; may be empty.', 'About hot water.')),
  meta_title: z.string().meta(doc('Title for search engines.', 'Green tea: how to')),
  meta_description: z.string().meta(doc('Description for search engines.', 'How hot the water should be.')),
  featured_image_url: fields.heroUrl,
  categories: z.array(z.string()).meta(doc('Category names.', ['Drinks'])),
  tags: z.array(z.string()).meta(doc('Tags.', ['tea', 'water'])),
  published_at: timestamp.describe(
    'The publication date: as set by the author, otherwise the start of the current publication.',
  ),
  ...extras.shapeFor('public'),
};

/** A post of one language among its translations, as a page's `hreflang` has it. */
const translation = z.object({
  id: fields.id,
  language: z.string().meta(doc('Language of the post, as a BCP 47 tag.', 'de-AT')),
  slug: fields.slug,
  title: fields.title,
  url: z
    .string()
    .nullable()
    .meta(doc('URL of the post on the project’s site. Null without a site URL.', 'https://tea.example.com/blog/tee/')),
});
export type Translation = z.infer<typeof translation>;

/** Beyond the contract: only where `fields` names them. */
const onRequest = {
  ...extras.shapeOnRequest('public', 'Only if `fields` names it.'),
  ...postImages,
  authors: z.array(publicAuthor).optional().describe('The authors, in order. Only if `fields` names it.'),
  translations: z
    .array(translation)
    .max(MAX_TRANSLATIONS)
    .optional()
    .describe(
      'The published posts with the same `translation_key`, this one included, sorted by language. Empty without a key. Only if `fields` names it.',
    ),
};

/** JSON-LD of what the content of a blog has besides text. */
export const structuredData = z.array(
  z.discriminatedUnion('@type', [
    z.object({
      '@context': z.literal('https://schema.org').describe('The vocabulary, schema.org.'),
      '@type': z.literal('FAQPage').describe('The type: questions and answers.'),
      mainEntity: z
        .array(
          z.object({
            '@type': z.literal('Question').describe('The type: a question.'),
            name: z.string().describe('The question.'),
            acceptedAnswer: z
              .object({
                '@type': z.literal('Answer').describe('The type: an answer.'),
                text: z.string().describe('The answer as text.'),
              })
              .describe('The answer.'),
          }),
        )
        .describe('The questions, in their order.'),
    }),
    z.object({
      '@context': z.literal('https://schema.org').describe('The vocabulary, schema.org.'),
      '@type': z.literal('HowTo').describe('The type: instructions.'),
      name: z.string().describe('What they achieve.'),
      step: z
        .array(
          z.object({
            '@type': z.literal('HowToStep').describe('The type: a step.'),
            name: z.string().optional().describe('Title of the step.'),
            text: z.string().describe('The step as text.'),
          }),
        )
        .describe('The steps, in their order.'),
    }),
  ]),
);
export type StructuredData = z.infer<typeof structuredData>;

/** A blog in the list answer (contract §2.1); `content` only when asked for. */
export const publicBlogListItem = z.object({
  ...blogFields,
  content: z.string().optional().meta(doc('The body as HTML. Only with `include_content=true`.', '<p>Hot water.</p>')),
  ...onRequest,
});
export type PublicBlogListItem = z.infer<typeof publicBlogListItem>;

/** One blog (contract §2.2). */
export const publicBlog = z.object({
  ...blogFields,
  content: z.string().meta(doc('The body as HTML, with links resolved.', '<p>Hot water.</p>')),
  updated_at: fields.contentPublishedAt,
  word_count: z.int().min(0).meta(doc('Number of words in the content, without HTML tags.', 2)),
  ...onRequest,
  structured_data: structuredData
    .optional()
    .describe('JSON-LD of the FAQ and HowTo parts of the content. Only if `fields` names it.'),
});
export type PublicBlog = z.infer<typeof publicBlog>;

/** What `fields` may name, of an item of the list and of one blog, in the order of an answer. */
export const LIST_FIELDS = publicBlogListItem.keyof().options;
export const BLOG_FIELDS = publicBlog.keyof().options;

/** `GET /blogs` (contract §4.1). */
export const publicBlogList = z.object({
  blogs: z.array(publicBlogListItem).describe('The posts, newest first.'),
  total: z.int().min(0).meta(doc('All published posts that match the filters.', 1)),
  limit: z.int().min(LIST_LIMIT.min).max(LIST_LIMIT.max).meta(doc('Maximum number of items.', 50)),
  offset: z.int().min(0).meta(doc('Number of items to skip.', 0)),
});
export type PublicBlogList = z.infer<typeof publicBlogList>;

/** The same with `fields`: of each blog only what is named. */
export const chosenBlogList = publicBlogList.extend({
  blogs: z.array(publicBlogListItem.partial()).describe('The posts, newest first.'),
});

/** Where a blog is no more: it was taken down or deleted, or has another slug. */
export const removedBlog = z.object({
  id: fields.id,
  slug: fields.slug,
  removed: z.literal(true).describe('The post is no longer at this slug. Remove it.'),
  moved_to: z
    .string()
    .optional()
    .meta(doc('The current slug of the post. Omitted if the post is no longer published.', 'green-tea')),
});
export type RemovedBlog = z.infer<typeof removedBlog>;

/** `GET /blogs?since=…`: what has changed since a position, oldest change first. */
export const publicBlogChanges = z.object({
  changes: z
    .array(z.union([removedBlog, publicBlogListItem.partial()]))
    .max(LIST_LIMIT.max)
    .describe('The changes: each post as it is now, or a marker that it was removed.'),
  limit: z.int().min(LIST_LIMIT.min).max(LIST_LIMIT.max).meta(doc('Maximum number of items.', 50)),
  next_since: z.string().meta(doc('Pass as `since` in the next request.', 'WzFd')),
  has_more: z.boolean().meta(doc('Whether more changes are available now.', false)),
});
export type PublicBlogChanges = z.infer<typeof publicBlogChanges>;

/** One blog with `fields`. */
export const chosenBlog = publicBlog.partial();

/** `GET /blogs/{slug}/related`: list items without `content`. */
export const relatedBlogs = z.object({
  blogs: z.array(publicBlogListItem).max(RELATED_LIMIT.max).describe('Best match first.'),
  total: z.int().min(0).meta(doc('All published posts that share a tag or category with it.', 1)),
});
export type RelatedBlogs = z.infer<typeof relatedBlogs>;

/** One sitemap entry (contract §2.3). */
export const sitemapEntry = z.object({
  slug: fields.slug,
  published_at: timestamp.describe(
    'The publication date: as set by the author, otherwise the start of the current publication.',
  ),
  updated_at: fields.contentPublishedAt,
});

/** `GET /blogs/sitemap` (contract §4.3). */
export const publicSitemap = z.object({
  blogs: z.array(sitemapEntry).max(MAX_SITEMAP_ENTRIES).describe('The posts, newest first.'),
  total: z.int().min(0).meta(doc('Number of entries returned.', 1)),
});
export type PublicSitemap = z.infer<typeof publicSitemap>;

/** An earlier slug of a published blog, and its present one. */
export const redirect = z.object({
  from: z.string().meta(doc('An earlier slug that no published post uses now.', 'tea')),
  to: z.string().meta(doc('The current slug of the post.', 'green-tea')),
});
export type Redirect = z.infer<typeof redirect>;

/** `GET /redirects`. */
export const publicRedirects = z.object({
  redirects: z.array(redirect).max(REDIRECT_LIMIT.max).describe('The redirects on this page, sorted by `from`.'),
  total: z.int().min(0).meta(doc('All redirects of the project.', 1)),
  limit: z.int().min(REDIRECT_LIMIT.min).max(REDIRECT_LIMIT.max).meta(doc('Maximum number of items.', 50)),
  offset: z.int().min(0).meta(doc('Number of items to skip.', 0)),
});
export type PublicRedirects = z.infer<typeof publicRedirects>;

/** `GET /authors`. */
export const publicAuthors = z.object({
  authors: z.array(publicAuthor).describe('All authors, in the order in which they were added.'),
  total: z.int().min(0).meta(doc('Number of authors.', 1)),
});
export type PublicAuthors = z.infer<typeof publicAuthors>;

/** Every error of the public API (contract §7.1). */
export const publicError = z.object({
  detail: z.string().meta(doc('Human-readable explanation.', 'Post not found.')),
});

/** `GET /feed.json`: JSON Feed 1.1 (jsonfeed.org), as far as this service uses it. */
export const jsonFeed = z.object({
  version: z.literal('https://jsonfeed.org/version/1.1').describe('URL of the format version.'),
  title: fields.projectName,
  home_page_url: z.string().meta(doc('URL of the website.', 'https://tea.example.com')),
  items: z
    .array(
      z.object({
        id: fields.id,
        url: fields.url,
        title: fields.projectName,
        content_html: z.string().meta(doc('The body as HTML.', '<p>Hot water.</p>')),
        summary: z.string().optional().meta(doc('The excerpt.', 'About hot water.')),
        image: z.string().optional().meta(doc('URL of the hero image.', 'https://cdn.example.com/green-tea.jpg')),
        date_published: timestamp.describe(
          'The publication date: as set by the author, otherwise the start of the current publication.',
        ),
        date_modified: fields.contentPublishedAt,
        tags: z.array(z.string()).meta(doc('Categories and tags.', ['tea', 'water'])),
        authors: z
          .array(
            z.object({
              name: z.string().meta(doc('Name.', 'Ada Lovelace')),
              url: z.string().optional().meta(doc('URL of the first link.', 'https://ada.example.com/')),
              avatar: z.string().optional().meta(doc('URL of a picture.', 'https://cdn.example.com/ada.jpg')),
            }),
          )
          .optional()
          .describe('The authors, in order.'),
      }),
    )
    .max(FEED_LIMIT.max)
    .describe('The items on this page, in list order.'),
});
export type JsonFeed = z.infer<typeof jsonFeed>;

/** `GET /blogs/{slug}/json-ld`: a `BlogPosting` of schema.org, for a page's `<script type="application/ld+json">`. */
export const blogPosting = z.object({
  '@context': z.literal('https://schema.org').describe('The vocabulary, schema.org.'),
  '@type': z.literal('BlogPosting').describe('The type: a blog post.'),
  '@id': z.string().describe('URL of the post.'),
  mainEntityOfPage: z.string().describe('URL of the post.'),
  url: z.string().meta(doc('URL of the post.', 'https://receiver.example.com/hook')),
  headline: z.string().describe('Title of the post.'),
  description: z.string().describe('`meta_description`.'),
  image: z.array(z.string()).optional().describe('URL of the hero image.'),
  datePublished: timestamp.describe('`published_at`.'),
  dateModified: timestamp.describe('`updated_at`.'),
  articleSection: z.array(z.string()).optional().describe('Category names.'),
  keywords: z.array(z.string()).optional().describe('The tags.'),
  wordCount: z.int().min(0).describe('Number of words in the content.'),
  author: z
    .array(
      z.object({
        '@type': z.literal('Person').describe('The type: a person.'),
        name: z.string().meta(doc('Name.', 'Ada Lovelace')),
        description: z.string().optional().describe('The bio.'),
        image: z.string().optional().describe('URL of a picture.'),
        url: z.string().optional().meta(doc('URL of the first link.', 'https://ada.example.com/')),
        sameAs: z.array(z.string()).optional().describe('Other pages about this person.'),
      }),
    )
    .optional()
    .describe('The authors, in order.'),
  publisher: z
    .object({
      '@type': z.literal('Organization').describe('The type: an organization.'),
      name: fields.name,
      url: z.string().meta(doc('URL.', 'https://tea.example.com')),
    })
    .describe('The site: name and URL of the project.'),
});
export type BlogPosting = z.infer<typeof blogPosting>;
