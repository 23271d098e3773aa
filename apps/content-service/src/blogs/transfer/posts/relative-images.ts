import { replaceOutsideCode, withoutCodeSpans } from './rewrite-links.ts';

/** Most images that a note names. */
const MAX_NAMED = 10;
const MAY_SHOW = /!\[|<img|\]:/i;
const MARKDOWN_IMAGE = /!\[[^[\]\r\n]{0,999}\]\([ \t]*(?:<([^<>\r\n]*)>|([^\s()<>]+))/g;
/** What an image may name: a link's definition is one of an image by its path. */
const DEFINITION =
  /^[ \t>*+-]{0,20}\[(?!\^)[^[\]\r\n]{1,999}\]:[ \t]*(?:<([^<>\r\n]*)>|([^\s<>]+))(?<=\.(?:png|jpe?g|gif|webp|avif|svg)>?)(?=\s|$)/gim;
const TAG = /<img\b[^<>]*?\ssrc[ \t]*=[ \t]*(?:"([^"<>]*)"|'([^'<>]*)')/gi;
/** It has a scheme or a host, or is a placeholder. */
const IS_WHOLE = /^(?:[a-z][a-z\d+.-]*:|\/\/|\[|%5b|&#)/i;

/** A sentence on the images that a post shows by a path: they are files of a site, which come with no import. */
export function noteOnRelativeImages(text: string, format: 'markdown' | 'html'): string[] {
  const paths = new Set<string>();
  const patterns = format === 'markdown' ? [MARKDOWN_IMAGE, DEFINITION, TAG] : [TAG];
  const look = (passage: string): string => {
    const readable = format === 'markdown' ? withoutCodeSpans(passage) : passage;
    for (const [, quoted, plain] of patterns.flatMap((pattern) => [...readable.matchAll(pattern)])) {
      const path = (quoted ?? plain ?? '').trim();
      if (path !== '' && !IS_WHOLE.test(path)) paths.add(path.slice(0, 200).toWellFormed());
    }
    return passage;
  };
  if (format === 'markdown') replaceOutsideCode(text, MAY_SHOW, look);
  else if (MAY_SHOW.test(text)) look(text);
  if (paths.size === 0) return [];
  const more = paths.size > MAX_NAMED ? ` and ${paths.size - MAX_NAMED} more` : '';
  const named = [...paths].slice(0, MAX_NAMED).join(', ');
  return [`Images stay paths on your site, and are not copied: ${named}${more}.`];
}
