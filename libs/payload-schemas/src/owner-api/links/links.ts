import { z } from 'zod';
import { doc, fields } from '../../fields.ts';
import { slug } from '../../primitives.ts';
import { blogState } from '../blogs.ts';
import { pageOf } from '../problem.ts';

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
