import fc from 'fast-check';
import { arrayLiteral, plainArray } from './array-literal.ts';

/** Reads an array of texts, element by element, as PostgreSQL describes its form. */
function parse(literal: string): (string | null)[] {
  const inner = literal.slice(1, -1);
  const elements = inner.matchAll(/"((?:[^"\\]|\\[^])*)"(?:,|$)|([^",]+)(?:,|$)/g);
  let length = 0;
  const values = [...elements].map(([whole, quoted, plain]) => {
    length += whole.length;
    return quoted === undefined ? (plain === 'NULL' ? null : String(plain)) : quoted.replaceAll(/\\([^])/g, '$1');
  });
  // Nothing of it was passed over.
  expect([literal.at(0), length, literal.at(-1)]).toEqual(['{', inner.length, '}']);
  return values;
}

describe('an array as a literal', () => {
  it.each([
    ['nothing', [], '{}'],
    ['no value', [null], '{NULL}'],
    ['the word NULL, in any case', ['NULL', 'null', 'Null'], '{"NULL","null","Null"}'],
    ['an empty text', [''], '{""}'],
    ['numbers and truth values', [0, -1.5, 1e21, true, false], '{0,-1.5,1e+21,true,false}'],
    ['a time', [new Date('2026-11-21T09:00:00.123Z')], '{2026-11-21T09:00:00.123Z}'],
    ['commas and braces', ['a,b', '{}'], '{"a,b","{}"}'],
    ['quotes and backslashes', [String.raw`say "\n"`], String.raw`{"say \"\\n\""}`],
    ['a line feed', ['a\nb', 'plain\n'], '{"a\nb","plain\n"}'],
  ])('writes %s', (_name, values, literal) => {
    expect(arrayLiteral(values)).toBe(literal);
  });

  it('gives back every text that goes in, whatever is in it, and where there is none', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'{},"\\ \n\'NUL') }));
    fc.assert(
      fc.property(fc.array(fc.option(text)), (values) => {
        expect(parse(arrayLiteral(values))).toEqual(values);
      }),
    );
  });

  it('of ids, numbers, truth values and times is the same without looking at them', () => {
    const value = fc.oneof(fc.uuid(), fc.integer(), fc.boolean(), fc.date({ noInvalidDate: true }), fc.constant(null));
    fc.assert(
      fc.property(fc.array(value), (values) => {
        expect(plainArray(values)).toBe(arrayLiteral(values));
      }),
    );
  });
});
