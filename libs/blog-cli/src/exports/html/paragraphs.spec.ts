import { paragraphsOf } from './paragraphs.ts';

describe('text of the classic editor', () => {
  it.each([
    ['an empty line', 'One\ntwo.\n\nThree.', '<p>One<br>\ntwo.</p>\n<p>Three.</p>'],
    ['a heading', 'One.\n<h2>Two</h2>\nThree.', '<p>One.</p>\n<h2>Two</h2>\n<p>Three.</p>'],
    [
      'a paragraph with a style, which the editor writes as one',
      'One.\n\n<p style="text-align: center">Two.</p>\n\nThree.',
      '<p>One.</p>\n<p style="text-align: center">Two.</p>\n<p>Three.</p>',
    ],
    ['a list', 'One.\n<ul>\n \t<li>Two</li>\n</ul>', '<p>One.</p>\n<ul>\n<li>Two</li>\n</ul>'],
    ['a quote', '<blockquote>One.\n\nTwo.</blockquote>', '<blockquote><p>One.</p>\n<p>Two.</p></blockquote>'],
    ['a box of one line', '<div class="a">One.</div>', '<div class="a">One.</div>'],
    ['a box of two', '<div>One.\n\nTwo.</div>', '<div><p>One.</p>\n<p>Two.</p></div>'],
    ['lines of code', '<pre>one\n\n  two</pre>\nAfter.', '<pre>one\n\n  two</pre>\n<p>After.</p>'],
    ['a break that is there', 'One.<br />\nTwo.', '<p>One.<br />\nTwo.</p>'],
    ['a comment', 'One.\n\n<!--more-->\n\nTwo.', '<p>One.</p>\n<p>Two.</p>'],
    ['a table', '<table><tr><td>1</td></tr></table>', '<table>\n<tr>\n<td>1</td>\n</tr>\n</table>'],
    ['ends of lines of Windows', 'One.\r\n\r\nTwo.', '<p>One.</p>\n<p>Two.</p>'],
  ])('has the paragraphs that WordPress makes of %s', (_what, text, html) => {
    expect(paragraphsOf(text)).toBe(html);
  });
});
