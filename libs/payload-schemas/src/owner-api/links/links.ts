import { z } from 'zod';
import { slug } from '../../primitives.ts';
import { blogState } from '../blogs.ts';
import { pageOf } from '../problem.ts';

/** A post that links to another one. */
export const backlink = z.object({
  blog_id: z.uuid(),
  title: z.string(),
  slug: z.string(),
  state: blogState,
  in_working_copy: z.boolean().describe('Whether its working copy has the link.'),
  in_published: z.boolean().describe('Whether readers see the link.'),
});
export const backlinks = pageOf(backlink).extend({ total: z.int().describe('How many posts link here.') });
export type Backlinks = z.infer<typeof backlinks>;

export const renameQuery = z.object({
  slug: slug.optional().describe('The slug that the post would get; the one that it has when left out.'),
});

/** What a rename would do. */
export const renamePreview = z.object({
  slug: z.string(),
  availability: z
    .enum(['own', 'free', 'alias', 'taken', 'reserved'])
    .describe('`alias`: another post was published under it, and gives it up with `release_alias`.'),
  held_by: z
    .object({ blog_id: z.uuid(), title: z.string() })
    .nullable()
    .describe('The other post that has the slug, as its own or as an alias.'),
  linking_posts: z.int().describe('How many other posts link here: their links follow.'),
  published_slug: z.string().nullable().describe('The slug that readers see the post under now.'),
  keeps_old_url: z.boolean().describe('Whether the slug that it has now stays its alias, and redirects.'),
  message: z.string().describe('All of that, as sentences.'),
});
export type RenamePreview = z.infer<typeof renamePreview>;
