import { pathLanguages } from './path-languages.ts';

/** Paths, each with the language of its front matter. */
const found = (files: Record<string, string | null>) =>
  Object.fromEntries(
    pathLanguages(Object.entries(files).map(([path, language]) => ({ path, language, hasKey: false }))),
  );

describe('the languages that paths tell', () => {
  it('are those of folders and endings that tell files apart', () => {
    expect(found({ 'content/en/a/tea.md': null, 'content/de/a/tea.md': null, 'content/pt-br/a/tea.md': null })).toEqual(
      {
        'content/en/a/tea.md': { language: 'en', key: 'content/a/tea' },
        'content/de/a/tea.md': { language: 'de', key: 'content/a/tea' },
        'content/pt-br/a/tea.md': { language: 'pt-BR', key: 'content/a/tea' },
      },
    );
    expect(found({ 'tea/index.zh-Hans.md': null, 'tea/index.fr.md': null })).toEqual({
      'tea/index.zh-Hans.md': { language: 'zh-Hans', key: 'tea/index' },
      'tea/index.fr.md': { language: 'fr', key: 'tea/index' },
    });
  });

  it('are those of all posts of a folder, also of those that nobody has translated', () => {
    const english = Object.fromEntries(['tea', 'cup', 'milk', 'soup'].map((name) => [`en/${name}.md`, null]));
    const files = found({ ...english, 'de/tea.md': null, 'other/tea.md': null });
    expect(Object.keys(files).toSorted()).toEqual(['de/tea.md', ...Object.keys(english).toSorted()]);
    expect(files['en/soup.md']).toEqual({ language: 'en', key: 'soup' });
  });

  it('are those of files beside one without a language, whose own is not guessed', () => {
    expect(found({ 'tea.md': null, 'tea.de.md': null })).toEqual({ 'tea.de.md': { language: 'de', key: 'tea' } });
    expect(found({ 'tea.md': 'en', 'tea.de.md': null })).toEqual({
      'tea.md': { language: 'en', key: 'tea' },
      'tea.de.md': { language: 'de', key: 'tea' },
    });
    expect(found({ 'blog/tea.md': 'en', 'blog/de/tea.md': null })).toEqual({
      'blog/tea.md': { language: 'en', key: 'blog/tea' },
      'blog/de/tea.md': { language: 'de', key: 'blog/tea' },
    });
  });

  it('are none of what may be another word', () => {
    for (const files of [
      { 'it/tea.md': null, 'food/tea.md': null },
      { 'blog/index.md': null, 'blog/it/index.md': null },
      { 'notes.v2.md': null, 'notes.md': null },
      { 'qq/tea.md': null, 'zz/tea.md': null },
      { 'a.io.md': null },
      { 'cs/index.md': null, 'cs/c.md': null, 'it/index.md': null, 'it/net.md': null },
    ])
      expect(found(files)).toEqual({});
  });

  it('are what front matter says, and tie no two posts of one language', () => {
    expect(found({ 'en/tea.md': 'en-GB', 'de/tea.md': null })).toEqual({
      'en/tea.md': { language: 'en-GB', key: 'tea' },
      'de/tea.md': { language: 'de', key: 'tea' },
    });
    expect(found({ 'en/tea.md': 'de', 'de/tea.md': null })).toEqual({});
    const own = { path: 'en/tea.md', language: 'en', hasKey: true };
    expect(pathLanguages([own, { path: 'de/tea.md', language: null, hasKey: false }]).size).toBe(0);
  });
});
