import { authorsByKey } from '../export-authors.ts';
import type { ExportedAuthor } from '../exported-post.ts';
import { plainText } from '../html/plain-text.ts';
import { text, type Item } from './wordpress-item.ts';

/** An author of a WXR file. All values are texts. */
export type WrittenAuthor = Readonly<
  Partial<Record<`wp:author_${'login' | 'email' | 'display_name' | 'first_name' | 'last_name'}`, unknown>>
>;

/** The taxonomy of Co-Authors Plus, which gives a post several authors. */
export const CO_AUTHORS = 'author';

/** The authors of a site, by the names that posts have for them. Those that a post names alone have a name only. */
export function wordPressAuthors(
  written: readonly WrittenAuthor[],
  posts: readonly Item[],
): ReadonlyMap<string, ExportedAuthor> {
  const users = written.map((author) => {
    const of = (part: 'login' | 'email' | 'display_name' | 'first_name' | 'last_name') =>
      plainText(text(author[`wp:author_${part}`])).trim();
    const name = of('display_name') || `${of('first_name')} ${of('last_name')}`.trim() || of('login');
    // A login name is nobody's business.
    return [of('login'), { slug: name, name, email: of('email') }] as const;
  });
  const known = new Map(users.filter(([login]) => login !== ''));
  const others = posts.flatMap(authorNamesOf).filter((name) => !known.has(name));
  return authorsByKey(new Map([...known, ...others.map((name) => [name, { slug: name, name }] as const)]));
}

/** Login names of the authors of a post, in order. */
export function authorNamesOf(item: Item): readonly string[] {
  const several = (item.category ?? []).filter((label) => label['@domain'] === CO_AUTHORS);
  const names = several.length > 0 ? several.map((label) => text(label['#text'])) : [text(item['dc:creator'])];
  return [...new Set(names.map((name) => plainText(name).trim()).filter((name) => name !== ''))];
}
