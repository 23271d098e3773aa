import type { BrandVoice, BrandVoiceRequest } from '../../../generated/types.gen.ts';
import { linesOf } from '../../../parts/forms/lines-of.ts';

export type GlossaryEntry = BrandVoice['glossary'][number];
export type BrandSource = BrandVoice['sources'][number];

/** What the form has, as typed. */
interface VoiceFields {
  readonly voice: string;
  readonly audience: string;
  /** One per line, and so are the words. */
  readonly facts: string;
  readonly words_to_use: string;
  readonly words_to_avoid: string;
  readonly glossary: readonly GlossaryEntry[];
  readonly sources: readonly BrandSource[];
}

export const fieldsOf = ({ voice, audience, facts, glossary, sources, ...words }: BrandVoice): VoiceFields => ({
  voice,
  audience,
  facts: facts.join('\n'),
  words_to_use: words.words_to_use.join('\n'),
  words_to_avoid: words.words_to_avoid.join('\n'),
  glossary,
  sources,
});

/** What saves them, without rows that are empty. */
export const requestOf = ({ facts, words_to_use, words_to_avoid, glossary, sources, ...texts }: VoiceFields) =>
  ({
    ...texts,
    facts: linesOf(facts),
    words_to_use: linesOf(words_to_use),
    words_to_avoid: linesOf(words_to_avoid),
    glossary: glossary.filter(({ term, meaning }) => hasText(term, meaning)),
    sources: sources.filter(({ title, text }) => hasText(title, text)),
  }) satisfies BrandVoiceRequest;

export const isEmpty = ({ voice, audience, facts, words_to_use, words_to_avoid, glossary, sources }: BrandVoice) =>
  [voice, audience, facts, words_to_use, words_to_avoid, glossary, sources].every(({ length }) => length === 0);

const hasText = (...texts: readonly string[]) => texts.some((text) => text.trim() !== '');
