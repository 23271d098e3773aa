import type { PostAuthor } from './destination.ts';

/** Whether a user of a destination is the author: by the address, else by the slug of one without a known address. */
export function isSamePerson(
  { slugs, email }: PostAuthor,
  user: { readonly slug: string; readonly email?: string | null | undefined },
): boolean {
  const theirs = user.email?.toLowerCase() ?? null;
  if (email !== null && theirs !== null) return email.toLowerCase() === theirs;
  return slugs.includes(user.slug);
}
