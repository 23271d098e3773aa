import fc from 'fast-check';
import { searchWords, wordsOf } from './search-words.ts';
import { toSearchQuery } from './to-search-query.ts';

describe('the words of a text', () => {
  it.each([
    ['Green tea, GREEN Tea!', ['green', 'tea']],
    ['Grüner Tee — „Sencha“', ['gruner', 'tee', 'sencha']],
    ['ﬁne ４２', ['fine', '42']],
    ['e-mail a@b.example', ['e', 'mail', 'a', 'b', 'example']],
    ['日本茶 tea', ['日', '本', '日本', '茶', '本茶', 'tea']],
    ['', []],
    ['!? …', []],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('are the same between typographic signs', () => {
    expect(wordsOf('“Tea”\u00a0– it’s hot…\u2014now')).toEqual(['tea', 'it', 's', 'hot', 'now']);
  });

  it('are cut at 64 characters, and the text at 100,000', () => {
    expect(wordsOf('x'.repeat(500))).toEqual(['x'.repeat(64)]);
    expect(wordsOf(`${'a '.repeat(60_000)} end`)).toEqual(['a']);
  });

  it('have at most 30 marks after a letter, because ordering them takes quadratic time', () => {
    expect(wordsOf(`e${'\u0301'.repeat(50)} x`)).toEqual(['e', 'x']);
    const hostile = `e${'\u0301'.repeat(50_000)}${'\u0323'.repeat(50_000)}`;
    for (let time = 0; time < 100; time += 1) expect(wordsOf(hostile)).toHaveLength(1);
  });

  it('of a blog are those of its title, excerpt, tags and content without tags and placeholders', () => {
    const words = searchWords({
      title: 'Tea',
      excerpt: 'Short',
      tags: ['Hot drinks'],
      segments: [
        '<p class="lead">un<b>real</b></p><p>R&amp;D</p>',
        { open: 'oolong', before: '<a href="', after: '">' },
        'inner',
        { close: '</a>' },
        { bare: 'sencha' },
        '<style>p{}</style>',
      ],
    });
    expect(words).toBe('tea short hot drinks unreal r d inner');
  });

  it('contain no tsquery syntax for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of wordsOf(text)) {
          expect(word).toMatch(/^[^\s'"\\:&|!()<>*\0]+$/u);
          expect(word.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

/** Whether a search for all that is typed finds a text. */
function finds(typed: string, text: string): boolean {
  const words = wordsOf(text);
  const terms = [...(toSearchQuery(typed) ?? "'\0'").matchAll(/'([^']*)'(:\*)?/g)];
  return terms.every(([, word = '', beginning]) =>
    words.some((one) => (beginning ? one.startsWith(word) : one === word)),
  );
}

describe('a search', () => {
  it.each([
    ['cafe', 'Ein Café'],
    ['café', 'a cafe'],
    ['CAFÉ', 'cafe\u0301s cafe\u0301'],
    ['naive facade', 'naïve façade'],
    ['creme brulee', 'crème brûlée'],
    ['strasse', 'Straße'],
    ['Straße', 'STRASSE'],
    ['lodz', 'Łódź'],
    ['smorrebrod', 'smørrebrød'],
    ['istanbul', 'İstanbul'],
    ['ısı', 'isi'],
    ['pho bo', 'phở bò'],
    ['елка', 'ёлка'],
    ['ελληνικα', 'Ελληνικά'],
    ['ΟΔΟΣ', 'οδός'],
    ['שלום', 'שָׁלוֹם'],
    ['سلام', 'سَلَام'],
    ['커피', '맛있는 커피를 마셔요'],
    ['마셔', '맛있는 커피를 마셔요'],
    ['\u110f\u1165\u1111\u1175', '커피'],
    ['กาแฟ', 'วิธีชงกาแฟร้อน'],
    ['ร้อน', 'วิธีชงกาแฟร้อน'],
    ['コーヒー', '美味しいコーヒーの淹れ方'],
    ['ｺｰﾋｰ', '美味しいコーヒーの淹れ方'],
    ['コーヒー', 'ｺｰﾋｰ'],
    ['ガラス', 'ｶﾞﾗｽの器'],
    ['淹れ方', '美味しいコーヒーの淹れ方'],
    ['咖啡', '如何冲泡咖啡'],
    ['人々', '人々の声'],
    ['Ｔｅａ', 'tea'],
    ['tea', 'Ｔｅａ'],
    ['ກາເຟ', 'ວິທີກາເຟ'],
    ['កាហ្វេ', 'ធ្វើកាហ្វេ'],
    ['ကော်ဖီ', 'ကော်ဖီပူ'],
  ])('for %s finds %s', (typed, text) => {
    expect(finds(typed, text)).toBe(true);
  });

  it.each([
    ['cafe', 'cave'],
    ['커피', '피커'],
    ['กาแฟ', 'แฟชั่น'],
    ['コーヒー', 'ヒーロー'],
    ['か', 'が'],
    ['咖啡', '啡咖'],
  ])('for %s does not find %s', (typed, text) => {
    expect(finds(typed, text)).toBe(false);
  });
});

describe('a search query', () => {
  it.each([
    ['green tea', "('green' & 'tea':*)"],
    ['green t', "('green' & 't')"],
    ['"green tea"', "('green' & 'tea')"],
    ['"green', "('green')"],
    ['tea -black', "('tea' & !('black'))"],
    ['tea -"black leaf" hot', "('tea' & !('black' & 'leaf') & 'hot':*)"],
    ['tea or coffee', "('tea') | ('coffee':*)"],
    ['or', null],
    ['tea or', "('tea')"],
    ['tea Tea tea', "('tea' & 'tea':*)"],
    ['tea -x -X', "('tea' & !('x'))"],
    ['a or b or a', "('a') | ('b')"],
    ["o'neill & (x) | !y:*", "('o' & 'neill' & 'x' & 'y')"],
    ['日本', "('日' & '本' & '日本')"],
    ['  ', null],
    ['-', null],
    ['"', null],
    ['\u0000\ud800', null],
  ])('%j becomes %j', (typed, query) => {
    expect(toSearchQuery(typed)).toBe(query);
  });
});
