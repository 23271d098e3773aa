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

  it('have a block for each file', () => {
    const files = snippets('https://blog.example', KEY).map(({ name, file, more = [] }) => [
      name,
      ...(file === undefined ? [] : [file]),
      ...more.map((each) => each.file),
    ]);
    expect(files).toEqual([
      ['curl'],
      ['npm package'],
      ['JavaScript', 'posts.mjs'],
      ['Astro', 'src/content.config.ts', 'src/pages/blog/[slug].astro'],
      ['Next', 'app/blog/[slug]/page.jsx'],
      ['Eleventy', '_data/posts.mjs', 'post.njk'],
      ['Hugo', 'content/blog/_content.gotmpl', 'hugo.toml'],
    ]);
    const [frontMatter] = snippets('https://blog.example', KEY).find(({ name }) => name === 'Eleventy')?.more ?? [];
    expect(frontMatter?.code).toMatch(/^---\n/);
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
