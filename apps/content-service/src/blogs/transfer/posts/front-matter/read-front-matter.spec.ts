import { readFrontMatter } from './read-front-matter.ts';

const read = (text: string) => {
  const front = readFrontMatter(text);
  if ('problem' in front) return front.problem;
  const values = [...front.entries].map(([name, { value }]) => [name, value] as const);
  return { ...Object.fromEntries(values), body: front.body };
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

  it('is missing from a file that does not begin with it', () => {
    for (const text of [
      'Text',
      '---\nText',
      '---a\nb\n---\n',
      '',
      'Text\n\n---\n\nMore: this\n\n---\n',
      '\n---\nText\n---\n',
      '{{< figure src="a.jpg" >}}\n',
      '{% raw %}',
      '{: .lead}\nText',
      '{Draft} of a text',
      'A title: with a colon',
      '# Title\n\nDate: yesterday\n',
      '<!-- A remark -->\nText',
      '+ + +\nText',
    ]) {
      expect(read(text)).toEqual({ body: text });
    }
  });

  it.each([
    ['blank lines', '\n \r\n'],
    ['a byte order mark', '\uFEFF'],
    ['two of them', '\uFEFF\uFEFF'],
    ['a byte order mark and a blank line', '\uFEFF\n'],
    ['spaces', '  '],
    ['a comment', '<!-- Generated. -->\n'],
    ['comments and blank lines', '<!-- a\nb -->\n\n<!-- c -->\n'],
  ])('is read after %s', (_what, before) => {
    expect(read(`${before}---\ntitle: A\ndraft: true\n---\nText`)).toEqual({ title: 'A', draft: 'true', body: 'Text' });
    expect(read(`${before}+++\ntitle = "A"\n+++\nText`)).toEqual({ title: 'A', body: 'Text' });
    expect(read(`${before}{ "title": "A" }\nText`)).toEqual({ title: 'A', body: 'Text' });
  });

  it('is JSON, in braces or as ---json', () => {
    const json = '{\n\t"title": "A \\u00e9 {",\n  "draft": true,\n  "tags": ["a", "b"], "cover": {"image": "x"}\n}';
    const values = { title: 'A é {', draft: 'true', tags: ['a', 'b'], 'cover.image': 'x' };
    expect(read(`${json}\n\nText`)).toEqual({ ...values, body: 'Text' });
    expect(read(`---json\n${json}\n---\nText`)).toEqual({ ...values, body: 'Text' });
  });

  it('is TOML between +++ lines or as ---toml', () => {
    const toml =
      'title = "A"\ndate = 2023-01-01T10:00:00+02:00\nday = 2023-01-02\ndraft = true\n[taxonomies]\ntags = ["a"]';
    const values = {
      title: 'A',
      date: '2023-01-01T10:00:00.000+02:00',
      day: '2023-01-02',
      draft: 'true',
      'taxonomies.tags': ['a'],
    };
    expect(read(`+++\n${toml}\n+++\n\nText`)).toEqual({ ...values, body: 'Text' });
    expect(read(`---toml\n${toml}\n---\nText`)).toEqual({ ...values, body: 'Text' });
  });

  it('says on which line of the file each key stands', () => {
    const linesOf = (text: string) => {
      const front = readFrontMatter(text);
      return 'problem' in front ? front.problem : [...front.entries.values()].map(({ key, line }) => `${key} ${line}`);
    };
    expect(linesOf('---\ntitle: A\nisDraft: b\ncover:\n  image: c\n---\n')).toEqual([
      'title 2',
      'isDraft 3',
      'cover.image 5',
    ]);
    expect(linesOf('\n{\n "title": "A",\n "draft": true\n}\n')).toEqual(['title 3', 'draft 4']);
    expect(linesOf('+++\ntitle = "A"\n[extra]\ndraft = true\n+++\n')).toEqual(['title 2', 'extra.draft 4']);
  });

  it('has keys in any case, with hyphens, underscores or capitals', () => {
    expect(yaml('pubDate: a\nhero_image: b\nog-image: c')).toMatchObject({
      pubdate: 'a',
      heroimage: 'b',
      ogimage: 'c',
    });
    expect(yaml('Meta-Title: a\nSEO_TITLE: b')).toMatchObject({ metatitle: 'a', seotitle: 'b' });
  });

  it('has numbers, dates and the like as they were written', () => {
    expect(yaml('a: 1.10\nb: 2024-01-31\nc: true\nd: "x"\ne: ~\nf:\ng: 007')).toMatchObject({
      a: '1.10',
      b: '2024-01-31',
      c: 'true',
      d: 'x',
      e: null,
      f: null,
      g: '007',
    });
  });

  it('has lists of scalars, items by their names, and the keys of mappings', () => {
    expect(yaml('a: [b, 1.0]\nc:\n  - d\n  - e: f\n  - name: n\ng: {h: i, j: {k: l}}')).toMatchObject({
      a: ['b', '1.0'],
      c: ['d', 'n'],
      'g.h': 'i',
      'g.j.k': 'l',
    });
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
      expect(yaml(source)).toMatch(/an alias \(\*name\), which is not supported/);
    }
    expect(yaml('a: &a x\nb: "*a"\nc: {d: *a}')).toMatchObject({ a: 'x', b: '*a', 'c.d': null });
  });

  it.each([
    ['broken TOML', '+++\ntitle = "A"\ntags = [\n+++\n', /invalid TOML front matter: .+ \(line \d\)/],
    ['a key twice in TOML', '+++\ndraft = true\ndraft = false\n+++\n', /invalid TOML/],
    ['a key twice in JSON', '{"draft": true, "draft": false}\n', /duplicate front matter key, “draft” \(line 1\)/],
    ['broken JSON', '{"draft": true,\n "title" "x"}\n', /invalid YAML/],
    ['JSON that never ends', '{"draft": true\n\nText', /starts in line 1 and is never closed/],
    ['JSON with text behind it', '{"draft": true} Text', /JSON/],
    ['JavaScript', '---js\n{ draft: true }\n---\n', /in js, which is not supported/],
    ['YAML that never ends', '---\ntitle: A\ndraft: true\n\nText', /starts in line 1 and is never closed/],
    ['TOML that never ends', '+++\ndraft = true\n\nText', /starts in line 1 and is never closed/],
    ['front matter twice', '---\ntitle: A\n---\n---\ndraft: true\n---\n\nText', /has two front matter blocks/],
    [
      'front matter twice, of two kinds',
      '---\ntitle: A\n---\n\n+++\ndraft = true\n+++\nText',
      /has two front matter blocks/,
    ],
    ['YAML without a fence', 'title: A\ndraft: true\n\nText', /starts with “title: A” \(line 1\)/],
    ['YAML with its second fence alone', '\nTitle: A\nDraft: yes\n---\nText', /starts with “Title: A” \(line 2\)/],
    ['TOML without a fence', 'draft = true\n\nText', /starts with “draft = true”/],
    ['fences that an editor has changed', '—\ntitle: A\ndraft: true\n—\nText', /from line 1,/],
    ['four hyphens', '----\ndraft: true\n----\nText', /from line 1,/],
    ['a text before the fence', 'Intro\n\n---\ntitle: A\ndraft: true\n---\nText', /from line 3,/],
    ['keys in a comment', '<!--\ntitle: A\ndraft: true\n-->\nText', /inside a comment/],
    ['the comments of Nikola', '<!--\n.. title: A\n.. status: draft\n-->\nText', /inside a comment/],
    ['exports of JavaScript', 'export const metadata = { draft: true };\n\nText', /starts with “export const/],
    ['broken YAML', '---\ntitle: A\nb: [\n---\n', /invalid YAML front matter: .+ \(line \d\)/],
    ['a text', '---\nText\n---\n', /not a list of keys/],
    ['a list', '---\n- a\n---\n', /not a list of keys/],
    ['a key twice', '---\nmeta-title: a\nmeta_title: b\n---\n', /duplicate front matter key, “meta_title” \(line 3\)/],
    ['too much', `---\na: ${'x'.repeat(200_000)}\n---\n`, /longer than 163840 characters/],
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
