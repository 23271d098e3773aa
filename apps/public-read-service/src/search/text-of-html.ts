import { tokenizeHtml } from '@blog-content/link-resolver';
import { decodeHTML } from 'entities';

/**
 * Elements that a browser sets inside a line: their tags do not end a word. All others do, `br` and unknown ones
 * included, because joining two words is the worse mistake for a reader.
 */
const inlineElements = new Set(
  `a abbr acronym audio b bdi bdo big canvas cite code data del dfn em embed font i iframe img ins kbd label map area
   mark meter noscript object output picture progress q rp rt ruby s samp slot small source span strike strong sub sup
   svg template time track tt u var video wbr`.split(/\s+/),
);

/** Their contents are no text of the page. */
const hiddenElements = new Set(['iframe', 'noembed', 'noframes', 'script', 'style']);

/** The text of an HTML fragment: white space separates words where a block element does. */
export function textOf(html: string): string {
  let text = '';
  let isShown = true;
  for (const token of tokenizeHtml(html)) {
    if (token.kind === 'tag') {
      if (!inlineElements.has(token.name)) text += ' ';
      isShown = token.closing || !hiddenElements.has(token.name);
    } else if (token.kind === 'text' || (token.kind === 'raw' && isShown)) {
      text += decodeHTML(html.slice(token.start, token.end));
    }
  }
  return text;
}
