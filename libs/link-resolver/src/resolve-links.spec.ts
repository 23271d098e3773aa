import { resolve } from '../test/resolve.ts';
import { spellsPlaceholder } from '../test/spells-placeholder.ts';
import { compileContent } from './compile-content.ts';
import { linkCharacters, MAX_LINK_CHARACTERS } from './resolve-links.ts';

const KNOWN = '<a href="https://site.example/blog/known/">Known</a>';

describe('a link to a published post', () => {
  it('gets the address of the post on the project’s site', () => {
    expect(resolve('<p>See <a href="[INTERNAL:known]">this</a>.</p>')).toBe(
      '<p>See <a href="https://site.example/blog/known/">this</a>.</p>',
    );
  });

  it('is root-relative when the project has no site address', () => {
    expect(resolve('<a href="[INTERNAL:known]">x</a>', { siteUrl: null })).toBe('<a href="/blog/known/">x</a>');
  });

  it('keeps the other attributes and the inner HTML byte for byte', () => {
    expect(resolve(`<A  class='c d' HREF = "[INTERNAL:known]"\n data-n=1 hidden><b>in</b> <!-- c --></A >`)).toBe(
      `<A  class='c d' HREF = "https://site.example/blog/known/"\n data-n=1 hidden><b>in</b> <!-- c --></A >`,
    );
  });

  it.each([
    ["<a href='[INTERNAL:known]' id=x>t</a>", '<a href="https://site.example/blog/known/" id=x>t</a>'],
    ['<a href=[INTERNAL:known] id=x>t</a>', '<a href="https://site.example/blog/known/" id=x>t</a>'],
    ['<a href=[INTERNAL:known]>t</a>', '<a href="https://site.example/blog/known/">t</a>'],
  ])('is double-quoted after any quotes: %s', (html, expected) => {
    expect(resolve(html)).toBe(expected);
  });

  it('does not double the slash of a site address', () => {
    expect(resolve('[INTERNAL:known]', { siteUrl: 'https://site.example/base///' })).toBe(
      '<a href="https://site.example/base/blog/known/">Known</a>',
    );
  });

  it('escapes the site address for its attribute', () => {
    expect(resolve('<a href="[INTERNAL:known]">x</a>', { siteUrl: 'https://site.example/"><i>&' })).toBe(
      '<a href="https://site.example/&quot;&gt;&lt;i&gt;&amp;/blog/known/">x</a>',
    );
  });

  it.each([
    ['#part', '#part'],
    ['?a=1', '?a=1'],
    ['?a=1&amp;b=2#c', '?a=1&amp;b=2#c'],
    ['?a=1&b=2', '?a=1&amp;b=2'],
    ['&#35;part', '#part'],
    ['&num;part', '#part'],
    ['%23part', '#part'],
    ['%3Fa=1', '?a=1'],
    ['?q=<b>', '?q=&lt;b&gt;'],
    ['#part ', '#part'],
  ])('keeps the query and the fragment, escaped: %s', (rest, expected) => {
    expect(resolve(`<a href="[INTERNAL:known]${rest}">x</a>`)).toBe(
      `<a href="https://site.example/blog/known/${expected}">x</a>`,
    );
  });

  it('escapes double quotes that stood between single quotes', () => {
    expect(resolve(`<a href='[INTERNAL:known]?q="a"'>x</a>`)).toBe(
      '<a href="https://site.example/blog/known/?q=&quot;a&quot;">x</a>',
    );
  });

  it('follows the first href when there are two', () => {
    expect(resolve('<a href="[INTERNAL:known]" href="/x">t</a>')).toBe(
      '<a href="https://site.example/blog/known/" href="/x">t</a>',
    );
    expect(resolve('<a href="/x" href="[INTERNAL:known]">t</a>')).toBe('<a href="/x">t</a>');
  });
});

