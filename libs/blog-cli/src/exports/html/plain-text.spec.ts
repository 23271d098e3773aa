import { attributeValue, plainText } from './plain-text.ts';

describe('the text of a title', () => {
  it.each([
    ['R&amp;D', 'R&D'],
    ['Salt &amp; &quot;pepper&quot; <em>now</em>', 'Salt & "pepper" now'],
    ['It&#8217;s &#x1F35C;, &hellip;', 'It’s 🍜, …'],
    ['Soup & <bread>', 'Soup & <bread>'],
    ['Cr&egrave;me &middot; &frac12; &CounterClockwiseContourIntegral;', 'Crème · ½ ∳'],
    ['&#150; &copy &amp;lt;', '– &copy &lt;'],
    ['<p>One.</p>\n<p>Two.<br />Three.</p>', 'One. Two. Three.'],
    ['&unknown; &#9999999; 1 < 2 > 0', '&unknown; \uFFFD 1 < 2 > 0'],
  ])('is what WordPress shows for %j', (html, text) => {
    expect(plainText(html)).toBe(text);
  });
});

it('is escaped once in an attribute, whether or not it was before', () => {
  for (const text of ['Salt & "pepper" <now>', 'Salt &amp; &#034;pepper&quot; &lt;now&gt;'])
    expect(attributeValue(text)).toBe('Salt &amp; &quot;pepper&quot; &lt;now>');
});
