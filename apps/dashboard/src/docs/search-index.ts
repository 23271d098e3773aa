import MiniSearch from 'minisearch';
import entries from 'virtual:search';

type SearchEntry = (typeof entries)[number];

const MAX_RESULTS = 12;

/** Characters of a section that a result shows, before and after the first word that was found. */
const BEFORE = 40;
const AFTER = 120;

/** Specifications and lists, which repeat what guides explain. */
const SPECIFICATION = /^\/docs\/(?:contract|limits|configuration)\b/;

export interface SearchResult extends SearchEntry {
  /** The part of the text around the first word that was found. */
  readonly excerpt: string;
  /** Matches, as its group, each of the words that were found. */
  readonly found: RegExp;
}

const index = new MiniSearch<SearchEntry>({
  fields: ['title', 'page', 'text'],
  searchOptions: {
    boost: { title: 4, page: 2 },
    // A short word is the beginning of too many others, unless it is still being typed.
    prefix: (word, position, words) => word.length > 2 || position === words.length - 1,
    fuzzy: 0.15,
    combineWith: 'AND',
    boostDocument: (id) => (SPECIFICATION.test(entries[id as number]?.href ?? '') ? 0.4 : 1),
  },
});
index.addAll(entries);

/** Sections of documents and operations of the API, the best first. */
export const search = (query: string): SearchResult[] =>
  index
    .search(query)
    .slice(0, MAX_RESULTS)
    .flatMap(({ id, terms }) => {
      const entry = entries[id as number];
      const found = anyOf(terms);
      return entry ? [{ ...entry, found, excerpt: excerptOf(entry.text, found) }] : [];
    });

/** Matches words that begin with one of these. */
function anyOf(words: readonly string[]): RegExp {
  const escaped = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join('|')})`, 'iu');
}

function excerptOf(text: string, found: RegExp): string {
  const from = Math.max(0, text.search(found) - BEFORE);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const rest = text.slice(start);
  const part = rest.slice(0, BEFORE + AFTER);
  const ending = part === rest ? part : `${part.slice(0, part.lastIndexOf(' ')).replace(/[,;:.]$/, '')}…`;
  return `${start > 0 ? '…' : ''}${ending}`;
}
