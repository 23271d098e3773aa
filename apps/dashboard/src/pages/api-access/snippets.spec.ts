import { masked, snippets } from './snippets.ts';

const KEY = 'pk_live_0123456789abcdefghijklmnopqrstuv';

describe('the snippets of API access', () => {
  it('install the package that this deployment serves', () => {
    const { code = '' } = snippets('https://blog.example', KEY).find(({ name }) => name === 'npm package') ?? {};
    expect(code).toContain('npm install https://blog.example/packages/client.tgz\n');
    expect(code).toContain(`baseUrl: 'https://blog.example', key: '${KEY}'`);
  });

  it('are for curl, the package, JavaScript and four site generators', () => {
    expect(snippets('https://blog.example', KEY).map(({ name }) => name)).toEqual([
      'curl',
      'npm package',
      'JavaScript',
      'Astro',
      'Next',
      'Eleventy',
      'Hugo',
    ]);
  });

  it('hold the URL and the key, each on its own', () => {
    for (const { code } of snippets('https://blog.example', KEY)) {
      expect(code).toContain(KEY);
      expect(code).toMatch(/https:\/\/blog\.example(?:\/blog\/api\/v1\/public|')/);
    }
  });

  it('show no whole key while it is masked', () => {
    expect(masked(KEY)).toBe('pk_live_0123••••••••••••');
  });
});
