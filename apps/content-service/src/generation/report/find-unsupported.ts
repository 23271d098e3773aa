import { sentencesOf, wordsOf } from '../writing/plain.ts';

export type Lack = 'figure' | 'name' | 'claim';

export interface UnsupportedSentence {
  readonly section: string;
  readonly sentence: string;
  readonly because: Lack[];
}

/** Most sentences that a report lists. */
const MAX_UNSUPPORTED = 100;
const MAX_SENTENCE = 500;

/** A number as it is written, with what belongs to it: 40, 1,200.5, 3%, 2024. */
const FIGURES = /\p{N}+(?:[.,:]\p{N}+)*/gu;
/** Words that begin with a capital and are not the first of the sentence, and what has capitals inside. */
const NAMES = /(?<=[\p{L}\p{N},;:)”’"'-]\s+)\p{Lu}[\p{L}\p{N}’'-]*(?:\s+\p{Lu}[\p{L}\p{N}’'-]*)*/gu;
/** Words by which a sentence claims what somebody would have to have found out. */
const CLAIMS =
  /\b(?:stud(?:y|ies)|research(?:ers)?|scientists?|experts?|survey|statistics|according to|proven|proves?|shows? that|is known to|evidence|report(?:s|ed)?|guarantee[sd]?|always|never|the (?:best|first|only|largest|most)|studien?|forsch(?:er|ung)|experten|laut|bewiesen|nachweislich|garantiert|immer|niemals|études?|selon|prouvé|estudios?|según)\b/iu;
/** Languages that write nouns with a capital: there, names cannot be told from words. */
const CAPITAL_NOUNS = /^(?:de|lb)\b/i;

/**
 * The sentences of a text with figures, names or claims that no source has. A hint for reviewers, and no proof of
 * anything: it compares words. A figure is supported where a source has it, a name where a source has all its words, a
 * claim where a source has most of the sentence's words together.
 */
export function findUnsupported(
  texts: readonly { readonly section: string; readonly text: string }[],
  /** What may support it: the sources, what the owner wrote, and the project's own posts. */
  support: readonly string[],
  language: string,
): UnsupportedSentence[] {
  const known = new Set(support.flatMap((text) => wordsOf(text)));
  const figures = new Set(support.flatMap((text) => text.match(FIGURES) ?? []));
  const sentences = support.flatMap((text) => sentencesOf(text)).map((sentence) => new Set(wordsOf(sentence)));
  const found: UnsupportedSentence[] = [];
  for (const { section, text } of texts) {
    for (const sentence of sentencesOf(text)) {
      const because = lacksOf(sentence);
      if (because.length > 0)
        found.push({ section, sentence: sentence.slice(0, MAX_SENTENCE).toWellFormed(), because });
      if (found.length === MAX_UNSUPPORTED) return found;
    }
  }
  return found;

  function lacksOf(sentence: string): Lack[] {
    const names = CAPITAL_NOUNS.test(language) ? [] : (sentence.match(NAMES) ?? []);
    return [
      ...((sentence.match(FIGURES) ?? []).some((figure) => !figures.has(figure)) ? (['figure'] as const) : []),
      ...(names.some((name) => !wordsOf(name).every((word) => known.has(word))) ? (['name'] as const) : []),
      ...(CLAIMS.test(sentence) && !isSaid(sentence) ? (['claim'] as const) : []),
    ];
  }

  /** Whether a sentence of the sources has most of the words. */
  function isSaid(sentence: string): boolean {
    const words = [...new Set(wordsOf(sentence))];
    return sentences.some((said) => words.filter((word) => said.has(word)).length >= 0.7 * words.length);
  }
}
