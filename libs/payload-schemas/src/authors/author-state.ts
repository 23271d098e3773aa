import { z } from 'zod';
import { httpUrl, slug } from '../primitives.ts';

/** An author as `blog.projects` has them. */
export const authorState = z.object({
  slug,
  former_slugs: z.array(slug).describe('Earlier slugs.'),
  name: z.string(),
  bio: z.string().nullable(),
  avatar_url: httpUrl.nullable(),
  links: z.array(z.object({ label: z.string(), url: httpUrl })),
  same_as: z.array(httpUrl).describe('Other pages about this person.'),
  email: z.string().nullable().describe('For matching users of other systems. Never show it to readers.'),
});
export type AuthorState = z.infer<typeof authorState>;
