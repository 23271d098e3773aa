import type { PostAuthor } from './destination.ts';

/** Whether a destination's user is the author: by email address if both have one, otherwise by slug. */
export function isSamePerson(
  { slugs, email }: PostAuthor,
  user: { readonly slug: string; readonly email?: string | null | undefined },
): boolean {
  const theirs = user.email?.toLowerCase() ?? null;
  if (email !== null && theirs !== null) return email.toLowerCase() === theirs;
  return slugs.includes(user.slug);
}
