import { textOf } from '../search/text-of-html.ts';

/**
 * Counts the words of an HTML fragment (contract §2.2): tags are stripped, block elements separate words and inline
 * elements do not, entities are decoded, scripts, styles and frames do not count. A word is any text between white
 * space. Never throws: any string is some HTML.
 */
export function countWords(html: string): number {
  return textOf(html).match(/\S+/gu)?.length ?? 0;
}
