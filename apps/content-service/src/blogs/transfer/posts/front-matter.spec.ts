import { readFrontMatter } from './front-matter.ts';

const read = (text: string) => {
  const front = readFrontMatter(text);
  return 'problem' in front ? front.problem : { ...Object.fromEntries(front.values), body: front.body };
};
const yaml = (source: string) => read(`---\n${source}\n---\n`);

describe('front matter', () => {
  it('is the YAML between --- lines at the beginning', () => {
    expect(read('---\ntitle: A\n---\n\nText\n')).toEqual({ title: 'A', body: 'Text\n' });
    expect(read('---\r\ntitle: A\r\n---\r\n\r\nText\r\n')).toEqual({ title: 'A', body: 'Text\r\n' });
    expect(read('---\ntitle: A\n...\nText')).toEqual({ title: 'A', body: 'Text' });
    expect(read('---\n---\nText')).toEqual({ body: 'Text' });
  });

  it('ends with at most one empty line, the others are the content’s', () => {
    expect(read('---\na: b\n---\n\n\n\nText')).toMatchObject({ body: '\n\nText' });
  });

  it('is missing from a file that does not begin with it, or never ends it', () => {
    for (const text of ['Text', '\n---\na: b\n---\n', '---\nText', '---a\nb\n---\n', '']) {
      expect(read(text)).toEqual({ body: text });
    }
  });

  it('has keys in any case, with hyphens or underscores', () => {
    expect(yaml('Meta-Title: a\nSEO_TITLE: b')).toMatchObject({ meta_title: 'a', seo_title: 'b' });
  });

  it('has numbers, dates and the like as they were written', () => {
    expect(yaml('a: 1.10\nb: 2024-01-31\nc: true\nd: "x"\ne: ~\nf:\ng: 007')).toMatchObject({
      ...{ a: '1.10', b: '2024-01-31', c: 'true', d: 'x', e: null, f: null, g: '007' },
    });
  });

  it('has lists of scalars; what is neither is nothing', () => {
    expect(yaml('a: [b, 1.0]\nc:\n  - d\n  - e: f\ng: {h: i}')).toMatchObject({ a: ['b', '1.0'], c: ['d'], g: null });
  });

  it('constructs nothing from tags', () => {
    expect(yaml('a: !!js/function "x"\nb: !own y')).toMatchObject({ a: 'x', b: 'y' });
  });

  it('is refused for aliases, wherever they would be read', () => {
    for (const source of [
      'a: &a x\nb: *a',
      'a: &a x\nb: [y, *a]',
      'a: &a x\n*a : y',
      'a: &a {b: c}\n<<: *a',
      'a: *none',
    ]) {
      expect(yaml(source)).toMatch(/an alias \(\*name\), which is not read/);
    }
    expect(yaml('a: &a x\nb: "*a"\nc: {d: *a}')).toMatchObject({ a: 'x', b: '*a', c: null });
  });

  it.each([
    ['TOML', '+++\ntitle = "A"\n+++\n', /TOML/],
    ['broken YAML', '---\ntitle: A\nb: [\n---\n', /not valid YAML: .+ \(line \d\)/],
    ['a text', '---\nText\n---\n', /not a list of keys/],
    ['a list', '---\n- a\n---\n', /not a list of keys/],
    ['a key twice', '---\nmeta-title: a\nmeta_title: b\n---\n', /“meta_title” twice/],
    ['too much', `---\na: ${'x'.repeat(200_000)}\n---\n`, /more than 163840 characters/],
    ['too many parts', `---\na: [${'b, '.repeat(10_000)}]\n---\n`, /too many parts/],
    ['empty lines without end', `---\n${'\n'.repeat(10_001)}---\n`, /too many parts/],
    [
      'too many keys',
      `---\n${Array.from({ length: 201 }, (_, i) => `k${i}: 1`).join('\n')}\n---\n`,
      /more than 200 keys/,
    ],
  ])('is refused for %s', (_what, text, problem) => {
    expect(read(text)).toMatch(problem);
  });

  it('loses what a database cannot hold', () => {
    expect(yaml('a: "x\\0y"\nb: "\\ud800"')).toMatchObject({ a: 'xy', b: '\ufffd' });
  });

  it.each([
    '[',
    '{',
    '- ',
    '? ',
    '&a ',
    '*a ',
    '!a ',
    'a: ',
    '"',
    '|',
    '- - ',
    'a:\n',
    '[a,',
    '{a:',
    'a: &x b\n',
    '\n',
    '---\n',
  ])('of %p without end comes to an end', (piece) => {
    expect(read(`---\n${piece.repeat(40_000 / piece.length)}\n---\n`)).toBeDefined();
  });
});
