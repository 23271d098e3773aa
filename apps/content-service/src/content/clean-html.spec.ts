import { cleanHtml } from './clean-html.ts';

describe('cleaning of HTML on save (decisions “Content”)', () => {
  it.each([
    '<h2>A</h2><h3>B</h3><h4>C</h4><p>D <em>e</em> <strong>f</strong></p>',
    '<ul><li>a</li></ul><ol start="2"><li>b</li></ol><blockquote>c</blockquote>',
    '<table><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">b</td></tr></tbody></table>',
    '<pre><code class="language-ts">const a = 1 &lt; 2;</code></pre>',
    '<p class="lead" data-kind="x" style="color: red; text-align: center">a</p>',
    '<a href="https://other.example/">a</a><a href="mailto:a@b.example">b</a><a href="/x#y">c</a>',
  ])('keeps %s', (html) => {
    expect(cleanHtml(html)).toBe(html);
  });

  it.each(['[INTERNAL:tea]', '[INTERNAL:tea]#milk', '%5BINTERNAL:tea%5D'])('keeps the link placeholder %s', (href) => {
    expect(cleanHtml(`<a href="${href}">a</a> [INTERNAL:milk]`)).toBe(`<a href="${href}">a</a> [INTERNAL:milk]`);
  });

  it.each([
    ['<script>alert(1)</script><p>a</p>', '<p>a</p>'],
    ['<p onclick="alert(1)">a</p>', '<p>a</p>'],
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="java\nscript:alert(1)">a</a>', '<a>a</a>'],
    ['<img src="data:image/svg+xml,x">', '<img />'],
    ['<svg><script>alert(1)</script></svg><p>a</p>', '<p>a</p>'],
    ['<iframe src="https://evil.example/"></iframe>', '<iframe></iframe>'],
    ['<form action="https://evil.example/"><input name="a"></form>', ''],
    ['<p style="background:url(https://evil.example/)">a</p>', '<p>a</p>'],
    ['<p style="color:red;position:fixed;top:0">a</p>', '<p style="color:red; top:0">a</p>'],
    ['<p style="width:expression(alert(1))">a</p>', '<p>a</p>'],
    ['<p style="col\\6fr:red">a</p>', '<p>a</p>'],
    ['<style>p{}</style><p>a</p>', '<p>a</p>'],
    ['<!-- x --><p>a</p>', '<p>a</p>'],
    ['<object data="x"></object><embed src="x"><base href="https://evil.example/">', ''],
  ])('%s → %s', (html, cleaned) => {
    expect(cleanHtml(html)).toBe(cleaned);
  });

  it('keeps frames of listed hosts', () => {
    const html = '<iframe src="https://www.youtube-nocookie.com/embed/x"></iframe>';
    expect(cleanHtml(html)).toBe(html);
  });

  it('begins at h2 (spec §2.4.1)', () => {
    expect(cleanHtml('<h1>a</h1>')).toBe('<h2>a</h2>');
  });

  it('double-quotes src and writes it the same way on every occurrence', () => {
    expect(cleanHtml("<img src='https://cdn.example/a?b=1&c=2'><img src=https://cdn.example/a?b=1&amp;c=2>")).toBe(
      '<img src="https://cdn.example/a?b=1&amp;c=2" /><img src="https://cdn.example/a?b=1&amp;c=2" />',
    );
  });

  it('changes nothing the second time', () => {
    const once = cleanHtml('<h1 onclick=x>a</h1><p style="color:red;;position:fixed">b<script>c</script>&amp;');
    expect(cleanHtml(once)).toBe(once);
  });
});
