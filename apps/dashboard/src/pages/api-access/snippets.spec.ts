import { masked, snippets } from './snippets.ts';

const KEY = 'pk_live_0123456789abcdefghijklmnopqrstuv';

describe('the snippets of API access', () => {
  it('are for curl, JavaScript and four site generators', () => {
    expect(snippets('https://blog.example', KEY).map(({ name }) => name)).toEqual([
      'curl',
      'JavaScript',
      'Astro',
      'Next',
      'Eleventy',
      'Hugo',
    ]);
  });

  it('hold the address and the key, or import the one that does', () => {
    for (const { code } of snippets('https://blog.example', KEY)) {
      const whole = code.includes(KEY) && code.includes('https://blog.example/blog/api/v1/public');
      expect(whole || code.includes('blog.mjs')).toBe(true);
    }
  });

  it('show no whole key while it is masked', () => {
    expect(masked(KEY)).toBe('pk_live_0123••••••••••••');
  });
});
