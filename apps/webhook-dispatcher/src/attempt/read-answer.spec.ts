import { NO_ANSWER, readAnswer } from './record-outcome.ts';

const read = (text: string) => readAnswer(Buffer.from(text));

describe('the receiver’s response (contract §4.4)', () => {
  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['9007199254740993', '9007199254740993'],
    ['42', '42'],
    ['-0', '0'],
    ['1.5', '1.5'],
    ['"0042"', '0042'],
    [`1${'0'.repeat(255)}`, null],
  ])('keeps the id %s as %s', (id, kept) => {
    expect(read(`{"url":"https://site.example/a","id":${id}}`)).toEqual({
      url: 'https://site.example/a',
      external_id: kept,
    });
  });

  it('is read after a byte order mark', () => {
    expect(read('\uFEFF{"url":"https://site.example/a","id":7}')).toEqual({
      url: 'https://site.example/a',
      external_id: '7',
    });
  });

  it.each([
    ['no JSON', 'OK'],
    ['nothing', ''],
    ['a number', '12345678901234567890'],
    ['nesting', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['numbers elsewhere', '{"url":12345678901234567890,"data":{"id":12345678901234567890}}'],
  ])('ignores %s', (_what, text) => {
    expect(read(text)).toEqual(NO_ANSWER);
  });
});
