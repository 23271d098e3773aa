/** Where readers find a post (docs/contract.md, 2.4.3); a path where the project has no site. */
export function postAddress(siteUrl: string | null, slug: string): string {
  return `${(siteUrl ?? '').replace(/\/$/, '')}/blog/${slug}/`;
}

const MAX_SLUG = 200;

/** What was typed as a slug, as the service takes it; the person sees it while typing. */
export function typedSlug(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
    .replace(/[^a-z0-9-]/g, '')
    .replace(/-{2,}/g, '-')
    .slice(0, MAX_SLUG);
}

/** Whether the slug is whole: one that still ends in a hyphen is being typed. */
export const isSlug = (slug: string): boolean => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug);
