import { escapeHtml } from './escape-html.ts';
import { removeOpeners, removeOpenersAcrossTags } from './remove-openers.ts';
import { removePlaceholders } from './remove-placeholders.ts';
import type { Segment } from './segment.ts';

/** A published post that placeholders may lead to. */
export interface LinkTarget {
  /** Plain text, not HTML. */
  readonly title: string;
  /** The slug that the post is published under, when it is not the one that the placeholder names. */
  readonly slug?: string;
}

/** What the placeholders of one post resolve against. */
export interface ProjectLinks {
  /** Address of the project's website; trailing slashes do not matter. Null: links are root-relative. */
  readonly siteUrl: string | null;
  /** The published posts that the content's placeholders lead to, by the slug that they name. */
  readonly targets: Pick<ReadonlyMap<string, LinkTarget>, 'get'>;
  /** Slug of the post that the content belongs to. A post never links to itself. */
  readonly self: string;
}

/**
 * Most characters that addresses and titles may add to one post. A placeholder of a few characters may become
 * thousands, and tens of thousands of placeholders fit into a post: without a bound, one would keep a service busy for
 * minutes.
 */
export const MAX_LINK_CHARACTERS = 262_144;

/**
 * Turns compiled content into the HTML that readers and receivers get (contract §2.4.3).
 *
 * A placeholder of a published post becomes a link to `<siteUrl>/blog/<slug>/`; of any other one the anchor text stays,
 * as it does for those that come after links have added {@link MAX_LINK_CHARACTERS}. With any segments, site address
 * and titles, the result has no `[INTERNAL:` in any spelling: what the pieces make together is known only here, so
 * {@link removeOpeners} reads the whole result once, and {@link removeOpenersAcrossTags} does for those who strip the
 * tags. They jump from one `[`, `%` or `&` to the next, which makes these passes cheap for ordinary content.
 *
 * Time is linear in the length of the result.
 */
export function resolveLinks(segments: readonly Segment[], links: ProjectLinks): string {
  const base = linkBase(links.siteUrl);
  const titles = new Map<string, string>();
  const pieces: string[] = [];
  /** Whether each placeholder link that is open right now was written. */
  const open: boolean[] = [];
  let written = 0;
  let room = MAX_LINK_CHARACTERS;
  const takes = (characters: number): boolean => {
    room -= characters;
    return room >= 0;
  };

  for (const segment of segments) {
    if (typeof segment === 'string') {
      pieces.push(segment);
    } else if ('open' in segment) {
      const target = findTarget(segment.open, links);
      const slug = target?.slug ?? segment.open;
      const resolved = target !== undefined && takes(base.length + slug.length);
      open.push(resolved);
      if (!resolved) continue;
      written += 1;
      pieces.push(segment.before, base, slug, '/', segment.after);
    } else if ('close' in segment) {
      if (open.pop() !== true) continue;
      written -= 1;
      pieces.push(segment.close);
    } else {
      const target = findTarget(segment.bare, links);
      if (target === undefined) continue;
      let title = titles.get(segment.bare);
      if (title === undefined) {
        title = removePlaceholders(escapeHtml(target.title));
        titles.set(segment.bare, title);
      }
      const isInsideLink = segment.nested === true || written > 0;
      const link = isInsideLink ? title : `<a href="${base}${target.slug ?? segment.bare}/">${title}</a>`;
      if (takes(link.length)) pieces.push(link);
    }
  }
  return removeOpenersAcrossTags(removeOpeners(pieces.join('')));
}

/**
 * About how many characters {@link resolveLinks} adds to what the segments hold: known before that is done, so that
 * much is not made where little is expected.
 */
export function linkCharacters(segments: readonly Segment[], links: ProjectLinks): number {
  const base = linkBase(links.siteUrl).length;
  let characters = 0;
  for (const segment of segments) {
    if (typeof segment === 'string' || 'close' in segment) continue;
    const slug = 'open' in segment ? segment.open : segment.bare;
    const target = findTarget(slug, links);
    if (target !== undefined)
      characters += base + (target.slug ?? slug).length + ('bare' in segment ? target.title.length : 0);
    if (characters >= MAX_LINK_CHARACTERS) return MAX_LINK_CHARACTERS;
  }
  return characters;
}

function findTarget(slug: string, links: ProjectLinks): LinkTarget | undefined {
  const target = links.targets.get(slug);
  return (target?.slug ?? slug) === links.self.toLowerCase() ? undefined : target;
}

/** What links to a project's posts begin with, as HTML; the slug and a slash follow (contract §2.4.3). */
export function linkBase(siteUrl: string | null): string {
  return `${escapeHtml(withoutTrailingSlashes(siteUrl ?? ''))}/blog/`;
}

/**
 * Without the slashes at its end. Not a regular expression: `/+$` takes quadratic time on slashes that are not at the
 * end.
 */
export function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (end > 0 && url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
