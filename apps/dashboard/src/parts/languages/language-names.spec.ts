import { canonicalTag, fullLanguageName, languageChoices, languageName } from './language-names.ts';

describe('the name of a language', () => {
  it('is the English one, and that of its speakers where it differs', () => {
    expect(languageName('de')).toBe('German');
    expect(fullLanguageName('de')).toBe('German · Deutsch');
    expect(fullLanguageName('en')).toBe('English');
    expect(fullLanguageName('pt-BR')).toBe('Brazilian Portuguese · português (Brasil)');
  });
  it('is the tag itself where nobody knows one', () => {
    expect(languageName('qaa')).toBe('qaa');
    expect(languageName('not a tag')).toBe('not a tag');
  });
});

describe('a tag that is typed', () => {
  it.each([
    ['DE-at', 'de-AT'],
    [' zh-hant-hk ', 'zh-Hant-HK'],
    ['german', null],
    ['de_AT', null],
    ['', null],
  ])('%j becomes %j', (typed, tag) => {
    expect(canonicalTag(typed)).toBe(tag);
  });
});

describe('the languages to choose from', () => {
  it('are sorted by name, with the chosen one and without those that are taken', () => {
    const labels = languageChoices(null).map(({ label }) => label);
    expect(labels).toEqual(labels.toSorted((a, b) => a.localeCompare(b, 'en')));
    const values = languageChoices('de-LI', new Set(['de'])).map(({ value }) => value);
    expect([values.includes('de-LI'), values.includes('de'), values.includes('fr')]).toEqual([true, false, true]);
  });
  it('are canonical, each once', () => {
    const values = languageChoices(null).map(({ value }) => value);
    expect(values.map(canonicalTag)).toEqual(values);
    expect(new Set(values).size).toBe(values.length);
  });
});
