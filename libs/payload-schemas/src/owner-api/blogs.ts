import { z } from 'zod';
import { extras } from '../extras/extra-fields.ts';
import {
  givenHttpUrl,
  label,
  labels,
  MAX_CONTENT,
  MAX_LONG_TEXT,
  MAX_SHORT_TEXT,
  publicationDate,
  slug,
  timestamp,
  trigger,
} from '../primitives.ts';

/** Most generated images of one blog. */
export const MAX_GENERATED_IMAGES = 50;
/** Longest search text of a list, in characters. */
const MAX_SEARCH = 200;

const written = {
  title: z.string().trim().min(1).max(MAX_SHORT_TEXT),
  slug,
  content: z.string().max(MAX_CONTENT).describe('HTML, sanitized on save. Link to other posts as [INTERNAL:<slug>].'),
  excerpt: z.string().max(MAX_LONG_TEXT).describe('If empty, derived from the content.'),
  meta_title: z.string().max(MAX_SHORT_TEXT).nullable(),
  meta_description: z.string().max(MAX_LONG_TEXT).nullable(),
  featured_image_url: givenHttpUrl.nullable(),
  generated_images: z
    .array(givenHttpUrl)
    .max(MAX_GENERATED_IMAGES)
    .describe('Images generated for the post, in order. The first is the hero image if featured_image_url is null.'),
  categories: labels,
  tags: labels,
  keyword: z.string().max(MAX_SHORT_TEXT).nullable(),
  ...extras.shape,
};
const contentMarkdown = z
  .string()
  .max(MAX_CONTENT)
  .describe(
    'Markdown source, converted to content. CommonMark with tables, strikethrough, footnotes, task lists, definition lists, heading IDs ({#id}) and autolinks.',
  );

/** The publication date where an author gives it. */
export const givenPublishedAt = publicationDate
  .nullable()
  .describe(
    'The publication date. A past date is shown to readers from the next publish. With a future date, publishing schedules the post. Null: the start of the current publication.',
  );

const oneOf = (request: { content?: string | undefined; content_markdown?: string | undefined }) =>
  request.content === undefined || request.content_markdown === undefined;
/** For the documents: what the refinement below says. */
const exclusive = { not: { required: ['content', 'content_markdown'] } };
const notBoth = { path: ['content_markdown'], message: 'cannot be combined with content: give one of them' };

const releaseAlias = z.boolean().describe('Take the slug even if it is an alias of another post.');

const blogUpdate = z
  .object({
    ...written,
    content_markdown: contentMarkdown,
    published_at: givenPublishedAt,
    release_alias: releaseAlias,
  })
  .partial();
/** What an author may change. */
export const blogUpdateRequest = blogUpdate.refine(oneOf, notBoth).meta(exclusive);
/** Everything but the title may be left out. */
export const blogCreateRequest = blogUpdate.extend({ title: written.title }).refine(oneOf, notBoth).meta(exclusive);
export type BlogCreateRequest = z.infer<typeof blogCreateRequest>;
export type BlogUpdateRequest = z.infer<typeof blogUpdateRequest>;

export const blogState = z.enum(['draft', 'published', 'unpublished', 'deleted']);
export type BlogState = z.infer<typeof blogState>;

/** Which blogs of a project are meant, in any state. */
const narrowing = {
  q: z.string().trim().max(MAX_SEARCH).optional().describe('Search title, slug, keyword and labels.'),
  category: label.optional().describe('Filter by category.'),
  tag: label.optional().describe('Filter by tag.'),
};

export const blogSort = z.enum(['created_at', 'updated_at', 'published_at', 'title']);
export type BlogSort = z.infer<typeof blogSort>;

/** Filters and order of a list of blogs. */
export const blogListQuery = z.object({
  state: blogState.exclude(['deleted']).optional().describe('Filter by state.'),
  ...narrowing,
  scheduled: z.enum(['true', 'false']).optional().describe('Filter by whether a publish is scheduled.'),
  changed: z
    .enum(['true', 'false'])
    .optional()
    .describe('Filter published posts by whether they have unpublished changes.'),
  sort: blogSort
    .optional()
    .describe('Sort field. Defaults to `created_at`. Posts without a publication date come last.'),
  order: z.enum(['asc', 'desc']).optional().describe('Sort order. Defaults to `desc`. Pass it with every cursor.'),
});

export const blogCountsQuery = z.object(narrowing);

