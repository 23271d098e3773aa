import { changeOutside, CODE, COMMENT, replaceSpans } from './spans.ts';

const upper = (text: string) => text.toUpperCase();

describe('parts of a text', () => {
  it('go from one start to the next end, and are ignored without an end', () => {
    const marked = (text: string) => replaceSpans(text, COMMENT, ({ whole, inner }) => `[${whole.length}:${inner}]`);
    expect(marked('a<!--b<!--c-->d-->e<!---->f<!--')).toBe('a[13:b<!--c]d-->e[7:]f<!--');
  });

  it('end where their own element ends', () => {
    const html = 'a<pre>b<code>c</code>d</PRE>e<script >f</pre>g<code>h</code><predict>i</predict>';
    expect(changeOutside(html, CODE, upper)).toBe(
      'A<pre>b<code>c</code>d</PRE>E<SCRIPT >F</PRE>G<code>h</code><PREDICT>I</PREDICT>',
    );
  });
});
