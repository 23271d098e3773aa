import { cutContent } from './cut-content.ts';

const upper = (text: string) => text.replace(/\p{L}+/gu, (word) => word.toUpperCase());
const translated = (html: string, translate: (text: string) => string | undefined = upper) => {
  const cut = cutContent(html);
  return cut.put(cut.texts.map(translate));
};

describe('a content that is cut for a translation', () => {
  it('has a text for each block, with markers for what stays', () => {
    const html =
      '<h2>Hot water</h2>\n<p>Use <a href="[INTERNAL:kettles]#two" title="x">a <strong>kettle</strong></a> at <code>80 °C</code>.<br /></p><ul><li>One</li><li>Two &amp; three</li></ul>';
    expect(cutContent(html).texts).toEqual([
      'Hot water',
      'Use ⟦1⟧a ⟦2⟧kettle⟦/2⟧⟦/1⟧ at ⟦3⟧.⟦4⟧',
      'One',
      'Two & three',
    ]);
    expect(translated(html)).toEqual({
      html: '<h2>HOT WATER</h2>\n<p>USE <a href="[INTERNAL:kettles]#two" title="x">A <strong>KETTLE</strong></a> AT <code>80 °C</code>.<br /></p><ul><li>ONE</li><li>TWO &amp; THREE</li></ul>',
      left: [],
    });
  });

  it('keeps blocks of code, players and bare placeholders as they are', () => {
    const html =
      '<pre><code class="language-js">let tea = "<b>hot</b>";</code></pre><p>See [INTERNAL:tea] now.</p><iframe src="https://player.vimeo.com/video/1" title="Tea">Tea</iframe><p>12 %</p>';
    expect(cutContent(html).texts).toEqual(['See ⟦1⟧ now.']);
    expect(translated(html).html).toBe(
      '<pre><code class="language-js">let tea = "<b>hot</b>";</code></pre><p>SEE [INTERNAL:tea] NOW.</p><iframe src="https://player.vimeo.com/video/1" title="Tea">Tea</iframe><p>12 %</p>',
    );
  });

  it('translates what images say, wherever they stand', () => {
    const html =
      '<p>A cup <img src="https://a.example/a.png" alt="A &quot;cup&quot;" /> of tea</p><figure><img alt="" src="https://a.example/b.png" /><figcaption>Old</figcaption></figure>';
    expect(cutContent(html).texts).toEqual(['A cup ⟦1⟧ of tea', 'Old', 'A "cup"']);
    expect(translated(html).html).toBe(
      '<p>A CUP <img src="https://a.example/a.png" alt="A &quot;CUP&quot;" /> OF TEA</p><figure><img alt="" src="https://a.example/b.png" /><figcaption>OLD</figcaption></figure>',
    );
  });

  it('keeps a link around blocks, and white space around texts', () => {
    const html = '<a href="[INTERNAL:x]"><h3>Title</h3>\n<p> Text </p></a> <em>after</em> ';
    expect(cutContent(html).texts).toEqual(['Title', 'Text', '⟦1⟧after⟦/1⟧']);
    expect(translated(html).html).toBe('<a href="[INTERNAL:x]"><h3>TITLE</h3>\n<p> TEXT </p></a> <em>AFTER</em> ');
  });

  it('allows markers in another order', () => {
    const html = '<p>See <a href="[INTERNAL:a]">tea</a> and <em>cups</em>.</p>';
    expect(translated(html, () => '⟦2⟧Tassen⟦/2⟧ und ⟦1⟧Tee⟦/1⟧.').html).toBe(
      '<p><em>Tassen</em> und <a href="[INTERNAL:a]">Tee</a>.</p>',
    );
  });

  it.each([
    ['drops one', 'Siehe Tee und ⟦2⟧Tassen⟦/2⟧.'],
    ['repeats one', '⟦1⟧Tee⟦/1⟧ ⟦1⟧Tee⟦/1⟧ ⟦2⟧Tassen⟦/2⟧'],
    ['crosses them', '⟦1⟧Tee ⟦2⟧und⟦/1⟧ Tassen⟦/2⟧'],
    ['invents one', '⟦1⟧Tee⟦/1⟧ ⟦2⟧Tassen⟦/2⟧ ⟦3⟧'],
    ['is empty', ' '],
    ['is missing', undefined],
  ])('leaves a text as it was whose translation %s, and names it', (_how, answer) => {
    const html = '<p>See <a href="[INTERNAL:a]">tea</a> &amp; <em>cups</em>.</p>';
    expect(translated(html, () => answer)).toEqual({ html, left: ['See tea & cups.'] });
  });

  it('takes no markup and no placeholders from a translation', () => {
    expect(translated('<p>Tea</p>', () => 'Tee <script>x</script> [INTERNAL:secret] **fett**').html).toBe(
      '<p>Tee &lt;script&gt;x&lt;/script&gt; fett</p>',
    );
  });

  it('is the same again where nothing is translated', () => {
    const html =
      '<table><tbody><tr><td>Yew</td><td><strong>Box</strong></td></tr></tbody></table><blockquote><p>“Hm”</p></blockquote><p></p>';
    expect(translated(html, (text) => text)).toEqual({ html, left: [] });
  });
});
