import { parseTextArray } from './read-rows.ts';
import { toIsoTime } from './read-rows.ts';

describe('an array of texts as PostgreSQL writes it', () => {
  it.each([
    ['{}', []],
    ['{a}', ['a']],
    ['{a,b,grün}', ['a', 'b', 'grün']],
    ['{""}', ['']],
    ['{"",a,""}', ['', 'a', '']],
    ['{"a b",c,"d,e"}', ['a b', 'c', 'd,e']],
    [String.raw`{"\"","\\","a\\\"b\\"}`, ['"', '\\', 'a\\"b\\']],
    ['{"NULL","{}"}', ['NULL', '{}']],
    ['{"a\nb"}', ['a\nb']],
  ])('is read into its texts: %s', (literal, texts) => {
    expect(parseTextArray(literal)).toEqual(texts);
  });

  it('is refused rather than read for ever when it is none', () => {
    for (const literal of ['{"a', String.raw`{"a\\`]) expect(() => parseTextArray(literal)).toThrow(TypeError);
  });
});

describe('a time as PostgreSQL writes it into JSON', () => {
  it.each([
    ['"2026-01-02T03:04:05"', '2026-01-02T03:04:05.000Z'],
    ['"2026-01-02T03:04:05.1"', '2026-01-02T03:04:05.100Z'],
    ['"2026-01-02T03:04:05.012"', '2026-01-02T03:04:05.012Z'],
  ])('%s has milliseconds and a Z', (json, time) => {
    expect(toIsoTime(json)).toBe(time);
  });
});