/** How many blogs of a project are in each state, and its most used tags. */
export const blogCounts = z.object({
  total: z.int(),
  draft: z.int().describe('Blogs that were never published and are not scheduled.'),
  published: z.int(),
  unpublished: z.int(),
  scheduled: z.int().describe('Blogs with a scheduled publish, in any state.'),
  changed: z.int().describe('Published blogs with unpublished changes.'),
  tags: z
    .array(z.object({ name: z.string(), count: z.int().describe('Blogs with the tag.') }))
    .describe('Up to 100 tags, the most used first.'),
});
export type BlogCounts = z.infer<typeof blogCounts>;

const { content: _content, ...fieldsOfItems } = written;

/** A blog in lists: without its content. */
export const ownerBlogItem = z.object({
  id: z.uuid(),
  project_id: z.uuid(),
  state: blogState,
  version: z.int().describe('Increases with every change of the working copy. The ETag is this number in quotes.'),
  ...fieldsOfItems,
  slug: z.string(),
  hero_image_url: z.string().nullable().describe('The public API returns it as featured_image_url.'),
  has_unpublished_changes: z.boolean(),
  published_at: timestamp
    .nullable()
    .describe(
      'The publication date: as set by the author, otherwise the start of the current publication. Null if neither applies.',
    ),
  previous_published_at: timestamp
    .nullable()
    .describe('The publication date before the post was unpublished; null unless unpublished.'),
  publish_at: timestamp.nullable().describe('When it is scheduled to be published.'),
  created_at: timestamp,
  updated_at: timestamp,
});

/** Where a receiver has put the post (contract §4.4). */
export const livePost = z.object({
  integration_id: z.uuid(),
  receiver: z.string(),
  url: z.string().nullable(),
  external_id: z.string().nullable(),
});

/** A blog as its owner sees it: the working copy. */
export const ownerBlog = ownerBlogItem.extend({
  content: z.string(),
  content_markdown: z.string().nullable().describe('Null if the content was written as HTML.'),
  automatic_excerpt: z.string().describe('Excerpt derived from the content. Used if `excerpt` is empty.'),
  aliases: z.array(z.string()).describe('Earlier slugs of the post. They redirect to it.'),
  live_posts: z.array(livePost).describe('The last response of each receiver.'),
});

/** What a generation has put into a blog. */
export const provenance = z.object({
  generation_id: z.uuid(),
  kind: z.string().describe('`post`, or the kind of proposal.'),
  writer: z.string().describe('The model, or `offline`.'),
  request: z.record(z.string(), z.json()).describe('The request, without its sources.'),
  sources: z.array(z.object({ title: z.string(), url: z.string().nullable() })).describe('The sources.'),
  cost: z.number(),
  input_tokens: z.int().describe('Input tokens.'),
  output_tokens: z.int().describe('Output tokens.'),
  total_ms: z.int().describe('Time from the start of the first step to the end of the last.'),
  generated_at: timestamp.describe('When it was generated.'),
  accepted_by: z.uuid().nullable().describe('The account or agent key that accepted it.'),
  accepted_at: timestamp.nullable().describe('When it was accepted.'),
});
export type Provenance = z.infer<typeof provenance>;

/** What one publish made public. */
export const revisionItem = z.object({
  number: z.int(),
  published_at: timestamp,
  title: z.string(),
  slug: z.string(),
});
export const revision = ownerBlog
  .pick({
    title: true,
    slug: true,
    content: true,
    content_markdown: true,
    excerpt: true,
    meta_title: true,
    meta_description: true,
    featured_image_url: true,
    generated_images: true,
    categories: true,
    tags: true,
    keyword: true,
  })
  .extend({
    ...extras.shape,
    blog_id: z.uuid(),
    number: z.int(),
    published_at: timestamp,
    provenance: z.array(provenance).describe('Generated parts of the post, latest last; empty if none.'),
  });
export const restoreRequest = z.object({
  keep_slug: z.boolean().default(false).describe('Keep the slug of the working copy.'),
});

/** What lies between two states of a blog. */
export const revisionDiff = z.object({
  from: z.int(),
  to: z.union([z.int(), z.literal('working_copy')]),
  fields: z
    .array(z.object({ field: z.string(), before: z.json(), after: z.json() }))
    .describe('Changed fields, without the content.'),
  content: z
    .array(z.object({ change: z.enum(['same', 'added', 'removed']), html: z.string() }))
    .describe('The content in pieces. Same and removed pieces form the old content, same and added ones the new.'),
});

export const scheduleRequest = z.object({
  publish_at: timestamp.describe('Must be in the future, at most two years ahead.'),
});
export const schedule = z.object({
  blog_id: z.uuid(),
  title: z.string(),
  publish_at: timestamp,
  trigger: trigger.describe('`autopilot` if set by the autopilot.'),
});