describe('a link to anything else', () => {
  it.each([
    ['an unknown post', '[INTERNAL:unknown]'],
    ['the post itself', '[INTERNAL:me]'],
    ['the post itself in capitals', '[INTERNAL:ME]'],
    ['no slug', '[INTERNAL:]'],
    ['an invalid slug', '[INTERNAL:not a slug!]'],
    ['a slug with two hyphens in a row', '[INTERNAL:a--b]'],
    ['a letter that only looks like ASCII in lower case', '[INTERNAL:\u212anown]'],
    ['a placeholder without an end', '[INTERNAL:known'],
    ['a placeholder after something', 'https://site.example/[INTERNAL:known]'],
    ['a placeholder before something', '[INTERNAL:known]/more'],
    ['two placeholders', '[INTERNAL:known]#[INTERNAL:known]'],
  ])('is unwrapped and keeps its inner HTML: %s', (_, href) => {
    expect(resolve(`<p>a <a class="c" href="${href}" id="i">in <b>b</b></a> z</p>`)).toBe('<p>a in <b>b</b> z</p>');
  });

  it('is unwrapped also when the post is known by a name of Object.prototype', () => {
    expect(resolve('<a href="[INTERNAL:constructor]">x</a>')).toBe('x');
  });

  it('leaves the end tags of other links alone', () => {
    expect(resolve('<a href="/1">x<a href="[INTERNAL:no]">y</a>z</a>')).toBe('<a href="/1">xyz</a>');
    expect(resolve('<a href="[INTERNAL:no]">x<a href="/1">y</a>z</a>')).toBe('x<a href="/1">y</a>z');
  });

  it('keeps a stray end tag', () => {
    expect(resolve('x</a><a href="[INTERNAL:no]">y</a></a>')).toBe('x</a>y</a>');
  });
});

describe('a bare placeholder', () => {
  it('becomes a link with the title of its post', () => {
    expect(resolve('<p>See [INTERNAL:known].</p>')).toBe(`<p>See ${KNOWN}.</p>`);
  });

  it('escapes the title', () => {
    expect(resolve('[INTERNAL:two-words]')).toContain('>Fish &amp; &lt;Chips&gt; &quot;today&quot;</a>');
  });

  it.each([
    ['unknown', '[INTERNAL:unknown]'],
    ['the post itself', '[INTERNAL:me]'],
    ['an invalid slug', '[INTERNAL:Not A Slug!]'],
    ['a slug that is too long', `[INTERNAL:${'a'.repeat(201)}]`],
    ['a slug that is much too long', `[INTERNAL:${'a'.repeat(20_000)}]`],
    ['an empty slug', '[INTERNAL: ]'],
  ])('disappears: %s', (_, placeholder) => {
    expect(resolve(`<p>a ${placeholder}z</p>`)).toBe('<p>a z</p>');
  });

  it('accepts a slug of 200 characters', () => {
    const slug = 'a'.repeat(200);
    expect(resolve(`[INTERNAL:${slug}]`, { targets: new Map([[slug, { title: 'Long' }]]) })).toContain('>Long</a>');
  });

  it('is the title alone inside a link, since links do not nest', () => {
    expect(resolve('<a href="/x">see <b>[INTERNAL:known]</b></a> [INTERNAL:known]')).toBe(
      `<a href="/x">see <b>Known</b></a> ${KNOWN}`,
    );
    expect(resolve('<a href="[INTERNAL:two-words]">see [INTERNAL:known]</a>')).toBe(
      '<a href="https://site.example/blog/two-words/">see Known</a>',
    );
  });

  it('is a link inside a link that was unwrapped', () => {
    expect(resolve('<a href="[INTERNAL:no]">see [INTERNAL:known]</a>')).toBe(`see ${KNOWN}`);
    expect(resolve('<a href="[INTERNAL:-]">see [INTERNAL:known]</a>')).toBe(`see ${KNOWN}`);
  });

  it.each(['script', 'style', 'textarea', 'title', 'iframe', 'noframes', 'xmp'])('is only removed in <%s>', (name) => {
    expect(resolve(`<${name}>a <a href="/">[INTERNAL:known]</a></${name}>[INTERNAL:known]`)).toBe(
      `<${name}>a <a href="/"></a></${name}>${KNOWN}`,
    );
  });

  it.each(['<!-- a [INTERNAL:known]b -->', '<!doctype a [INTERNAL:known]b>', '<?a [INTERNAL:known]b?>'])(
    'is only removed in %s',
    (html) => {
      expect(resolve(`${html}x`)).toBe(`${html.replace('[INTERNAL:known]', '')}x`);
    },
  );
});

