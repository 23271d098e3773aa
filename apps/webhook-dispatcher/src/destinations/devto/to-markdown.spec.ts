import { toMarkdown } from './to-markdown.ts';

describe('Markdown of dev.to', () => {
  it('has headings, emphasis, lists, links, images and code of the HTML', () => {
    const html =
      '<h2>Hot</h2><p style="color: red"><strong>Tea</strong> &amp; <em>coffee</em></p><ul><li>a</li><li>b</li></ul>' +
      '<p><a href="https://x.example/a">x</a> <img src="https://x.example/a.png" alt="A"></p><pre><code>a &lt; b</code></pre>';
    expect(toMarkdown(html)).toBe(
      '## Hot\n\n**Tea** & _coffee_\n\n-   a\n-   b\n\n[x](https://x.example/a) ![A](https://x.example/a.png)\n\n```\na < b\n```',
    );
  });

  it('keeps tables as HTML, and frames as links', () => {
    const table = '<table><tbody><tr><td>a</td></tr></tbody></table>';
    expect(toMarkdown(table)).toBe(table);
    expect(toMarkdown('<iframe src="https://video.example/1"></iframe>')).toBe('<https://video.example/1>');
  });

  it.each([
    ['<p>{% raw %} {{ x }}</p>', '&#123;% raw %} &#123;&#123; x }}'],
    ['<p>{<span>% embed a %}</span></p>', '&#123;% embed a %}'],
    ['<img src="https://x.example/a.png" alt="{% a %}">', '![&#123;% a %}](https://x.example/a.png)'],
    ['<a href="https://x.example/" title="{% &quot;a&quot; %}">x</a>', '[x](https://x.example/ "&#123;% \\"a\\" %}")'],
    ['<iframe src="https://x.example/{%a"></iframe>', '<https://x.example/%7B%a>'],
    ['<p><a href="https://x.example/{{a}}">x</a></p>', '[x](https://x.example/%7B%7Ba}})'],
    ['<table><tr><td>{% a %}</td></tr></table>', '<table><tbody><tr><td>&#123;% a %}</td></tr></tbody></table>'],
  ])('has no tags of Liquid: %s', (html, markdown) => {
    expect(toMarkdown(html)).toBe(markdown);
  });

  it('leaves code unchanged', () => {
    const code = '&lt;a href="{{ x }}"&gt;{% y %}';
    expect(toMarkdown(`<pre><code>${code}</code></pre>`)).toBe('```\n<a href="{{ x }}">{% y %}\n```');
    expect(toMarkdown(`<p><code>${code}</code></p>`)).toBe('`<a href="{{ x }}">{% y %}`');
  });

  it('keeps the ends of URLs', () => {
    const html = '<a href="https://x.example/a_(b) c">x</a>';
    expect(toMarkdown(html)).toBe('[x](https://x.example/a_%28b%29%20c)');
  });
});
