import fc from 'fast-check';
import { readTopicsCsv } from './read-topics-csv.ts';

const topicsOf = async (csv: string) => {
  const read = await readTopicsCsv(csv);
  return 'refused' in read ? read.refused : read.topics.map(({ topic }) => topic);
};

describe('topics from CSV', () => {
  it('have the columns that the first row names, in any order', async () => {
    const csv =
      'keyword,Topic,instructions,unknown,sources\ntea,Green tea,"Be brief, ""please""",x,https://a.example/b';
    expect(await readTopicsCsv(csv)).toEqual({
      topics: [
        {
          topic: 'Green tea',
          keyword: 'tea',
          instructions: 'Be brief, "please"',
          sources: ['https://a.example/b'],
        },
      ],
      skipped: [],
    });
  });

  it.each([
    ['no names: the first column is the topic', 'Green tea,tea\nBlack tea', ['Green tea', 'Black tea']],
    ['semicolons', 'topic;keyword\nGreen tea, hot;tea', ['Green tea, hot']],
    ['tabs', 'topic\tkeyword\nGreen tea\ttea', ['Green tea']],
    ['a byte order mark and Windows lines', '\ufefftopic\r\nGreen tea\r\n', ['Green tea']],
    ['blank rows', 'topic,keyword\n\n,\nGreen tea,\n', ['Green tea']],
    ['lines in quotes', 'topic\n"Green\ntea"', ['Green\ntea']],
    ['a loose quote', 'topic\n5" of tea', ['5" of tea']],
    [
      'formulas, which are text',
      `topic\n=cmd|' /C calc'!A0\n'=1+1\n@SUM(A1)`,
      [`=cmd|' /C calc'!A0`, '=1+1', '@SUM(A1)'],
    ],
    ['other scripts', 'topic\n日本茶\nشاي أخضر', ['日本茶', 'شاي أخضر']],
    ['nothing', '', []],
    ['names alone', 'topic,keyword', []],
    ['NUL and lone surrogates', 'topic\nGreen\0 tea \ud800', ['Green tea \ufffd']],
  ])('may have %s', async (_what, csv, topics) => {
    expect(await topicsOf(csv)).toEqual(topics);
  });

  it('leave rows out that are no topic, and say which and why', async () => {
    const csv = `topic,sources\n${'x'.repeat(301)},\nTea,\ntea,\nCoffee,nowhere\n,https://a.example`;
    expect(await readTopicsCsv(csv)).toMatchObject({
      topics: [{ topic: 'Tea' }],
      skipped: [
        { row: 2, message: 'topic is too long, or has too many values' },
        { row: 4, message: 'topic is a duplicate' },
        { row: 5, message: 'sources is invalid' },
        { row: 6, message: 'topic is empty' },
      ],
    });
  });

  it('have as many sources as may be: a row with thousands is left out like one with one too many', async () => {
    const csv = (count: number) => `topic,sources\nTea,${'https://a.example '.repeat(count)}`;
    expect(await readTopicsCsv(csv(10))).toMatchObject({ topics: [{ topic: 'Tea' }] });
    const skipped = [{ row: 2, message: 'sources is too long, or has too many values' }];
    expect(await readTopicsCsv(csv(11))).toEqual({ topics: [], skipped });
    expect(await readTopicsCsv(csv(2_000))).toEqual({ topics: [], skipped });
  });

  it('are 500 at most', async () => {
    const rows = (count: number) => Array.from({ length: count }, (_x, n) => `Topic ${n}`).join('\n');
    expect(await topicsOf(`topic\n${rows(500)}`)).toHaveLength(500);
    expect(await topicsOf(rows(501))).toBe('has more than 500 rows');
  });

  const hostile = {
    'an open quote': `topic\n"${'x'.repeat(199_000)}`,
    quotes: `topic\n${'"'.repeat(199_000)}`,
    delimiters: ','.repeat(200_000),
    'empty lines': '\n'.repeat(200_000),
    'one character a line': 'x\n'.repeat(100_000),
    'thousands of names': `${'a,'.repeat(19_000)}topic\n${'x\n'.repeat(500)}`,
    'names of prototypes': '__proto__,constructor,topic\na,b,Tea\n',
  };
  it.each(Object.entries(hostile))('end soon for %s', async (_what, csv) => {
    const read = await readTopicsCsv(csv);
    expect('refused' in read ? 0 : read.topics.length).toBeLessThanOrEqual(500);
  });

  it('are read or refused, whatever the text, and never break', async () => {
    const pieces = fc.constantFrom('"', ',', ';', '\n', '\r', '\t', 'topic', 'tea', ' ', '\0', '\ufeff', '=', "'", 'é');
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), async (parts) => {
        const read = await readTopicsCsv(parts.join(''));
        if ('refused' in read) expect(read.refused).not.toBe('');
        else for (const { topic } of read.topics) expect(topic.trim().length).toBeGreaterThan(0);
      }),
    );
  });
});