describe('a placeholder in any other attribute', () => {
  it.each([
    ['<img src="[INTERNAL:known]" alt="a">', '<img alt="a">'],
    ['<img alt="a"\n  src="[INTERNAL:known]">', '<img alt="a">'],
    ['<img alt="see [INTERNAL:known] there" src="/i.png" />', '<img src="/i.png" />'],
    ['<img title=[INTERNAL:known] src="/i.png">', '<img src="/i.png">'],
    ['<img data-x="[INTERNAL:known]"src="/i.png">', '<img src="/i.png">'],
    ['<img width=1 data-x="[INTERNAL:known]"/>', '<img width=1 />'],
    ['<p [INTERNAL:known]>', '<p>'],
    ['<p x[INTERNAL:known]="1" y>', '<p y>'],
    ['<area href="[INTERNAL:known]">', '<area>'],
    ['<a title="[INTERNAL:known]" href="/x">t</a>', '<a href="/x">t</a>'],
    ['<a xlink:href="[INTERNAL:known]">t</a>', '<a>t</a>'],
    ['<b>t</b title="[INTERNAL:known]">', '<b>t</b>'],
  ])('is removed with the attribute: %s', (html, expected) => {
    expect(resolve(html)).toBe(expected);
  });

  it('is removed from a link that is resolved', () => {
    expect(resolve('<a title="[INTERNAL:known]" href="[INTERNAL:known]" class="[INTERNAL:x]">t</a>')).toBe(
      '<a href="https://site.example/blog/known/">t</a>',
    );
  });
});

describe('a placeholder in any spelling', () => {
  const spellings = [
    '[internal:known]',
    '[Internal:KNOWN]',
    '[INTERNAL: known ]',
    '[INTERNAL:&nbsp;known&#32;]',
    '%5BINTERNAL:known%5D',
    '%5bINTERNAL%3aknown%5d',
    '%5B%49%4E%54%45%52%4e%41%4c%3A%6B%6E%6F%77%6E%5D',
    '&#91;INTERNAL:known&#93;',
    '&#0091;INTERNAL:known&#000093;',
    '&#x5b;INTERNAL&#x3a;known&#x5D;',
    '&#X005B;INTERNAL:known&#X005D;',
    '&#91INTERNAL&#58known&#93',
    '&#x5bINTERNAL:known&#x5d',
    '&lbrack;INTERNAL&colon;known&rbrack;',
    '&lsqb;INTERNAL:known&rsqb;',
    '[I&#78;TERNAL:kno&#x77;n]',
    '&#37;5BINTERNAL:known&#37;5D',
    '&percnt;5BINTERNAL:known]',
  ];

  it.each(spellings)('is found in text: %s', (spelling) => {
    expect(resolve(`a ${spelling} z`)).toBe(`a ${KNOWN} z`);
  });

  it.each(spellings)('is found in an href: %s', (spelling) => {
    expect(resolve(`<a href="${spelling}#f">t</a>`)).toBe('<a href="https://site.example/blog/known/#f">t</a>');
  });

  it.each(spellings)('is found in another attribute: %s', (spelling) => {
    expect(resolve(`<img alt="${spelling}" src="/i.png">`)).toBe('<img src="/i.png">');
  });

  it.each([
    '%255BINTERNAL%253Aknown%255D',
    '%25255BINTERNAL:known%25255D',
    '&amp;#91;INTERNAL:known&amp;#93;',
    '&amp;amp;lsqb;INTERNAL:known]',
    '%26%2391%3BINTERNAL:known]',
    '&%23x5b;INTERNAL:known]',
    '&#91&semi;INTERNAL:known]',
    '&lsqb&#59;INTERNAL:known]',
  ])('is text when it is encoded more than once: %s', (text) => {
    expect(resolve(text)).toBe(text);
    expect(resolve(`<img alt="${text}">`)).toBe(`<img alt="${text}">`);
  });

  it('is only a placeholder when it is spelled to the end', () => {
    const text = '[INTERNAL] [INTERNAL known] INTERNAL:known] [EXTERNAL:known] %5BINTERN &#91; [ INTERNAL:x]';
    expect(resolve(text)).toBe(text);
  });
});

describe('a placeholder without an end', () => {
  it.each([
    ['<p>a [INTERNAL:known and more</p>', '<p>a known and more</p>'],
    ['<p>a [INTERNAL:<b>known</b>] z</p>', '<p>a <b>known</b>] z</p>'],
    ['a [INTERNAL:[INTERNAL:known] z', `a ${KNOWN} z`],
    ['a [INTERNAL:', 'a '],
    ['a [INTERNAL&#58;', 'a '],
    ['a %5BINTERNAL%3', 'a %5BINTERNAL%3'],
  ])('loses its opener and keeps the words: %s', (html, expected) => {
    expect(resolve(html)).toBe(expected);
  });

  it('does not swallow prose up to a bracket far away', () => {
    const prose = 'some words of prose '.repeat(20);
    expect(resolve(`[INTERNAL: ${prose}]`)).toBe(` ${prose}]`);
  });

  it.each([
    ['<p>a</p><a href="[INTERNAL:known', '<p>a</p><a href="known'],
    ['<p>a</p><!-- [INTERNAL:known] b', '<p>a</p><!--  b'],
    ['<p>a</p><script>[INTERNAL:known] b', '<p>a</p><script> b'],
    ['<p>a</p><a [INTERNAL:known]', '<p>a</p><a '],
  ])('is removed from a construct without an end: %s', (html, expected) => {
    expect(resolve(html)).toBe(expected);
  });
});

