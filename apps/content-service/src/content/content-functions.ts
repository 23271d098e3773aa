import { cleanHtml } from './clean-html.ts';
import { diffContent as diff } from './diff-content.ts';
import { excessOf } from './html-limits.ts';
import { linkSlugsIn } from './link-slugs.ts';
import { markdownToHtml } from './markdown.ts';

export { suggestLinks } from '../link-suggestions/suggest-links.ts';
export { lookupWordsOf } from '../link-suggestions/words.ts';
export { publishedContent } from './published-content.ts';
export { readPage } from './read-page.ts';

// What takes long by what an author has written. Each function is pure, and can be run in a thread by its name. A
// thread loads this module when it starts: it imports no more than the work needs.

/** Content as an author gives it, in one of two ways; storable text. */
export type GivenContent =
  | { readonly field: 'content'; readonly html: string }
  | { readonly field: 'content_markdown'; readonly markdown: string };

/** The content as it is kept, or why it is refused: a clause about the field. */
export type CleanedContent =
  | { readonly html: string; readonly linkSlugs: readonly string[] }
  | { readonly refused: string };

/** Cleans content that is within the limits of elements and nesting. */
export function cleanContent(given: GivenContent): CleanedContent {
  const written = given.field === 'content' ? given : markdownToHtml(given.markdown);
  if ('refused' in written) return written;
  const excess = excessOf(written.html);
  if (excess !== null) return { refused: excess };
  const html = cleanHtml(written.html);
  return { html, linkSlugs: linkSlugsIn(html, given.field === 'content' ? null : given.markdown) };
}

/** Compares two contents. */
export function diffContent({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}): ReturnType<typeof diff> {
  return diff(before, after);
}
