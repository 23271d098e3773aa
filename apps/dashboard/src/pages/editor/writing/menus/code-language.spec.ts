import { codeClass, languageOf } from './code-language.ts';

describe('the language of code', () => {
  it('is read from its class', () => {
    expect(languageOf({ class: 'hljs language-js' })).toBe('js');
    expect(languageOf({})).toBe('');
    expect(languageOf(false)).toBe('');
  });

  it('is changed without losing other classes and attributes', () => {
    expect(codeClass({ class: 'hljs language-js', id: 'x' }, 'css')).toEqual({ class: 'language-css hljs', id: 'x' });
    expect(codeClass({ class: 'language-js' }, '')).toEqual({});
    expect(codeClass(false, 'css')).toEqual({ class: 'language-css' });
  });
});
