import type { LinkTarget } from '@blog-content/link-resolver';
import { replaceDestinations, replaceOutsideCode, withoutCodeSpans } from '../posts/destinations.ts';

/** A published post with the slug that it has. */
export interface Target extends LinkTarget {
  readonly slug: string;
  readonly language?: string | null;
  /** It and its translations, by their languages. */
  readonly translations?: ReadonlyMap<string | null, Target> | undefined;
}

/** Published posts by the slugs that lead to them. */
export type Targets = ReadonlyMap<string, Target>;

/** The post that links from another lead to: its translation in the language of that post, unless it is one itself. */
export function leadOf(target: Target, from: { readonly slug: string; readonly language: string | null }): Target {
  const { translations, language } = target;
  if (from.language === null || language === from.language) return target;
  const translation = translations?.get(from.language);
  return translation === undefined || translation.slug === from.slug ? target : translation;
}

/** `[INTERNAL:slug]` as authors write it, and what follows it in a destination. */
const PLACEHOLDER = /^(?:\[|%5B)INTERNAL:([a-z0-9-]+)(?:\]|%5D)([?#][^\s()<>]*)?$/i;
const MAY_HAVE = /internal:/i;
/** A link whose text holds no brackets. */
const LINK = /(?<![!\\])\[([^[\]\n]*)\]\(((?:\[|%5B)INTERNAL:[a-z0-9-]+(?:\]|%5D)[^\s()<>]*)(?:[ \t]+"[^"\n]*")?\)/gi;
const BARE = /(?<![(<\\])\[INTERNAL:([a-z0-9-]+)\]/gi;

/**
 * Markdown with links to posts as paths on the site. A link to a post that is not published leaves its text. Spellings
 * of placeholders that are not known here stay, as do those in code.
 */
export function portableMarkdown(markdown: string, targets: Targets, self: string): string {
  const pathOf = (destination: string): string | null => {
    const [, slug = '', rest = ''] = PLACEHOLDER.exec(destination) ?? [];
    const target = targets.get(slug.toLowerCase());
    return target === undefined || target.slug === self ? null : `/blog/${target.slug}/${rest}`;
  };
  const unlinked = replaceOutsideCode(markdown, MAY_HAVE, (passage) =>
    replaceIn(passage, LINK, ([whole, text = '', destination = '']) => (pathOf(destination) === null ? text : whole)),
  );
  const linked = replaceDestinations(unlinked, 'markdown', MAY_HAVE, ({ text }) => pathOf(text));
  return replaceOutsideCode(linked, MAY_HAVE, (passage) =>
    replaceIn(passage, BARE, ([whole]) => {
      const path = pathOf(whole);
      const slug = PLACEHOLDER.exec(whole)?.[1]?.toLowerCase() ?? '';
      return path === null ? '' : `[${escapeText(targets.get(slug)?.title ?? '')}](${path})`;
    }),
  );
}

/** Replaces what a pattern finds outside of spans of code. */
function replaceIn(passage: string, pattern: RegExp, replacementOf: (found: RegExpExecArray) => string): string {
  let replaced = '';
  let from = 0;
  for (const found of withoutCodeSpans(passage).matchAll(pattern)) {
    replaced += passage.slice(from, found.index) + replacementOf(found);
    from = found.index + found[0].length;
  }
  return replaced + passage.slice(from);
}

const escapeText = (text: string): string => text.replace(/[\\`*_[\]<>&~|]/g, '\\$&').replace(/\s+/g, ' ');
