import { cutAtWord } from '../../content/make-excerpt.ts';
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
  'This is an outline, not a post: no language model is set up, so nothing here was written by one. It has headings, ' +
  'what is to be said under them, quotes from the sources that were given, and published posts of this project to ' +
  'link to. Write the text, and delete this note.';

const empty = { text: '', items: [], rows: [], sources: [] };
const paragraph = (text: string): Block => ({ ...empty, kind: 'paragraph', text });
const list = (items: string[]): Block => ({ ...empty, kind: 'list', items });

/**
 * Stands in where no model is set up: makes an honest outline of the topic, of sentences that the sources have, and of
 * the project's own posts. It makes nothing up, and says at the top what it is.
 */
export function createOfflineWriter(): Writer {
  return {
    name: OFFLINE,
    notice: NOTICE,

    outline: ({ brief: { topic, outline, audience }, sources, ownPosts }) => {
      const given = outline?.map((heading) => ({ heading, points: ['what the reader should take away'] }));
      const sections = given ?? [
        { heading: `What ${topic} is about`, points: ['the question that the post answers', 'why it matters'] },
        { heading: 'What to know first', points: ['words that the reader needs', 'what people often get wrong'] },
        { heading: 'Step by step', points: ['the first step', 'the next steps', 'how to tell that it worked'] },
        ...(sources.length > 0 ? [{ heading: 'What the sources say', points: ['what they agree on'] }] : []),
        ...(ownPosts.length > 0 ? [{ heading: 'Read more', points: [] }] : []),
        { heading: 'In short', points: ['the answer in two sentences', 'what to do next'] },
      ];
      return Promise.resolve({ title: audience ? `${topic}, for ${audience}` : topic, sections });
    },

    section({ outline, index, brief, sources, ownPosts }) {
      const { heading = '', points = [] } = outline.sections[index] ?? {};
      const wanted = termsOf(`${heading} ${brief.topic} ${brief.keyword ?? ''}`);
      const isLast = index === outline.sections.length - 1;
      const quoting = heading === 'What the sources say' || (brief.outline !== undefined && !isLast);
      const quotes = quoting ? sources.flatMap((source) => quotesOf(source, wanted)) : [];
      const blocks: Block[] = [];
      if (points.length > 0) blocks.push(paragraph('To be written:'), list([...points]));
      blocks.push(...quotes);
      if (heading === 'Read more' || (isLast && brief.outline !== undefined)) {
        const titles = ownPosts.slice(0, MAX_OWN_POSTS).map(({ title }) => title);
        if (titles.length > 0) blocks.push(paragraph('Published posts of this project near the topic:'), list(titles));
      }
      return Promise.resolve({ blocks: blocks.length > 0 ? blocks : [paragraph('To be written.')] });
    },

    meta({ brief: { topic, keyword, audience }, title, categories, tags }) {
      const near = termsOf(`${topic} ${keyword ?? ''}`);
      const fitting = (labels: readonly string[]) =>
        labels.filter((label) => [...termsOf(label)].some((term) => near.has(term)));
      const summary = `An outline about ${topic}${audience ? `, for ${audience}` : ''}.`;
      return Promise.resolve({
        excerpt: summary,
        meta_title: title,
        meta_description: summary,
        keyword: keyword ?? topic,
        categories: fitting(categories),
        tags: fitting(tags),
      });
    },
  };
}

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
