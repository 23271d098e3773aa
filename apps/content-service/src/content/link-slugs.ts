import { namedSlugs } from '@blog-content/link-resolver';

/** Most links of a blog that belong to a blog: those beyond go by their slugs. */
const MAX_BOUND_LINKS = 5_000;

/** The slugs that the placeholders of a content name, so many as are bound. @param markdown what it was made from. */
export function linkSlugsIn(content: string, markdown: string | null): string[] {
  const named = namedSlugs(content);
  const slugs = markdown === null ? named : [...new Set([...named, ...namedSlugs(markdown)])];
  return slugs.slice(0, MAX_BOUND_LINKS);
}
