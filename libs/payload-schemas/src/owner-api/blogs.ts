import { z } from 'zod';
import { doc, fields } from '../fields.ts';
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
  title: z.string().trim().min(1).max(MAX_SHORT_TEXT).meta(doc('Title, as plain text.', 'Green tea')),
  slug: slug.meta(doc('The post’s name in its URL. Unique within the project.', 'green-tea')),
  content: z
    .string()
    .max(MAX_CONTENT)
    .meta(
      doc(
        'HTML, sanitized on save. Link to other posts as [INTERNAL:<slug>].',
        '<h2>Water</h2><p>See <a href="[INTERNAL:white-tea]">white tea</a>.</p>',
      ),
    ),
  excerpt: z.string().max(MAX_LONG_TEXT).meta(doc('If empty, derived from the content.', 'About hot water.')),
  meta_title: z.string().max(MAX_SHORT_TEXT).nullable().meta(doc('Title for search engines.', 'Green tea: how to')),
  meta_description: z
    .string()
    .max(MAX_LONG_TEXT)
    .nullable()
    .meta(doc('Description for search engines.', 'How hot the water should be.')),
  featured_image_url: givenHttpUrl
    .nullable()
    .meta(doc('URL of the hero image. Not part of `content`.', 'https://cdn.example.com/green-tea.jpg')),
  generated_images: z
    .array(givenHttpUrl)
    .max(MAX_GENERATED_IMAGES)
    .meta(
      doc('Images generated for the post, in order. The first is the hero image if featured_image_url is null.', [
        'https://cdn.example.com/green-tea.jpg',
      ]),
    ),
  categories: labels.meta(doc('Category names.', ['Drinks'])),
  tags: labels.meta(doc('Tags.', ['tea', 'water'])),
  keyword: z.string().max(MAX_SHORT_TEXT).nullable().meta(doc('The focus keyword.', 'green tea')),
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
    published_at: givenPublishedAt.describe(
      'The publication date: as set by the author, otherwise the start of the current publication.',
    ),
    release_alias: releaseAlias,
  })
  .partial();
/** What an author may change. */
export const blogUpdateRequest = blogUpdate.refine(oneOf, notBoth).meta(exclusive);
/** Everything but the title may be left out. */
export const blogCreateRequest = blogUpdate
  .extend({ title: written.title.meta(doc('Title, as plain text.', 'Green tea')) })
  .refine(oneOf, notBoth)
  .meta(exclusive);
export type BlogCreateRequest = z.infer<typeof blogCreateRequest>;
export type BlogUpdateRequest = z.infer<typeof blogUpdateRequest>;

export const blogState = z.enum(['draft', 'published', 'unpublished', 'deleted']);
export type BlogState = z.infer<typeof blogState>;

/** Which blogs of a project are meant, in any state. */
const narrowing = {
  q: z.string().trim().max(MAX_SEARCH).optional().describe('Search title, slug, keyword and labels.'),
  category: label.optional().describe('Filter by category.'),
  tag: label.optional().describe('Filter by tag.'),
  author: slug.min(1).optional().describe('Filter by an author’s slug, including earlier ones.'),
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
  total: z.int().describe('Total number of items.'),
  draft: z.int().describe('Blogs that were never published and are not scheduled.'),
  published: z.int().describe('Number of posts published.'),
  unpublished: z.int().meta(doc('Number of posts unpublished.', 0)),
  scheduled: z.int().describe('Blogs with a scheduled publish, in any state.'),
  changed: z.int().describe('Published blogs with unpublished changes.'),
  tags: z
    .array(
      z.object({
        name: fields.name,
        count: z.int().describe('Blogs with the tag.'),
      }),
    )
    .describe('Up to 100 tags, the most used first.'),
});
export type BlogCounts = z.infer<typeof blogCounts>;

const { content: _content, ...fieldsOfItems } = written;

/** A blog in lists: without its content. */
export const ownerBlogItem = z.object({
  id: fields.id,
  project_id: fields.projectId,
  state: blogState.describe('State of the post. Only published posts are public.'),
  version: z.int().meta(doc('Increases with every change of the working copy. The ETag is this number in quotes.', 3)),
  ...fieldsOfItems,
  slug: fields.slug,
  hero_image_url: z
    .string()
    .nullable()
    .meta(doc('The public API returns it as featured_image_url.', 'https://cdn.example.com/green-tea.jpg')),
  has_unpublished_changes: z.boolean().describe('Whether the working copy differs from the published post.'),
  published_at: timestamp
    .nullable()
    .describe(
      'The publication date: as set by the author, otherwise the start of the current publication. Null if neither applies.',
    ),
  previous_published_at: timestamp
    .nullable()
    .meta(doc('The publication date before the post was unpublished; null unless unpublished.', null)),
  publish_at: timestamp.nullable().describe('When it is scheduled to be published.'),
  created_at: fields.createdAt,
  updated_at: timestamp.describe('When it was last changed.'),
});

