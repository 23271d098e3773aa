import { z } from 'zod';
import { doc, fields } from '../../fields.ts';
import { slug } from '../../primitives.ts';
import { blogState } from '../blogs.ts';
import { pageOf } from '../problem.ts';

/** Most links of a post in one answer. */
export const MAX_LISTED_LINKS = 1_000;

/** A slug that a post links to, and where that leads. */
const blogLink = z.object({
  slug: z.string().meta(doc('The slug in the link.', 'green-tea')),
  post: z
    .object({
      blog_id: fields.blogId,
      title: fields.title,
      state: blogState.describe('State of the post.'),
      language: fields.language,
    })
    .nullable()
    .describe('The post with the slug. Null if there is none.'),
  leads_to: z
    .object({ blog_id: fields.blogId, slug: fields.slug, title: fields.title, language: fields.language })
    .nullable()
    .describe(
      'The published post that readers get: a translation into the language of the linking post, or the post itself. Null if readers see plain text.',
    ),
});
/** The links from a post to others. */
export const blogLinks = z.object({
  items: z.array(blogLink).max(MAX_LISTED_LINKS).describe('One for each slug, sorted by slug.'),
});
export type BlogLinks = z.infer<typeof blogLinks>;

/** A post that links to another one. */
export const backlink = z.object({
  blog_id: fields.blogId,
  title: fields.title,
  slug: fields.slug,
  state: blogState.describe('State of the post. Only published posts are public.'),
  in_working_copy: z.boolean().describe('Whether the working copy has the link.'),
  in_published: z.boolean().describe('Whether the published post has the link.'),
});
export const backlinks = pageOf(backlink).extend({ total: z.int().describe('Number of posts that link here.') });
export type Backlinks = z.infer<typeof backlinks>;

export const renameQuery = z.object({
  slug: slug.optional().describe('The new slug. Defaults to the current one.'),
});

/** What a rename would do. */
export const renamePreview = z.object({
  slug: fields.slug,
  availability: z
    .enum(['own', 'free', 'alias', 'taken', 'reserved'])
    .meta(doc('`alias`: an earlier slug of another post. Take it with `release_alias`.', 'free')),
  held_by: z
    .object({
      blog_id: fields.blogId,
      title: fields.title,
    })
    .nullable()
    .describe('The post that has the slug, as its own or as an alias.'),
  linking_posts: z.int().meta(doc('Number of posts that link here. Their links are updated.', 3)),
  published_slug: z.string().nullable().meta(doc('The slug that is published now.', 'green-tea')),
  keeps_old_url: z.boolean().describe('Whether the current slug becomes an alias and redirects.'),
  message: z.string().describe('Human-readable summary.'),
});
export type RenamePreview = z.infer<typeof renamePreview>;
