import { countWords } from './count-words.ts';

describe('word_count (contract §2.2)', () => {
  it.each([
    ['', 0],
    ['   \n\t ', 0],
    ['<p></p><p> </p>', 0],
    ['plain text', 2],
    ['<p>one</p><p>two</p>', 2],
    ['un<b>real</b>', 1],
    ['<p>un<b>re</b><i>al</i> <a href="/x">link text</a></p>', 3],
    ['<ul><li>one</li><li>two</li></ul>', 2],
    ['<table><tr><td>one</td><td>two</td></tr></table>', 2],
    ['one<br>two<hr>three', 3],
    ['<h2>Head</h2>text<blockquote>quote</blockquote>', 3],
    ['<figure><img src="a b c" alt="not these words"><figcaption>caption</figcaption></figure>', 1],
    ['long<wbr>word and so<span>me</span>', 3],
  ])('%j has %i', (html, words) => {
    expect(countWords(html)).toBe(words);
  });

  it('decodes entities before it looks for white space', () => {
    expect(countWords('one&nbsp;two&#32;three')).toBe(3);
    expect(countWords('Tom&amp;Jerry &lt;b&gt;')).toBe(2);
    expect(countWords('caf&eacute;s')).toBe(1);
  });

  it('does not count what is no text of the page: scripts, styles, comments, contents of frames', () => {
    expect(countWords('<p>one</p><script>var two = "<p>three</p>";</script><style>p { color: red }</style>')).toBe(1);
    expect(countWords('<p>one</p><iframe>two <p>three</p></iframe><textarea>four &lt;p> five</textarea>')).toBe(4);
    expect(countWords('one<!-- two three -->')).toBe(1);
    expect(countWords('<STYLE>a b</STYLE>one')).toBe(1);
  });

  it('accepts broken HTML', () => {
    expect(countWords('<p>one<p>two')).toBe(2);
    expect(countWords('</p>one</script> two')).toBe(2);
    expect(countWords('one <a href="')).toBe(1);
    expect(countWords('2 < 3')).toBe(3);
  });
});
