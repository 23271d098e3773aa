import type { RedirectFormat } from './format-redirects.ts';
import { mergeRedirects } from './merge-redirects.ts';

const to = (from: string, target: string) => ({ from: `/blog/${from}/`, to: `/blog/${target}/` });
const merge = (format: RedirectFormat, existing: string | null, ...redirects: ReturnType<typeof to>[]) =>
  mergeRedirects(redirects, { format, template: '/blog/{slug}/' }, existing);

describe('a file of redirects', () => {
  it.each(['netlify', 'caddy', 'nginx'] as const)(
    'keeps other lines after its own, also when repeated: %s',
    (format) => {
      const first = merge(format, 'one of mine\n', to('a', 'b'));
      expect(first.endsWith('\none of mine\n')).toBe(true);
      expect(first).toContain('/blog/a/');
      const mine = `mine before\n${first}`;
      const second = merge(format, mine, to('a', 'c'), to('b', 'c'));
      expect(second).toBe(`mine before\n${merge(format, null, to('a', 'c'), to('b', 'c'))}one of mine\n`);
      expect(merge(format, second, to('a', 'c'), to('b', 'c'))).toBe(second);
      expect(merge(format, second)).not.toContain('/blog/');
    },
  );

  it('is refused with one of its two markers', () => {
    const [begin = ''] = merge('netlify', null).split('\n');
    expect(() => merge('netlify', `${begin}\nmine\n`)).toThrow('one of the two marker lines');
  });

  it('keeps the settings of a vercel.json, and redirects of others', () => {
    const other = { source: '/blog/:path*', destination: '/articles/:path*', statusCode: 302 };
    const existing = JSON.stringify({ cleanUrls: true, redirects: [other] });
    const first = merge('vercel', existing, to('a', 'b'));
    const second = JSON.parse(merge('vercel', first, to('a', 'c'))) as object;
    expect(second).toEqual({
      cleanUrls: true,
      redirects: [
        { source: '/blog/a/', destination: '/blog/c/', permanent: true },
        { source: '/blog/a', destination: '/blog/c/', permanent: true },
        other,
      ],
    });
  });

  it.each(['{', '[]', '7', '{"redirects":{}}'])('refuses an invalid vercel.json: %s', (existing) => {
    expect(() => merge('vercel', existing)).toThrow('The file');
  });

  it('of JSON is the list alone', () => {
    expect(merge('json', 'anything', to('a', 'b'))).toBe(merge('json', null, to('a', 'b')));
  });
});
