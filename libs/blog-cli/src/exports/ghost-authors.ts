import { authorsByKey } from './export-authors.ts';
import type { ExportedAuthor } from './exported-post.ts';
import type { GhostData, GhostPost, GhostUser } from './ghost-data.ts';

/** Where the profiles are that Ghost names by a user's name there. */
const SITES: Readonly<Record<keyof GhostUser['profiles'], string>> = {
  twitter: 'https://x.com/',
  facebook: 'https://www.facebook.com/',
  threads: 'https://www.threads.com/@',
  bluesky: 'https://bsky.app/profile/',
  mastodon: 'https://',
  tiktok: 'https://www.tiktok.com/@',
  youtube: 'https://www.youtube.com/',
  instagram: 'https://www.instagram.com/',
  linkedin: 'https://www.linkedin.com/',
};

/** @param absolute makes addresses whole that Ghost leaves open. */
export function ghostAuthors(
  { users }: GhostData,
  absolute: (url: string) => string,
): ReadonlyMap<string, ExportedAuthor> {
  const given = users.map((user) => {
    const profiles = Object.entries(user.profiles).map(([site, name]) => profileOf(site as keyof typeof SITES, name));
    const picture = user.profile_image === '' ? '' : absolute(user.profile_image);
    return [user.id, { ...user, picture, profiles }] as const;
  });
  return authorsByKey(new Map(given));
}

function profileOf(site: keyof typeof SITES, given: string): string {
  const name = given.trim();
  if (name === '' || /^https?:/i.test(name)) return name;
  if (site === 'youtube') return SITES.youtube + name;
  // A profile of a person, unless it says more.
  if (site === 'linkedin' && !name.includes('/')) return `${SITES.linkedin}in/${name}`;
  return SITES[site] + name.replace(/^@/, '');
}

/** Of each post the ids of its users, in order. */
export function authorIdsByPost({ posts_authors: rows }: GhostData): (post: GhostPost) => readonly string[] {
  const byPost = new Map<string, (typeof rows)[number][]>();
  for (const row of rows) byPost.set(row.post_id, [...(byPost.get(row.post_id) ?? []), row]);
  return ({ id, author_id }) => {
    const ordered = [...(byPost.get(id) ?? [])].sort((a, b) => a.sort_order - b.sort_order);
    const ids = ordered.map((row) => row.author_id);
    return ids.length > 0 || author_id === null ? ids : [author_id];
  };
}
