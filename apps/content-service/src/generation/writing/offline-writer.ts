import { cutAtWord } from '../../content/make-excerpt.ts';
import { sectionsFor } from './outline-shapes.ts';
import { sentencesOf, termsOf } from './plain.ts';
import type { Block, Source, Writer } from './writer.ts';

/** Most sentences that are quoted of one source in one section. */
const MAX_QUOTES = 2;
/** Longest sentence that is quoted, in characters. */
const MAX_QUOTE_LENGTH = 400;
/** Most sentences that are looked at. */
const MAX_SENTENCES = 2_000;
const MAX_OWN_POSTS = 5;

export const OFFLINE = 'offline';

const NOTICE =
  'Outline. Made without an AI model: it has headings, quotes from your sources and related posts, and no text yet.';

const FROM_SOURCES = 'From the sources';
const RELATED = 'Related posts';

const empty = { text: '', items: [], rows: [], sources: [] };
const list = (items: readonly string[]): Block => ({ ...empty, kind: 'list', items: [...items] });

/**
 * Stands in where no model is set up: makes an honest outline of headings, of sentences that the sources have, and of
 * the project's own posts. It makes nothing up, says at the top what it is, and leaves empty what an author has to
 * write: excerpt, meta title and meta description.
 */
export function createOfflineWriter(): Writer {
  return {
    name: OFFLINE,
    notice: NOTICE,

    outline: ({ brief: { topic, outline }, sources, knowledge, ownPosts }) => {
      const sections = outline?.map((heading) => ({ heading, points: [] })) ?? [
        ...sectionsFor(topic).map(({ heading, points }) => ({ heading, points: [...points] })),
        ...(sources.length + knowledge.length > 0 ? [{ heading: FROM_SOURCES, points: [] }] : []),
        ...(ownPosts.length > 0 ? [{ heading: RELATED, points: [] }] : []),
      ];
      return Promise.resolve({ title: capitalized(topic.trim()), sections });
    },

    section({ outline, index, brief, sources, knowledge, ownPosts }) {
      const { heading = '', points = [] } = outline.sections[index] ?? {};
      const wanted = termsOf(`${heading} ${brief.topic} ${brief.keyword ?? ''}`);
      const isGiven = brief.outline !== undefined;
      const isLast = index === outline.sections.length - 1;
      const quoted = isGiven || heading === FROM_SOURCES ? [...sources, ...knowledge] : [];
      const quotes = quoted.flatMap((source) => quotesOf(source, wanted));
      const related = isGiven ? isLast : heading === RELATED;
      const titles = related ? ownPosts.slice(0, MAX_OWN_POSTS).map(({ title }) => title) : [];
      return Promise.resolve({ blocks: [...[points, titles].filter(({ length }) => length > 0).map(list), ...quotes] });
    },

    meta({ brief: { topic, keyword = '' }, categories, tags }) {
      const near = termsOf(`${topic} ${keyword}`);
      const fitting = (labels: readonly string[]) =>
        labels.filter((label) => [...termsOf(label)].some((term) => near.has(term)));
      const unwritten = { excerpt: '', meta_title: '', meta_description: '' };
      return Promise.resolve({ ...unwritten, keyword, categories: fitting(categories), tags: fitting(tags) });
    },
  };
}

const capitalized = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** The sentences of a source that have most of the wanted words, in the order of the source. */
function quotesOf(source: Source, wanted: ReadonlySet<string>): Block[] {
  const ranked = sentencesOf(source.text)
    .slice(0, MAX_SENTENCES)
    .map((sentence, order) => ({
      sentence,
      order,
      shared: [...termsOf(sentence)].filter((term) => wanted.has(term)).length,
    }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || a.order - b.order)
    .slice(0, MAX_QUOTES)
    .sort((a, b) => a.order - b.order);
  return ranked.map(({ sentence }) => ({
    ...empty,
    kind: 'quote',
    text: cutAtWord(sentence, MAX_QUOTE_LENGTH),
    sources: [source.number],
  }));
}
