import { z } from 'zod';
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
  content: z.string().max(MAX_CONTENT).describe('HTML, cleaned on save; links to other posts as [INTERNAL:<slug>].'),
  excerpt: z.string().max(MAX_LONG_TEXT).describe('Empty: made from the content.'),
  meta_title: z.string().max(MAX_SHORT_TEXT).nullable(),
  meta_description: z.string().max(MAX_LONG_TEXT).nullable(),
  featured_image_url: givenHttpUrl.nullable(),
  generated_images: z
    .array(givenHttpUrl)
    .max(MAX_GENERATED_IMAGES)
    .describe('Images generated for the post, in order: the first is the hero when featured_image_url is null.'),
  categories: labels,
  tags: labels,
  keyword: z.string().max(MAX_SHORT_TEXT).nullable(),
};
const contentMarkdown = z
  .string()
  .max(MAX_CONTENT)
  .describe(
    'Markdown in place of content, which is made from it: CommonMark with tables, strikethrough, footnotes, task lists, definition lists, ids of headings ({#id}) and links of bare URLs.',
  );

/** The publication date where an author gives it. */
export const givenPublishedAt = publicationDate
  .nullable()
  .describe(
    'The publication date. A past one is what readers see, from the next publish on. With a future one, a publish becomes a schedule. Null: when the current publication began.',
  );

const oneOf = (request: { content?: string | undefined; content_markdown?: string | undefined }) =>
  request.content === undefined || request.content_markdown === undefined;
/** For the documents: what the refinement below says. */
const exclusive = { not: { required: ['content', 'content_markdown'] } };
const notBoth = { path: ['content_markdown'], message: 'stands in place of content: give one of them' };

const releaseAlias = z.boolean().describe('Take the slug, even where another post of the project has it as an alias.');

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
  q: z
    .string()
    .trim()
    .max(MAX_SEARCH)
    .optional()
    .describe('Only blogs with this text in title, slug, keyword or labels.'),
  category: label.optional().describe('Only blogs with this category.'),
  tag: label.optional().describe('Only blogs with this tag.'),
};

export const blogSort = z.enum(['created_at', 'updated_at', 'published_at', 'title']);
export type BlogSort = z.infer<typeof blogSort>;

/** Filters and order of a list of blogs. */
export const blogListQuery = z.object({
  state: blogState.exclude(['deleted']).optional().describe('Only blogs in this state.'),
  ...narrowing,
  scheduled: z.enum(['true', 'false']).optional().describe('Only blogs with, or without, a scheduled publish.'),
  changed: z.enum(['true', 'false']).optional().describe('Only published blogs with, or without, unpublished changes.'),
  sort: blogSort
    .optional()
    .describe('The field to sort by; `created_at` by default. Blogs without a publication date come last.'),
  order: z.enum(['asc', 'desc']).optional().describe('Sort order; `desc` by default. Pass it with every cursor.'),
});

export const blogCountsQuery = z.object(narrowing);

/** How many blogs of a project are in each state, and its most used tags. */
export const blogCounts = z.object({
  total: z.int(),
  draft: z.int().describe('Blogs that were never published.'),
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
  version: z.int().describe('Grows with every change of the working copy; the ETag, in quotes.'),
  ...fieldsOfItems,
  slug: z.string(),
  hero_image_url: z.string().nullable().describe('What readers get as featured_image_url.'),
  has_unpublished_changes: z.boolean(),
  published_at: timestamp
    .nullable()
    .describe(
      'The publication date: what was set, else when the current publication began. Null when there is neither.',
    ),
  previous_published_at: timestamp
    .nullable()
    .describe('The publication date that readers saw before the unpublish; null unless unpublished.'),
  publish_at: timestamp.nullable().describe('When it will be published by schedule.'),
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
  content_markdown: z.string().nullable().describe('Null when the content was written as HTML.'),
  automatic_excerpt: z.string().describe('The excerpt that the content gives, used while no other is written.'),
  aliases: z.array(z.string()).describe('Other slugs that it was published under: they lead to it.'),
  live_posts: z.array(livePost).describe('What receivers answered last, by receiver.'),
});

/** What a generation has put into a blog. */
export const provenance = z.object({
  generation_id: z.uuid(),
  kind: z.string().describe('`post`, or what a proposal was for.'),
  writer: z.string().describe('The model, or `offline`.'),
  request: z.record(z.string(), z.json()).describe('What was asked for, without its sources.'),
  sources: z.array(z.object({ title: z.string(), url: z.string().nullable() })).describe('What it was written from.'),
  cost: z.number(),
  input_tokens: z.int().describe('Tokens sent to the model.'),
  output_tokens: z.int().describe('Tokens that the model has made.'),
  total_ms: z.int().describe('From the beginning of its first step to the end of its last.'),
  generated_at: timestamp.describe('When it was written.'),
  accepted_by: z.uuid().nullable().describe('Who took it: an account or an agent key.'),
  accepted_at: timestamp.nullable().describe('When it was taken.'),
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
    blog_id: z.uuid(),
    number: z.int(),
    published_at: timestamp,
    provenance: z.array(provenance).describe('What of it was generated, the latest last; empty when nothing was.'),
  });
export const restoreRequest = z.object({
  keep_slug: z.boolean().default(false).describe('Leave the slug of the working copy as it is.'),
});

/** What lies between two states of a blog. */
export const revisionDiff = z.object({
  from: z.int(),
  to: z.union([z.int(), z.literal('working_copy')]),
  fields: z
    .array(z.object({ field: z.string(), before: z.json(), after: z.json() }))
    .describe('Changed fields but for the content.'),
  content: z
    .array(z.object({ change: z.enum(['same', 'added', 'removed']), html: z.string() }))
    .describe('The content in pieces: those that are the same or removed make the old one, same or added the new one.'),
});

export const scheduleRequest = z.object({ publish_at: timestamp.describe('In the future, at most two years ahead.') });
export const schedule = z.object({
  blog_id: z.uuid(),
  title: z.string(),
  publish_at: timestamp,
  trigger: trigger.describe('`autopilot` where the autopilot has set it.'),
});
