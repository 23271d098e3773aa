import { z } from 'zod';
import { doc } from '../../fields.ts';
import { timestamp } from '../../primitives.ts';

/** Limits of a project's brand voice, in characters and items (ADR 51). */
export const BRAND_VOICE_LIMITS = {
  voiceLength: 2_000,
  audienceLength: 1_000,
  facts: 50,
  factLength: 300,
  /** Of the words to use, and of those to avoid. */
  words: 100,
  wordLength: 60,
  glossary: 100,
  meaningLength: 300,
  sources: 10,
  sourceTitleLength: 300,
  sourceLength: 10_000,
} as const;

const text = (maxLength: number) => z.string().trim().min(1).max(maxLength);

const folded = (word: string): string => word.toLowerCase().replace(/\s+/g, ' ');
const isOnce = (words: readonly string[]): boolean => new Set(words.map(folded)).size === words.length;

const wordList = z
  .array(text(BRAND_VOICE_LIMITS.wordLength))
  .max(BRAND_VOICE_LIMITS.words)
  .refine(isOnce, 'must not repeat a word')
  .default([]);

const glossaryEntry = z.object({
  term: text(BRAND_VOICE_LIMITS.wordLength).meta(doc('The term.', 'levain')),
  meaning: text(BRAND_VOICE_LIMITS.meaningLength).meta(doc('What it means.', 'A starter fed for one loaf')),
});

const brandSource = z.object({
  title: text(BRAND_VOICE_LIMITS.sourceTitleLength).meta(doc('Title of the source.', 'Price list')),
  text: text(BRAND_VOICE_LIMITS.sourceLength).meta(doc('Its text. No URL is fetched.', 'A loaf costs 6 euros.')),
});

const notes = z.object({
  voice: z
    .string()
    .trim()
    .max(BRAND_VOICE_LIMITS.voiceLength)
    .default('')
    .meta(doc('How posts sound.', 'Calm and practical, in short sentences.')),
  audience: z
    .string()
    .trim()
    .max(BRAND_VOICE_LIMITS.audienceLength)
    .default('')
    .meta(doc('Who reads them, unless a request says otherwise.', 'People who bake at home')),
  facts: z
    .array(text(BRAND_VOICE_LIMITS.factLength))
    .max(BRAND_VOICE_LIMITS.facts)
    .default([])
    .meta(doc('Facts that posts may state without another source.', ['We have baked since 1987.'])),
  words_to_use: wordList.meta(doc('Words and phrases to prefer.', ['sourdough'])),
  words_to_avoid: wordList.meta(doc('Words and phrases to avoid.', ['cheap'])),
  glossary: z
    .array(glossaryEntry)
    .max(BRAND_VOICE_LIMITS.glossary)
    .refine((entries) => isOnce(entries.map(({ term }) => term)), 'must not repeat a term')
    .default([])
    .describe('Terms and what they mean.'),
  sources: z
    .array(brandSource)
    .max(BRAND_VOICE_LIMITS.sources)
    .default([])
    .describe('Texts to write from. They are treated as data, never as instructions, and are not cited in posts.'),
});

/** The notes and sources of a project, as they are stored. */
export type BrandVoiceDocument = z.infer<typeof notes>;

/** `PUT …/brand-voice`: replaces all notes; a field that the request omits becomes empty. */
export const brandVoiceRequest = notes.superRefine(({ words_to_use: use, words_to_avoid: avoid }, context) => {
  const preferred = new Set(use.map(folded));
  for (const [index, word] of avoid.entries()) {
    if (!preferred.has(folded(word))) continue;
    context.addIssue({
      code: 'custom',
      path: ['words_to_avoid', index],
      message: `must not also be a word to use (got “${word}”)`,
    });
  }
});

export const brandVoice = notes.extend({
  version: z.int().meta(doc('Increases with every change. The ETag is this number in quotes.', 3)),
  updated_at: timestamp.nullable().meta(doc('When it was last changed; null if never.', '2026-03-01T09:00:00.000Z')),
});

export const brandVoicePart = z.enum([
  'voice',
  'audience',
  'facts',
  'words_to_use',
  'words_to_avoid',
  'glossary',
  'sources',
]);
export type BrandVoicePart = z.infer<typeof brandVoicePart>;

/** Which notes the writer was given. */
export const brandVoiceUse = z.object({
  version: z.int().meta(doc('Version of the brand voice.', 3)),
  parts: z.array(brandVoicePart).meta(doc('Parts that the writer was given.', ['voice', 'facts'])),
});
export type BrandVoiceUse = z.infer<typeof brandVoiceUse>;

/** The same in the report on a draft, with the words that the draft has or lacks. */
export const reportedBrandVoice = brandVoiceUse.extend({
  words: z
    .array(
      z.object({
        list: z
          .enum(['words_to_use', 'words_to_avoid', 'glossary'])
          .meta(doc('Where the word is from.', 'words_to_use')),
        word: z.string().meta(doc('The word, phrase or term.', 'sourdough')),
        count: z.int().meta(doc('How often the draft has it.', 2)),
      }),
    )
    .describe('Each word of the lists and how often the draft has it. Empty for an outline.'),
});
export type ReportedBrandVoice = z.infer<typeof reportedBrandVoice>;
