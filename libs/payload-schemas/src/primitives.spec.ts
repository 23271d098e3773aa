import { queryInteger } from './primitives.ts';

describe('a whole number of a query string', () => {
  const number = queryInteger({ min: 1, max: 100 });

  it.each(['1', '100', '007'])('is digits: %j', (text) => {
    expect(number.parse(text)).toBe(Number(text));
  });

  it.each(['0', '101', '', ' 5', '5 ', '1e1', '0x2', '2.0', '+5', '-1', '٥', '9'.repeat(400), 5, ['5']])(
    'is nothing else: %j',
    (given) => {
      expect(number.safeParse(given).error?.issues.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^must be between 1 and 100( \(got .+\))?$/),
      ]);
    },
  );
});
