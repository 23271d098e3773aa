import { Parser } from 'htmlparser2';

/**
 * Elements that a browser sets inside a line: their tags do not end a word. All others do, `br` and unknown ones
 * included, because joining two words is the worse mistake for a reader.
 */
const inlineElements = new Set(
  `a abbr acronym audio b bdi bdo big canvas cite code data del dfn em embed font i iframe img ins kbd label map area
   mark meter noscript object output picture progress q rp rt ruby s samp slot small source span strike strong sub sup
   svg template time track tt u var video wbr`.split(/\s+/),
);

const uncountedElements = new Set(['script', 'style']);

/** The text of an HTML fragment: white space stands where a block element separates words. */
export function textOf(html: string): string {
  let text = '';
  let uncountedDepth = 0;
  const separate = (element: string): void => {
    if (!inlineElements.has(element)) text += ' ';
  };
  const parser = new Parser(
    {
      onopentagname(element) {
        separate(element);
        if (uncountedElements.has(element)) uncountedDepth += 1;
      },
      onclosetag(element) {
        separate(element);
        if (uncountedElements.has(element)) uncountedDepth -= 1;
      },
      ontext(data) {
        if (uncountedDepth === 0) text += data;
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return text;
}
