import { Parser } from 'htmlparser2';

/** Most elements of a post: a table of 17 columns and a thousand rows has 18,000. */
export const MAX_ELEMENTS = 25_000;
/** Most levels of nested elements; no author has more than some thirty. */
const MAX_DEPTH = 200;
/** Characters parsed between two checks of the limits. */
const CHUNK_LENGTH = 4_096;

/** What of the HTML is beyond the limits, as a clause; null when nothing is. Reads no further than it has to. */
export function excessOf(html: string): string | null {
  let elements = 0;
  let depth = 0;
  let deepest = 0;
  const parser = new Parser({
    onopentagname() {
      elements += 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
    },
    onclosetag() {
      depth -= 1;
    },
  });
  for (let at = 0; at < html.length; at += CHUNK_LENGTH) {
    parser.write(html.slice(at, at + CHUNK_LENGTH));
    if (elements > MAX_ELEMENTS) return `has more than ${MAX_ELEMENTS} elements`;
    if (deepest > MAX_DEPTH) return `has elements nested more than ${MAX_DEPTH} levels deep`;
  }
  return null;
}
