import { sentencesOf, wordsOf } from '../writing/plain.ts';
import { formsOf, nameAtTheBeginning } from './begins-with-name.ts';
import { figuresInWords, quantitiesOf } from './written-numbers.ts';

export type Lack = 'figure' | 'name' | 'claim';

export interface UnsupportedSentence {
  readonly section: string;
  readonly sentence: string;
  readonly because: Lack[];
}

/** Most sentences that a report lists. */
const MAX_UNSUPPORTED = 100;
const MAX_SENTENCE = 500;
/** Most sentences that are looked at: many times those of the longest post. */
const MAX_LOOKED_AT = 5_000;

/** Share of the words of a claim that one sentence of the sources has to have. */
const SAID = 0.7;

/** A number as it is written, with what belongs to it: 40, 1,200.5, 3%, 2024. */
const FIGURES = /\p{N}+(?:[.,:]\p{N}+)*/gu;
const LOWER_CASE = /(?<![\p{L}\p{N}])\p{Ll}[\p{L}\p{N}-]*/gu;
/** Words that begin with a capital and are not the first of the sentence, and what has capitals inside. */
const NAMES = /(?<=[\p{L}\p{N},;:)”’"'-]\s)\p{Lu}[\p{L}\p{N}’'-]*(?:\s+\p{Lu}[\p{L}\p{N}’'-]*)*/gu;
/** Words by which a sentence claims what somebody would have to have found out. */
const CLAIMS =
  /(?<!\p{L})(?:stud(?:y|ies)|research(?:ers)?|scientists?|experts?|survey|statistics|according to|proven|proves?|shows? that|is known to|evidence|report(?:s|ed)?|guarantee[sd]?|always|never|the (?:best|first|only|largest|most)|studien?|forsch(?:er|ung)|experten|laut|bewiesen|nachweislich|garantiert|immer|niemals|études?|selon|prouvé|estudios?|según)(?!\p{L})/iu;
/** Languages that write nouns with a capital: there, names cannot be told from words. */
const CAPITAL_NOUNS = /^(?:de|lb)\b/i;
/** The capital of a word that is not the first of its sentence. */
const CAPITAL_WITHIN = /(?<=[\p{L}\p{N},;]\s)\p{Lu}/gu;
/** Share of words with a capital within sentences from which on a text of unknown language counts as one of those. */
const CAPITAL_SHARE = 1 / 8;

/**
 * The sentences of a text with figures, names or claims that no source has. A hint for reviewers, and no proof of
 * anything: it compares words. A figure is supported where a source has it, a name where a source has all its words, a
 * claim where a source has most of the sentence's words together.
 */
export function findUnsupported(
  texts: readonly { readonly section: string; readonly text: string }[],
  /** What may support it: the sources, what the owner wrote, and the project's own posts. */
  support: readonly string[],
  /** Null where it is unknown. */
  language: string | null,
  /** Titles and headings of the text itself: their words support names, and no figure or claim. */
  headings: readonly string[] = [],
): UnsupportedSentence[] {
  const words = support.flatMap((text) => wordsOf(text));
  const supported = new Set(words);
  const capitals = () => support.reduce((sum, text) => sum + (text.match(CAPITAL_WITHIN) ?? []).length, 0);
  const hasCapitalNouns = language === null ? capitals() > CAPITAL_SHARE * words.length : CAPITAL_NOUNS.test(language);
  const known = new Set([...supported, ...headings.flatMap((heading) => wordsOf(heading))]);
  // A name is never written in lower case.
  const ordinary = new Set(texts.flatMap(({ text }) => text.match(LOWER_CASE) ?? []));
  const figures = new Set([...support.flatMap((text) => text.match(FIGURES) ?? []), ...figuresInWords(supported)]);
  const quantities = new Set(support.flatMap((text) => quantitiesOf(text)).map(({ text }) => text));
  const sentences = support.flatMap((text) => sentencesOf(text));
  const sentencesWith = new Map<string, number[]>();
  for (const [number, sentence] of sentences.entries()) {
    for (const word of new Set(wordsOf(sentence))) {
      const others = sentencesWith.get(word);
      if (others === undefined) sentencesWith.set(word, [number]);
      else others.push(number);
    }
  }
  const found: UnsupportedSentence[] = [];
  let lookedAt = 0;
  for (const { section, text } of texts) {
    for (const sentence of sentencesOf(text)) {
      const because = lacksOf(sentence);
      if (because.length > 0)
        found.push({ section, sentence: sentence.slice(0, MAX_SENTENCE).toWellFormed(), because });
      lookedAt += 1;
      if (found.length === MAX_UNSUPPORTED || lookedAt === MAX_LOOKED_AT) return found;
    }
  }
  return found;

  function lacksOf(sentence: string): Lack[] {
    const names = hasCapitalNouns ? [] : (sentence.replace(/\s+/g, ' ').match(NAMES) ?? []);
    const first = language === null ? null : nameAtTheBeginning(sentence, language);
    const hasName =
      names.some((name) => !wordsOf(name).every(isKnownName)) ||
      (first !== null && !formsOf(first).some((form) => isKnownName(form) || ordinary.has(form)));
    const hasFigure =
      (sentence.match(FIGURES) ?? []).some((figure) => !figures.has(figure)) ||
      quantitiesOf(sentence).some(
        ({ text, figure }) => !quantities.has(text) && (figure === null || !figures.has(figure)),
      );
    return [
      ...(hasFigure ? (['figure'] as const) : []),
      ...(hasName ? (['name'] as const) : []),
      ...(CLAIMS.test(sentence) && !isSaid(sentence) ? (['claim'] as const) : []),
    ];
  }

  function isKnownName(word: string): boolean {
    return known.has(word) || known.has(word.replace(/['’]s$/u, ''));
  }

  /** Whether a sentence of the sources has most of the words. Looks at those alone that have any of them. */
  function isSaid(sentence: string): boolean {
    const words = [...new Set(wordsOf(sentence))];
    const shared = new Uint32Array(sentences.length);
    for (const word of words) {
      for (const number of sentencesWith.get(word) ?? []) shared[number]! += 1;
    }
    return shared.some((count) => count > 0 && count >= SAID * words.length);
  }
}
