import { cleanHtml } from '../../../content/clean-html.ts';
import { cleanContent } from '../../../content/content-functions.ts';
import { htmlToMarkdown } from './to-markdown.ts';

/** What readers of Markdown make of it. */
function rendered(markdown: string): string {
  const made = cleanContent({ field: 'content_markdown', markdown });
  if ('refused' in made) throw new Error(made.refused);
  return made.html.trim();
}

describe('HTML as Markdown', () => {
  it.each([
    ['<p>a <strong>b</strong> <em>c</em> <code>d</code></p>', 'a **b** *c* `d`'],
    ['<h2 id="a-b">A b</h2><p>c</p>', '## A b\n\nc'],
    ['<p><a href="/blog/x/" title="t">x</a></p>', '[x](/blog/x/ "t")'],
    ['<p><img src="../images/a.png" alt="a [b]" /></p>', '![a \\[b\\]](../images/a.png)'],
    ['<pre><code class="language-ts">a\n\nb</code></pre>', '```ts\na\n\nb\n```'],
    ['<p><del>a</del> <s>b</s></p>', '~~a~~ ~~b~~'],
    ['<p>H<sub>2</sub>O <kbd>*</kbd></p>', 'H<sub>2</sub>O <kbd>\\*</kbd>'],
    [
      '<table><thead><tr><th>a</th><th style="text-align:right">b</th></tr></thead><tbody><tr><td>1|2</td><td><em>3</em></td></tr></tbody></table>',
      '| a | b |\n| --- | ---: |\n| 1\\|2 | *3* |',
    ],
  ])('%s is %j', (html, markdown) => {
    expect(htmlToMarkdown(html)).toBe(markdown);
  });

  it.each([
    '<p style="text-align:center">a</p>',
    '<h2 id="other">A</h2>',
    '<figure><img src="https://x.example/a.png" alt="" /><figcaption>b</figcaption></figure>',
    '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
    '<details><summary>a</summary><p>b</p></details>',
    '<dl><dt>a</dt><dd>b</dd></dl>',
    '<p dir="rtl">a</p>',
    '<ol><li id="fn1">a</li></ol>',
  ])('keeps what Markdown has no form for: %s', (html) => {
    expect(cleanHtml(htmlToMarkdown(html))).toBe(html);
  });

  it.each([
    '<p>1. a</p>',
    '<p># a</p>',
    '<p>&lt;b&gt; &amp;amp; &amp;#35; * _ ~~ ` [a](b) ![c] \\ {{ d }} {% e %}</p>',
    '<p>a&lt;!-- b --&gt;</p>',
    '<p>- a</p><p>+ b</p><p>&gt; c</p>',
    '<p>snake_case and 2*3*4</p>',
    '<p>a[^1] [^1]: b</p>',
  ])('shows as text what showed as text: %s', (html) => {
    expect(rendered(htmlToMarkdown(html)).replaceAll('\n', '').replaceAll('&#123;', '{')).toBe(html);
  });

  it('has task lists, and anchors', () => {
    const html =
      '<ul><li class="task-list-item"><input type="checkbox" disabled checked /> a</li></ul><p><a id="x"></a>b <a id="y" href="#x">c</a></p>';
    const markdown = htmlToMarkdown(html);
    expect(rendered(markdown)).toContain('<li class="task-list-item"><input type="checkbox" disabled checked />');
    expect(rendered(markdown)).toMatch(/<a id="x"><\/a>b <a id="y"><\/a><a href="#x">c<\/a>/);
  });
});
