import type { GenerationReport } from '@blog-content/payload-schemas';
import type { LinkPlacement } from '../writing/place-links.ts';
import { sentencesOf, wordsOf } from '../writing/plain.ts';
import { countWords } from '../../brand-voice/count-words.ts';
import { supportOf, type NotesInUse } from '../../brand-voice/notes.ts';
import { textsOf, usedSources } from '../writing/render-post.ts';
import type { Brief, Meta, Outline, OwnPost, Section, Source } from '../writing/writer.ts';
import { findSimilar, type ComparedPost } from './find-similar.ts';
import { findUnsupported, type UnsupportedSentence } from './find-unsupported.ts';

/** A sentence of more words is long. */
const LONG_SENTENCE_WORDS = 25;
/** Most things that a report says were cut. */
const MAX_CUT = 50;

/** A source that was given, whether or not it could be read. */
export interface GivenSource extends Omit<Source, 'text'> {
  /** Null when it could not be read. */
  readonly text: string | null;
  /** Why not. */
  readonly problem: string | null;
  /** Whether it is one of the project's own, which every post may go by. */
  readonly isKnowledge?: boolean;
}

export interface ReportedDraft {
  readonly brief: Brief;
  readonly outline: Outline;
  readonly sections: readonly Section[];
  readonly sources: readonly GivenSource[];
  readonly links: readonly LinkPlacement[];
  readonly meta: Meta;
  /** What the writer had of the project's notes; null for nothing. */
  readonly brandVoice: NotesInUse | null;
  readonly cut: readonly string[];
  /** Published posts that the writer was shown. */
  readonly ownPosts: readonly OwnPost[];
  /** Posts of the project, in any state. */
  readonly known: readonly ComparedPost[];
  /** Whether no text was written: then there is nothing to judge but what was taken from the sources. */
  readonly isOutline: boolean;
}

/** Texts, and what may support what they say. */
export interface ComparedTexts {
  readonly texts: readonly string[];
  readonly support: readonly string[];
  /** Titles and headings of the texts. */
  readonly headings: readonly string[];
  /** As in RFC 5646; null where it is unknown. */
  readonly language: string | null;
}

/** What {@link findUnsupported} finds in texts that belong to no section, as a thread is asked for it. */
export function compareTexts({ texts, support, headings, language }: ComparedTexts): UnsupportedSentence[] {
  const asOne = texts.map((text) => ({ section: '', text }));
  return findUnsupported(asOne, support, language, headings);
}

/** What a reviewer should know of a draft. */
export function writeReport(draft: ReportedDraft): GenerationReport {
  const { brief, outline, sections, sources, links, meta, brandVoice, cut, ownPosts, known, isOutline } = draft;
  const { keyword } = meta;
  const headingOf = (index: number) => outline.sections[index]?.heading ?? '';
  const texts = sections.flatMap((section, index) =>
    section.blocks
      // A quote of a source says who says so.
      .filter(({ kind }) => kind !== 'quote')
      .flatMap((block) => textsOf({ blocks: [block] }).map((text) => ({ section: headingOf(index), text }))),
  );
  const all = sections.flatMap(textsOf);
  const sentences = (isOutline ? [] : all).flatMap(sentencesOf).map((sentence) => wordsOf(sentence).length);
  const words = all.reduce((total, text) => total + wordsOf(text).length, 0);
  const readable = sources.flatMap((source) => (source.text === null ? [] : [{ ...source, text: source.text }]));
  const support = [
    ...readable.flatMap(({ text, title }) => [text, title]),
    ...[brief.topic, brief.keyword, brief.audience, brief.instructions, ...(brief.outline ?? [])],
    ...ownPosts.flatMap(({ title, excerpt }) => [title, excerpt]),
    ...supportOf(brandVoice?.notes ?? null),
  ].filter((text) => text !== undefined);
  return {
    sources: sources.map((source) => {
      const usedIn = sections.flatMap((section, index) =>
        usedSources(section, readable).some(({ number }) => number === source.number) ? [headingOf(index)] : [],
      );
      const { number, title, url, problem } = source;
      const status = source.text === null ? 'unreadable' : usedIn.length > 0 ? 'used' : 'unused';
      return { number, title, url, status, detail: problem, sections: [...new Set(usedIn)] };
    }),
    links: [...links],
    length: { asked: brief.length, words },
    readability: {
      sentences: sentences.length,
      words_per_sentence: sentences.length === 0 ? 0 : Math.round((10 * words) / sentences.length) / 10,
      long_sentences: sentences.filter((length) => length > LONG_SENTENCE_WORDS).length,
    },
    keyword_use: keywordUse(keyword, outline, all),
    brand_voice: brandVoice && {
      version: brandVoice.version,
      parts: [...brandVoice.parts],
      words: isOutline ? [] : countWords(brandVoice.notes, [...writtenTexts(draft), ...all]),
    },
    cut: [...new Set(cut)].slice(0, MAX_CUT),
    similar: findSimilar({ title: outline.title, topic: brief.topic, keyword }, known).map(({ id, title, slug }) => ({
      blog_id: id,
      title,
      slug,
    })),
    unsupported: isOutline
      ? []
      : findUnsupported(texts, support, brief.language, [
          outline.title,
          ...outline.sections.map(({ heading }) => heading),
        ]),
  };
}

/** What of a draft its sections don't have. */
const writtenTexts = ({ outline: { title, sections }, meta }: ReportedDraft): string[] => [
  title,
  ...sections.map(({ heading }) => heading),
  ...[meta.excerpt, meta.meta_title, meta.meta_description],
];

function keywordUse(keyword: string, outline: Outline, texts: readonly string[]): GenerationReport['keyword_use'] {
  const wanted = ` ${wordsOf(keyword).join(' ')} `;
  const countIn = (text: string) => ` ${wordsOf(text).join('  ')} `.replaceAll('  ', ' ').split(wanted).length - 1;
  const has = (text: string) => wanted.trim() !== '' && countIn(text) > 0;
  return {
    keyword,
    count: wanted.trim() === '' ? 0 : texts.reduce((total, text) => total + countIn(text), 0),
    in_title: has(outline.title),
    in_headings: outline.sections.some(({ heading }) => has(heading)),
    in_first_paragraph: has(texts[0] ?? ''),
  };
}