/** Where a receiver has put the post (contract §4.4). */
export const livePost = z.object({
  integration_id: fields.integrationId,
  receiver: z.string().meta(doc('Host of the receiver.', 'receiver.example.com')),
  url: fields.urlOrNull,
  external_id: fields.externalId,
});

/** A blog as its owner sees it: the working copy. */
export const ownerBlog = ownerBlogItem.extend({
  content: z
    .string()
    .meta(doc('The body as HTML.', '<h2>Water</h2><p>See <a href="[INTERNAL:white-tea]">white tea</a>.</p>')),
  content_markdown: z.string().nullable().meta(doc('Null if the content was written as HTML.', null)),
  automatic_excerpt: z
    .string()
    .meta(doc('Excerpt derived from the content. Used if `excerpt` is empty.', 'Hot water.')),
  aliases: z.array(z.string()).meta(doc('Earlier slugs of the post. They redirect to it.', ['tea'])),
  live_posts: z.array(livePost).describe('The last response of each receiver.'),
});

/** What a generation has put into a blog. */
export const provenance = z.object({
  generation_id: fields.generationId,
  kind: z.string().describe('`post`, or the kind of proposal.'),
  writer: z.string().meta(doc('The model, or `offline`.', 'offline')),
  request: z.record(z.string(), z.json()).describe('The request, without its sources.'),
  sources: z
    .array(
      z.object({
        title: fields.title,
        url: fields.urlOrNull,
      }),
    )
    .describe('The sources.'),
  cost: z.number().meta(doc('Cost so far.', 0.02)),
  input_tokens: z.int().describe('Input tokens.'),
  output_tokens: z.int().describe('Output tokens.'),
  total_ms: z.int().meta(doc('Time from the start of the first step to the end of the last.', 120)),
  generated_at: timestamp.describe('When it was generated.'),
  accepted_by: z.uuid().nullable().describe('The account or agent key that accepted it.'),
  accepted_at: timestamp.nullable().describe('When it was accepted.'),
});
export type Provenance = z.infer<typeof provenance>;

/** What one publish made public. */
export const revisionItem = z.object({
  number: fields.number,
  published_at: timestamp.describe('When it was published.'),
  title: fields.title,
  slug: fields.slug,
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
    blog_id: fields.blogId,
    number: fields.number,
    published_at: timestamp.describe('When it was published.'),
    provenance: z.array(provenance).describe('Generated parts of the post, latest last; empty if none.'),
  });
export const restoreRequest = z.object({
  keep_slug: z.boolean().default(false).describe('Keep the slug of the working copy.'),
});

/** What lies between two states of a blog. */
export const revisionDiff = z.object({
  from: z.int().describe('Number of the older revision.'),
  to: z
    .union([z.int(), z.literal('working_copy')])
    .meta(doc('Number of the newer revision, or `working_copy`.', 'working_copy')),
  fields: z
    .array(
      z.object({
        field: fields.invalidField,
        before: z.json().meta(doc('The old value.', 'Tea')),
        after: z.json().meta(doc('The new value.', 'Green tea')),
      }),
    )
    .describe('Changed fields, without the content.'),
  content: z
    .array(
      z.object({
        change: z
          .enum(['same', 'added', 'removed'])
          .meta(doc('Whether the piece was added, removed or kept.', 'added')),
        html: z.string().meta(doc('The piece as HTML.', '<p>Hot water.</p>')),
      }),
    )
    .describe('The content in pieces. Same and removed pieces form the old content, same and added ones the new.'),
});

export const scheduleRequest = z.object({
  publish_at: timestamp.describe('Must be in the future, at most two years ahead.'),
});
export const schedule = z.object({
  blog_id: fields.blogId,
  title: fields.title,
  language: fields.language,
  publish_at: timestamp.describe('When it will be published.'),
  trigger: trigger.describe('`autopilot` if set by the autopilot.'),
});
