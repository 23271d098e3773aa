import { sentencesOf } from './plain.ts';

describe('the sentences of a text', () => {
  it('end at a terminator before a space or the end, so numbers and addresses stay whole', () => {
    expect(sentencesOf('It is 93.5 percent. See example.com for more! “Really?” (Yes.) And so on… The end')).toEqual([
      'It is 93.5 percent.',
      'See example.com for more!',
      '“Really?”',
      '(Yes.)',
      'And so on…',
      'The end',
    ]);
  });

  it('that have a million terminators or quotes in a row are found in linear time', () => {
    for (const run of ['.', '?!…', '."', "'", ' .', '. ', ' ']) {
      const text = `Before${run.repeat(1_000_000)}behind`;
      expect(sentencesOf(text).join('')).toContain('behind');
    }
  });
});
