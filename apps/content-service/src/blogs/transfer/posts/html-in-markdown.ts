import { Parser } from 'htmlparser2';

/** Elements that begin a block of HTML in CommonMark and in kramdown alike, and end it nowhere but at an empty line. */
const BLOCKS = new Set('blockquote details div dl figure h2 h3 h4 hr ol p pre table ul'.split(' '));
const OPENING = '<div class="html-post">\n';
const CLOSING = '\n</div>';

/**
 * HTML as the body of a Markdown file that every reader of Markdown takes for HTML as it is. It has no empty line,
 * which would end the block, and nothing but block elements at its top level, where other things would be read as
 * Markdown: else all of it is in one `div`. Tags of template languages and shortcodes become text.
 *
 * @param html well-formed: as it was cleaned.
 */
export function htmlInMarkdown(html: string): string {
  const text = html.replace(/\r\n?/g, '\n').trim();
  const blocks = topLevelBlocks(text);
  const body = blocks === null ? `${OPENING}${text}${CLOSING}` : blocks.join('\n');
  return withoutTemplateTags(withoutEmptyLines(body));
}

/** The HTML that {@link htmlInMarkdown} was given, with other white space between blocks. */
export function htmlOfMarkdown(body: string): string {
  const html = body.trim();
  const isWrapped = html.startsWith(OPENING) && html.endsWith(CLOSING);
  return isWrapped ? html.slice(OPENING.length, -CLOSING.length) : html;
}

/** The first brace of what begins a tag of Liquid, Nunjucks, Go templates or Hugo, as a character reference. */
const withoutTemplateTags = (html: string): string => html.replace(/\{(?=[{%#])/g, '&#123;');

/**
 * The same HTML without a line that is empty: its break is a character reference, which `pre` shows as a break, too.
 */
export const withoutEmptyLines = (html: string): string => html.replace(/\n(?=[ \t]*\n)/g, '&#10;');

/** The elements at the top level, one after the other; null when there is anything else. */
function topLevelBlocks(html: string): string[] | null {
  const blocks: string[] = [];
  let depth = 0;
  let start = 0;
  let isOther = false;
  const parser = new Parser({
    onopentag(name) {
      if (depth === 0) {
        isOther ||= !BLOCKS.has(name);
        start = parser.startIndex;
      }
      depth += 1;
    },
    onclosetag() {
      depth -= 1;
      if (depth === 0) blocks.push(html.slice(start, parser.endIndex + 1));
    },
    ontext(text) {
      if (depth === 0 && text.trim() !== '') isOther = true;
    },
    oncomment() {
      if (depth === 0) isOther = true;
    },
  });
  parser.end(html);
  return isOther || blocks.length === 0 ? null : blocks;
}
