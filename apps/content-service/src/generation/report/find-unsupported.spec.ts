import { findUnsupported } from './find-unsupported.ts';

const lacksOf = (text: string, support: readonly string[] = [], language: string | null = 'en') =>
  findUnsupported([{ section: 'One', text }], support, language).flatMap(({ because }) => because);

describe('names', () => {
  it('that begin a sentence are marked when neither the sources nor the headings have them', () => {
    expect(lacksOf('Einstein invented this kettle.')).toEqual(['name']);
    expect(lacksOf('Tesla bought the firm. “NASA’s rockets flew.”')).toEqual(['name', 'name']);
    expect(lacksOf('Émilie a inventé cette bouilloire.', [], 'fr')).toEqual(['name']);
    expect(lacksOf('Einstein invented this kettle.', ['The kettle of Albert Einstein.'])).toEqual([]);
    const texts = [{ section: 'One', text: 'Tesla’s cars are electric.' }];
    expect(findUnsupported(texts, [], 'en', ['What Tesla builds'])).toEqual([]);
  });

  it('are not what ordinary sentences begin with', () => {
    const ordinary = `Choose a kettle that fits. Brewing takes minutes. However, water should be soft. Kettles are cheap.
      Don’t hurry. It’s easy. Fortunately, nobody minds. Preheat the pot. Sugar ruins it, and sugar is cheap.
      Each leaf counts. Temperature matters.`;
    expect(lacksOf(ordinary, ['The temperature matters.'])).toEqual([]);
    expect(lacksOf('Préchauffez le four. L’eau bout. Ensuite, versez-la. C’est prêt.', [], 'fr')).toEqual([]);
    expect(lacksOf('Gutes Wasser hilft. Einstein trank Tee.', [], 'de')).toEqual([]);
    expect(lacksOf('Filtered water')).toEqual([]);
  });

  it('of texts in an unknown language are looked for within sentences, where the old text has few capitals there', () => {
    const english = 'Good water helps, and fresh leaves do. Put both into a warm pot, and wait.';
    expect(lacksOf('Ask Miller about it. Miller knows.', [english], null)).toEqual(['name']);
    const german = 'Gutes Wasser hilft, und frische Blätter auch. Gib beides in eine warme Kanne, und warte.';
    expect(lacksOf('Eine Tasse reicht. Warmes Glas hilft.', [german], null)).toEqual([]);
  });
});

describe('figures', () => {
  it('that are written out are marked where they quantify and no source has them, in words or digits', () => {
    const lacks = ['Forty percent of us drink it.', 'It sells twenty-five times as well.', 'Two million people agree.'];
    for (const sentence of [...lacks, 'Millions of cups are sold.']) expect(lacksOf(sentence)).toEqual(['figure']);
    expect(lacksOf('Quarante pour cent en boivent.', [], 'fr')).toContain('figure');
    expect(lacksOf('Forty percent drink it.', ['It is 40 percent.'])).toEqual([]);
    expect(lacksOf('It is 45 percent.', ['It is forty-five percent.'])).toEqual([]);
    expect(lacksOf('Take two cups, and do these three things. One of them is easy.')).toEqual([]);
  });
});

describe('claims', () => {
  it('are found by words that begin or end with an accent, and not within other words', () => {
    expect(lacksOf('Des études le montrent.', [], 'fr')).toEqual(['claim']);
    expect(lacksOf('C’est prouvé.', [], 'fr')).toEqual(['claim']);
    expect(lacksOf('The évidence and the médirect are no words.')).toEqual([]);
  });

  it('are supported by one sentence of the sources that has most of their words', () => {
    const claim = 'Studies show that green tea keeps people awake.';
    expect(lacksOf(claim, ['Studies say that green tea keeps most people awake. More follows.'])).toEqual([]);
    expect(lacksOf(claim, ['Studies say that green tea is old. It keeps people awake.'])).toEqual(['claim']);
  });

  it('of thousands of words are looked up in sources of hundreds of thousands of sentences without comparing each with each', () => {
    const words = Array.from({ length: 1_000 }, (_, index) => `w${index.toString(36)}`).join(' ');
    const claims = `It never ${words}. `.repeat(100);
    expect(lacksOf(claims, ['it never. '.repeat(300_000)]).filter((lack) => lack === 'claim')).toHaveLength(100);
  });
});
