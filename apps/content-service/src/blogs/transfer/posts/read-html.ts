import { Parser } from 'htmlparser2';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The parts of an HTML document, or of a piece of one, that a post is made from. */
export interface HtmlParts {
  /** What is in `<body>`; without one, what follows the `<head>`; without either, everything. */
  readonly body: Range;
  /** The text of `<title>`; null without one. */
  readonly title: string | null;
  /** The first `<h1>` of the body. */
  readonly heading: (Range & { readonly text: string }) | null;
}

/** Finds the parts of HTML. Offsets are those of the text. */
export function readHtml(html: string): HtmlParts {
  let start = 0;
  let end = html.length;
  let title: string | null = null;
  let heading: (Range & { readonly text: string }) | null = null;
  let openHeading: { start: number; text: string } | null = null;
  let isInHead = false;
  let isInTitle = false;
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === 'body' || name === 'head') start = parser.endIndex + 1;
        if (name === 'head') isInHead = true;
        else if (name === 'title' && title === null) {
          isInTitle = true;
          title = '';
        } else if (name === 'h1' && !isInHead && heading === null)
          openHeading ??= { start: parser.startIndex, text: '' };
      },
      ontext(text) {
        if (isInTitle) title = (title ?? '') + text;
        else if (openHeading) openHeading.text += text;
      },
      onclosetag(name, isImplied) {
        if (name === 'title') isInTitle = false;
        else if (name === 'head') {
          isInHead = false;
          start = isImplied ? parser.startIndex : parser.endIndex + 1;
        } else if (name === 'body' && !isImplied) end = parser.startIndex;
        else if (name === 'h1' && openHeading && !isImplied) {
          heading = { start: openHeading.start, end: parser.endIndex + 1, text: collapsed(openHeading.text) };
          openHeading = null;
        }
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { body: { start, end: Math.max(start, end) }, title: title === null ? null : collapsed(title), heading };
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
