import { plainText } from './plain-text.ts';

describe('the text of a title', () => {
  it.each([
    ['R&amp;D', 'R&D'],
    ['Salt &amp; &quot;pepper&quot; <em>now</em>', 'Salt & "pepper" now'],
    ['It&#8217;s &#x1F35C;, &hellip;', 'It’s 🍜, …'],
    ['Soup & <bread>', 'Soup & <bread>'],
    ['<p>One.</p>\n<p>Two.<br />Three.</p>', 'One. Two. Three.'],
    ['&unknown; &#0; &#9999999; 1 < 2 > 0', '&unknown; &#0; &#9999999; 1 < 2 > 0'],
  ])('is what WordPress shows of %j', (html, text) => {
    expect(plainText(html)).toBe(text);
  });
});
