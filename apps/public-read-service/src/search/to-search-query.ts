import { wordsOf } from './search-words.ts';

/** Fewer letters would match too much: the last word counts as a beginning from here on. */
const MIN_BEGINNING = 3;

/**
 * Turns what somebody typed into a search box into a `tsquery` of PostgreSQL over {@link wordsOf}: all words have to be
 * there, in any order. `-word` must not be there, `or` separates alternatives, and quotes keep words as they are. The
 * last word, unless quoted, also matches words that begin with it. Null when there is no word in it, which finds
 * nothing.
 *
 * The result holds nothing but words of letters, digits and marks in single quotes, and operators: it is always valid.
 */
export function toSearchQuery(typed: string): string | null {
  const alternatives: Set<string>[] = [new Set()];
  const parts = [...typed.matchAll(/(-?)(?:"([^"]*)(?:"|$)|([^\s"]+))/g)];
  for (const [at, [, minus, quoted, bare = '']] of parts.entries()) {
    if (bare.toLowerCase() === 'or' && minus === '') {
      alternatives.push(new Set());
      continue;
    }
    const words = wordsOf(quoted ?? bare);
    const isBeginning = at === parts.length - 1 && quoted === undefined && minus === '';
    const terms = words.map((word, index) => {
      const isLast = index === words.length - 1 && word.length >= MIN_BEGINNING;
      return `'${word}'${isBeginning && isLast ? ':*' : ''}`;
    });
    if (terms.length === 0) continue;
    for (const term of minus === '' ? terms : [`!(${terms.join(' & ')})`]) alternatives.at(-1)?.add(term);
  }
  const query = alternatives.filter((terms) => terms.size > 0).map((terms) => `(${[...terms].join(' & ')})`);
  return query.length === 0 ? null : [...new Set(query)].join(' | ');
}
