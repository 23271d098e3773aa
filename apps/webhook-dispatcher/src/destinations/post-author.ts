import { z } from 'zod';

/** An author of the project, as far as it takes to find them at a destination. */
export interface PostAuthor {
  readonly name: string;
  /** The present one first, then earlier ones. */
  readonly slugs: readonly string[];
  readonly email: string | null;
}

/** As they are stored with their project. */
export const storedAuthors = z.array(
  z.object({ name: z.string(), slugs: z.array(z.string()).min(1), email: z.string().nullable() }),
);

/** Whether a user of a destination is the author: by the address, else by the slug of one without a known address. */
export function isSamePerson(
  { slugs, email }: PostAuthor,
  user: { readonly slug: string; readonly email?: string | null | undefined },
): boolean {
  const theirs = user.email?.toLowerCase() ?? null;
  if (email !== null && theirs !== null) return email.toLowerCase() === theirs;
  return slugs.includes(user.slug);
}
