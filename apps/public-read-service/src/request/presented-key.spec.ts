import { isWellFormedKey, presentedKey } from './parse-public-query.ts';

const query = (text: string) => new URLSearchParams(text);

describe('finding the key of a request (contract §5.1.4)', () => {
  it('reads the Bearer header with any case of the scheme', () => {
    expect(presentedKey('Bearer pk_1', query(''))).toBe('pk_1');
    expect(presentedKey('bEARER  pk_1 ', query(''))).toBe('pk_1');
  });

  it('takes the query parameter without the header, its last value when given twice', () => {
    expect(presentedKey(undefined, query('api_key=pk_1'))).toBe('pk_1');
    expect(presentedKey(undefined, query('api_key=pk_1&limit=2&api_key=pk_2'))).toBe('pk_2');
    expect(presentedKey(undefined, query('API_KEY=pk_1'))).toBeNull();
  });

  it('uses the header when both are present', () => {
    expect(presentedKey('Bearer pk_1', query('api_key=pk_2'))).toBe('pk_1');
  });

  it.each(['Bearer', 'Bearer ', 'bearer', 'Bearer a b'])(
    'lets the header %j, which holds no key, hide the query parameter',
    (authorization) => {
      expect(isWellFormedKey(presentedKey(authorization, query(`api_key=pk_live_${'a'.repeat(32)}`)) ?? '')).toBe(
        false,
      );
    },
  );

  it.each(['', 'Basic cGs=', 'pk_1', 'Bearerpk_1', 'Digest username="a"'])(
    'ignores the header %j, which is no Bearer header',
    (authorization) => {
      expect(presentedKey(authorization, query('api_key=pk_2'))).toBe('pk_2');
      expect(presentedKey(authorization, query(''))).toBeNull();
    },
  );

  it('takes time linear in the header’s length', () => {
    // What is quadratic takes an hour, and so fails.
    const spaces = ' '.repeat(1_000_000);
    expect(presentedKey(`Bearer a${spaces}b`, query(''))).toBe(`a${spaces}b`);
    expect(presentedKey(`Bearer${spaces}a${spaces}`, query(''))).toBe('a');
  });

  it('finds none when there is none', () => {
    expect(presentedKey(undefined, query('limit=1'))).toBeNull();
  });
});

describe('the form of a key (contract §5.1.2, §5.3)', () => {
  it('is pk_live_ and 32 characters of base62', () => {
    expect(isWellFormedKey(`pk_live_${'aZ0'.repeat(10)}9x`)).toBe(true);
  });

  it.each([
    '',
    'pk_live_',
    `pk_live_${'a'.repeat(31)}`,
    `pk_live_${'a'.repeat(33)}`,
    `pk_live_${'a'.repeat(31)}-`,
    `PK_LIVE_${'a'.repeat(32)}`,
    `sk_agent_${'a'.repeat(40)}`,
    `pk_live_${'a'.repeat(32)}\n`,
  ])('is not %j', (key) => {
    expect(isWellFormedKey(key)).toBe(false);
  });
});
