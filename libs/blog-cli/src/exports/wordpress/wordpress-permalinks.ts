import { isHttpUrl } from '../exported-post.ts';
import { text, type Item } from './wordpress-item.ts';

/** What addresses of posts are made of: `/%year%/%monthnum%/%postname%/`, and so on. */
type Name = 'postname' | 'year' | 'monthnum' | 'day';

/**
 * Where private posts are. An export has the address with their number unless it was made by somebody who may read
 * them; the addresses of published posts tell what theirs are.
 *
 * @param posts all of an export
 * @returns null where most addresses are not made of names and dates alone
 */
export function permalinksOf(posts: readonly Item[]): (post: Item) => string | null {
  const counts = new Map<string, number>();
  const published = posts.filter((post) => text(post['wp:status']) === 'publish');
  for (const post of published) {
    const pattern = patternOf(post);
    if (pattern !== null) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  const [pattern, count] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? ['', 0];
  const isUsual = count * 2 > published.length;
  return (post) => {
    const names = namesOf(post);
    if (!isUsual || names.postname === '') return null;
    const address = pattern.replaceAll(/%(postname|year|monthnum|day)%/g, (_whole, name: Name) => names[name]);
    return isHttpUrl(address) ? address : null;
  };
}

function namesOf(post: Item): Readonly<Record<Name, string>> {
  // In the zone of the site, as its addresses are.
  const [year = '', monthnum = '', day = ''] = text(post['wp:post_date']).slice(0, 10).split('-');
  return { postname: text(post['wp:post_name']), year, monthnum, day };
}

/** The address with names for its parts; null for one without the post's name. */
function patternOf(post: Item): string | null {
  const link = text(post.link).trim();
  if (!isHttpUrl(link)) return null;
  const { origin, pathname } = new URL(link);
  const left: [Name, string][] = (['year', 'monthnum', 'day'] as const).map((name) => [name, namesOf(post)[name]]);
  let hasName = false;
  const parts = pathname.split('/').map((part) => {
    const [name = '', extension = ''] = part.split(/(?=\.\w+$)/);
    if (!hasName && part !== '' && name.toLowerCase() === namesOf(post).postname.toLowerCase()) {
      hasName = true;
      return `%postname%${extension}`;
    }
    // In this order, so that of 2024/01/01 the last is the day.
    const index = left.findIndex(([, value]) => value !== '' && value === part);
    return index < 0 ? part : `%${left.splice(0, index + 1).at(-1)?.[0] ?? ''}%`;
  });
  return hasName ? origin + parts.join('/') : null;
}
