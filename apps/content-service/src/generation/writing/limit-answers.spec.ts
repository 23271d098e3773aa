import { limitMeta, limitOutline, limitSection } from './limit-answers.ts';
import { WRITING_LIMITS, type Block, type Brief } from './writer.ts';

const block = (more: Partial<Block>): Block => ({
  kind: 'paragraph',
  text: 'x',
  items: [],
  rows: [],
  sources: [],
  ...more,
});
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const limited = (...blocks: Block[]) => limitSection({ blocks }, 'Water', 1);
const BRIEF: Brief = { topic: 'Tea', length: 200, language: 'en', pictures: false };

describe('a section that is written', () => {
  it('has at most 40 blocks', () => {
    expect(limited(...many(40, block({}))).cut).toEqual([]);
    const { answer, cut } = limited(...many(41, block({})));
    expect([answer.blocks.length, cut]).toEqual([40, ['the end of “Water”']]);
  });

  it('has at most 30 items in a list', () => {
    const { answer, cut } = limited(block({ kind: 'list', items: many(31, 'x') }));
    expect([answer.blocks[0]?.items.length, cut]).toEqual([30, ['items of a list of “Water”']]);
  });

  it('has at most 50 rows of 10 cells in a table', () => {
    const { answer, cut } = limited(block({ kind: 'table', rows: many(51, many(11, 'x')) }));
    expect(answer.blocks[0]?.rows).toEqual(many(50, many(10, 'x')));
    expect(cut).toContain('rows of a table of “Water”');
    expect(limited(block({ kind: 'table', rows: many(50, many(10, 'x')) })).cut).toEqual([]);
    expect(limited(block({ kind: 'table', rows: many(2, many(11, 'x')) })).cut).toEqual([
      'cells of a table of “Water”',
    ]);
  });

  it('has at most 4,000 characters in a paragraph, an item and a cell', () => {
    const long = 'x'.repeat(WRITING_LIMITS.textLength + 1);
    const { answer, cut } = limited(
      block({ text: long }),
      block({ kind: 'list', items: [long] }),
      block({ kind: 'table', rows: [[long], ['x']] }),
    );
    const [text, items, rows] = answer.blocks;
    expect([text?.text.length, items?.items[0]?.length, rows?.rows[0]?.[0]?.length]).toEqual([4_000, 4_000, 4_000]);
    expect(cut).toContain('the end of a long paragraph of “Water”');
  });

  it('has no empty blocks, and names only sources that there are', () => {
    const { answer } = limited(
      block({ text: ' ' }),
      block({ kind: 'list', items: [''] }),
      block({ kind: 'table', rows: [['head']] }),
      block({ sources: [1, 1, 2, 0, -1] }),
    );
    expect(answer.blocks).toEqual([block({ sources: [1] })]);
  });
});

describe('an outline that is written', () => {
  it('has at most 20 sections of 12 points', () => {
    const sections = many(21, { heading: 'Water', points: many(13, 'x') });
    const { answer, cut } = limitOutline({ title: 'Tea', sections }, BRIEF);
    expect(answer.sections).toEqual(many(20, { heading: 'Water', points: many(12, 'x') }));
    expect(cut).toEqual(['1 sections of the outline']);
  });

  it('has the headings that were given, in their order, with what the writer says of each', () => {
    const sections = [
      { heading: 'Cup', points: ['white'] },
      { heading: 'Other', points: ['other'] },
    ];
    const { answer } = limitOutline({ title: 'Tea', sections }, { ...BRIEF, outline: ['Kettle', 'Cup', 'Leaves'] });
    expect(answer.sections).toEqual([
      { heading: 'Kettle', points: ['white'] },
      { heading: 'Cup', points: ['white'] },
      { heading: 'Leaves', points: [] },
    ]);
  });
});

describe('what is written about a post', () => {
  const about = (excerpt: string) => {
    const given = { excerpt, meta_title: 'Tea', meta_description: 'Hot water.', keyword: '', categories: [], tags: [] };
    const { answer, cut } = limitMeta(given, { brief: BRIEF, categories: [], tags: [] });
    return [answer.excerpt, cut];
  };

  it('has an excerpt of at most 300 characters, of which an emoji is one, and says when it was cut', () => {
    expect(about('🍵'.repeat(300))).toEqual(['🍵'.repeat(300), []]);
    expect(about('🍵'.repeat(301))).toEqual([`${'🍵'.repeat(299)}…`, ['the end of the excerpt, which was too long']]);
  });
});