describe('a placeholder that is formed only when something else is taken out', () => {
  it.each([
    ['by a bare one that disappears', '[INTER[INTERNAL:x]NAL:y]', ''],
    ['by several levels', 'a[INT[INTER[INTERNAL:x]NAL:y]ERNAL:z]b', 'ab'],
    ['by a link that is unwrapped', 'a[INTER<a href="[INTERNAL:x]">NAL:y]</a>b', 'ab'],
    ['by a title put between', '<a href="/x">[INTER[INTERNAL:tail]known]</a>', '<a href="/x"></a>'],
    ['by half an escape', 'a%5[INTERNAL:x]BINTERNAL:known]b', 'ab'],
    ['by half a reference', 'a&#9[INTERNAL:x]1;INTERNAL:known]b', 'ab'],
  ])('is removed: %s', (_, html, expected) => {
    const resolved = resolve(html);
    expect(resolved).toBe(expected);
    expect(spellsPlaceholder(resolved)).toBe(false);
  });

  it('is removed when it comes from a title', () => {
    expect(resolve('[INTERNAL:sly]')).toBe('<a href="https://site.example/blog/sly/">a  b</a>');
  });

  it('is removed when it comes from the site address', () => {
    expect(spellsPlaceholder(resolve('[INTERNAL:known]', { siteUrl: 'https://[INTERNAL:x]' }))).toBe(false);
  });
});

describe('taking a placeholder out', () => {
  it.each([
    ['<[INTERNAL:x]script>', '&lt;script>'],
    ['<<a href="[INTERNAL:x]">script>', '&lt;script>'],
    ['<[INTERNAL:?]script>', '&lt;script>'],
    ['<a href="/x"><[INTERNAL:tail]</a>', '<a href="/x">&lt;NAL:</a>'],
    ['<[INTER[INTERNAL:x]NAL:script>', '< script>'],
    ['<[INTER[INTERNAL:x]NAL:[INTERNAL:script>', '< script>'],
    ['<scr[INTERNAL:x]ipt>alert(1)</scr[INTERNAL:x]ipt>', 'alert(1)'],
    ['<script>"</scr[INTERNAL:x]ipt>"</script>', '<script></script>'],
    ['a<!-- -[INTERNAL:x]-> <img> -->b', 'ab'],
    ['a<!-[INTERNAL:x]- b>c', 'ac'],
  ])('makes no markup: %s', (html, expected) => {
    expect(resolve(html)).toBe(expected);
  });
});

describe('the links of a post', () => {
  const siteUrl = `https://site.example/${'&'.repeat(2_000)}`;

  it('add no more than their bound, so that few bytes do not become a hundred times as many', () => {
    const content = '[INTERNAL:known]'.repeat(31_250);
    const resolved = resolve(content, { siteUrl });
    expect(resolved.length).toBeLessThanOrEqual(MAX_LINK_CHARACTERS);
    expect(resolved).toContain('/blog/known/">Known</a>');
  });

  it('keep their anchor text behind that bound', () => {
    const resolved = resolve('<a href="[INTERNAL:known]">text</a>'.repeat(1_000), { siteUrl });
    expect(resolved.startsWith('<a href="https://site.example/')).toBe(true);
    expect(resolved.endsWith('texttext')).toBe(true);
    expect(resolved.match(/text/g)).toHaveLength(1_000);
  });

  it('add about as many characters as is known before', () => {
    const html = '<p><a href="[INTERNAL:known]">text</a> [INTERNAL:known] [INTERNAL:unknown] [INTERNAL:self]</p>';
    const segments = compileContent(html);
    const links = { siteUrl: 'https://site.example', targets: new Map([['known', { title: 'Known' }]]), self: 'self' };
    const address = 'https://site.example/blog/known'.length;
    expect(linkCharacters(segments, links)).toBe(2 * address + 'Known'.length);
    const many = compileContent('<a href="[INTERNAL:known]">text</a>'.repeat(1_000));
    expect(linkCharacters(many, { ...links, siteUrl })).toBe(MAX_LINK_CHARACTERS);
  });

  it('are all there in a post of 1,600 ordinary ones', () => {
    const resolved = resolve('<a href="[INTERNAL:known]">text</a>'.repeat(1_600));
    expect(resolved.match(/<a href="https:\/\/site\.example\/blog\/known\/">/g)).toHaveLength(1_600);
  });
});
