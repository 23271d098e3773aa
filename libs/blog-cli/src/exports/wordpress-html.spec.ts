import { wordPressHtml, type WordPressSite } from './wordpress-html.ts';

const picture = (name: string) => ({
  url: `https://old.example.com/${name}.png`,
  parent: '7',
  alt: 'A “pot”',
  caption: '',
});
const site: WordPressSite = {
  url: 'https://old.example.com/blog',
  attachments: new Map([
    ['1', picture('a')],
    ['2', { ...picture('b'), parent: '', caption: 'Two' }],
    ['3', { ...picture('c'), url: 'https://old.example.com/c.pdf' }],
  ]),
  sharedBlocks: new Map([
    ['8', '<!-- wp:paragraph -->\n<p>Taste it.</p>\n<!-- /wp:paragraph -->'],
    ['9', '<!-- wp:block {"ref":9} /--><!-- wp:block {"ref":9} /-->'],
  ]),
};
const shown = (content: string) => wordPressHtml(content, '7', site);
const [a, b] = [
  '<figure><img src="https://old.example.com/a.png" alt="A “pot”"></figure>',
  '<figure><img src="https://old.example.com/b.png" alt="A “pot”"><figcaption>Two</figcaption></figure>',
];

describe('content of blocks', () => {
  it('has what posts share, without end where that has itself', () => {
    expect(shown('<!-- wp:block {"ref":8} /-->').html).toBe('<p>Taste it.</p>');
    expect(shown('<!-- wp:block {"ref":9} /-->')).toMatchObject({ html: '', lostBlocks: ['block'] });
  });

  it('names the blocks that only WordPress can show, and no others', () => {
    const content =
      '<!-- wp:paragraph {"dropCap":true} -->\n<p>One.</p>\n<!-- /wp:paragraph -->\n<!-- wp:latest-posts {"a":{"b":1}} /-->\n<!-- wp:a-plugin/form /-->';
    expect(shown(content)).toMatchObject({ html: '<p>One.</p>', lostBlocks: ['latest-posts', 'a-plugin/form'] });
  });

  it('links to what WordPress would embed', () => {
    const content =
      '<!-- wp:embed -->\n<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://films.example/?v=1&amp;t=2\n</div></figure>\n<!-- /wp:embed -->';
    expect(shown(content).html).toContain(
      '>\n<a href="https://films.example/?v=1&amp;t=2">https://films.example/?v=1&amp;t=2</a>\n</div>',
    );
  });
});

describe('shortcodes', () => {
  it.each([
    ['[gallery ids="1, 2,3,4"]', `${a}\n${b}`],
    ['[gallery]', a],
    [
      '[embed width="9"]https://films.example/1[/embed]',
      '<p><a href="https://films.example/1">https://films.example/1</a></p>',
    ],
    ['https://films.example/1', '<p><a href="https://films.example/1">https://films.example/1</a></p>'],
    [
      '[audio mp3="https://old.example.com/a.mp3"][/audio]',
      '<audio controls src="https://old.example.com/a.mp3"></audio>',
    ],
    [
      '[caption caption="Two"]<img src="/b.png">[/caption]',
      '<figure><img src="https://old.example.com/b.png"><figcaption>Two</figcaption></figure>',
    ],
  ])('of WordPress become HTML: %s', (content, html) => {
    expect(shown(content)).toEqual({ html, shortcodes: [], lostBlocks: [] });
  });

  it('of others stay, and are named; those in code and those that are escaped are none', () => {
    const content = '[form to="me"] [[gallery]] <code>[gallery]</code> [1] […]\n\n[gallery ids="99"]';
    expect(shown(content)).toEqual({
      html: '<p>[form to="me"] [gallery] <code>[gallery]</code> [1] […]</p>\n<p>[gallery ids="99"]</p>',
      shortcodes: ['form', 'gallery'],
      lostBlocks: [],
    });
  });
});

it('has links and images of its own site with its address, but leaves code alone', () => {
  const content =
    '<a href="/b/?a=1&amp;c">x</a> <img src="//cdn.example/x.png"> <code>a href="/b"</code> <a href="#c">y</a>';
  expect(shown(content).html).toBe(
    '<p><a href="https://old.example.com/b/?a=1&amp;c">x</a> <img src="https://cdn.example/x.png"> <code>a href="/b"</code> <a href="#c">y</a></p>',
  );
});
