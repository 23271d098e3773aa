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

/**
 * The slug that follows from a title as far as the page can tell; empty where its letters are not Latin. `attempt`
 * numbers those to try when the ones before are taken, from 1 on.
 */
export function slugOfTitle(title: string, attempt = 1): string {
  const latin = title
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '');
  if (/[^\p{Script=Latin}\P{L}]/u.test(latin)) return '';
  const slug = latin
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG - 3)
    .replace(/^-|-$/g, '');
  return slug === '' || attempt === 1 ? slug : `${slug}-${attempt}`;
}

/** Whether the slug was made from the title, and no reader knows it: then it follows when the title changes. */
export function followsTitle(blog: { slug: string; title: string; state: string }): boolean {
  const made = slugOfTitle(blog.title);
  return blog.state === 'draft' && made !== '' && blog.slug.replace(/-\d+$/, '') === made.replace(/-\d+$/, '');
}
