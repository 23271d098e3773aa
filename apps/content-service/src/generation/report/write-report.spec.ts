import type { Block, Meta } from '../writing/writer.ts';
import { compareTexts, writeReport, type ReportedDraft } from './write-report.ts';

const block = (more: Partial<Block>): Block => ({
  kind: 'paragraph',
  text: '',
  items: [],
  rows: [],
  sources: [],
  ...more,
});
const about = (keyword: string): Meta => ({
  ...{ excerpt: '', meta_title: '', meta_description: '', categories: [], tags: [] },
  keyword,
});
const LONG = `${'word '.repeat(25)}end.`;
const reportOf = (more: Partial<ReportedDraft> = {}) =>
  writeReport({
    brief: { topic: 'Tea', length: 300, language: 'en', pictures: false },
    outline: {
      title: 'Green tea at home',
      sections: [
        { heading: 'Water', points: [] },
        { heading: 'More green tea', points: [] },
      ],
    },
    sections: [
      // 3 + 4 words, 2 sentences.
      { blocks: [block({ text: 'Green tea helps. It is green-tea time!' })] },
      {
        blocks: [
          // 26 words in one sentence, 2 + 3 words in two.
          block({ text: LONG }),
          block({ kind: 'list', items: ['GREEN TEA', 'Buy evergreen tea'] }),
        ],
      },
    ],
    sources: [],
    links: [],
    meta: about('green tea'),
    brandVoice: null,
    cut: [],
    ownPosts: [],
    known: [],
    isOutline: false,
    ...more,
  });

describe('a report', () => {
  it('says how long the post is beside how long it should be', () => {
    expect(reportOf().length).toEqual({ asked: 300, words: 38 });
  });

  it('says how well it reads: sentences, words in each, and those of more than 25 words', () => {
    expect(reportOf().readability).toEqual({ sentences: 5, words_per_sentence: 7.6, long_sentences: 1 });
    const short = [{ blocks: [block({ text: LONG.replace('word ', '') })] }];
    expect(reportOf({ sections: short }).readability).toEqual({
      sentences: 1,
      words_per_sentence: 25,
      long_sentences: 0,
    });
    expect(reportOf({ sections: [] }).readability).toEqual({ sentences: 0, words_per_sentence: 0, long_sentences: 0 });
  });

  it('says where the keyword stands, as whole words in whatever case', () => {
    expect(reportOf().keyword_use).toEqual({
      keyword: 'green tea',
      count: 2,
      in_title: true,
      in_headings: true,
      in_first_paragraph: true,
    });
    expect(reportOf({ meta: about('evergreen') }).keyword_use).toEqual({
      keyword: 'evergreen',
      count: 1,
      in_title: false,
      in_headings: false,
      in_first_paragraph: false,
    });
    expect(reportOf({ meta: about('') }).keyword_use).toMatchObject({ count: 0, in_title: false });
  });
});

it('texts that belong to no section are compared with what may support them, their headings included', () => {
  const texts = ['It is drunk by 93 percent of people.', 'Oxford knows it.'];
  expect(compareTexts({ texts, support: ['Green tea is old.'], headings: ['Oxford'], language: 'en' })).toEqual([
    { section: '', sentence: 'It is drunk by 93 percent of people.', because: ['figure'] },
  ]);
});

it('a German text that is compared names nobody by its nouns', () => {
  const german = { texts: ['Gutes Wasser hilft der Kanne.'], support: ['Tee ist alt.'], headings: [] };
  expect(compareTexts({ ...german, language: 'de' })).toEqual([]);
});
