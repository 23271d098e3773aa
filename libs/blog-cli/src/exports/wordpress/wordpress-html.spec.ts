import { wordPressHtml, type WordPressSite } from './wordpress-html.ts';

const picture = (name: string) => ({
  url: `https://old.example.com/${name}.png`,
  alt: 'A “pot”',
  caption: '',
});
const site: WordPressSite = {
  url: 'https://old.example.com/blog',
  pictures: new Map([
    ['1', picture('a')],
    ['2', { ...picture('b'), caption: 'Two' }],
  ]),
  picturesOf: new Map([['7', [picture('a')]]]),
  sharedBlocks: new Map([
    ['8', { title: 'A tip', content: '<!-- wp:paragraph -->\n<p>Taste it.</p>\n<!-- /wp:paragraph -->' }],
    ['9', { title: 'A mirror', content: '<!-- wp:block {"ref":9} /--><!-- wp:block {"ref":9} /-->' }],
    ['10', { title: 'A secret', content: null }],
    ['11', { title: 'A book', content: `<p>${'x'.repeat(200_000)}</p>` }],
  ]),
};
const shown = (content: string) => wordPressHtml(content, '7', site);
const [a, b] = [
  '<figure><img src="https://old.example.com/a.png" alt="A “pot”"></figure>',
  '<figure><img src="https://old.example.com/b.png" alt="A “pot”"><figcaption>Two</figcaption></figure>',
];

describe('content of blocks', () => {
  it('has shared blocks, and stops where one contains itself', () => {
    expect(shown('<!-- wp:block {"ref":8} /-->').html).toBe('<p>Taste it.</p>');
    expect(shown('<!-- wp:block {"ref":9} /-->')).toMatchObject({ html: '', lostShared: ['A mirror'] });
    expect(shown('<!-- wp:block {"ref":99} /-->')).toMatchObject({ html: '', lostBlocks: ['block'] });
  });

  it('drops shared blocks that are not public, and names them', () => {
    expect(shown('<!-- wp:block {"ref":10} /--><p>x</p>')).toMatchObject({
      html: '<p>x</p>',
      lostShared: ['A secret'],
    });
  });

  it('has as many shared blocks as the service accepts, and names the rest', () => {
    const { html, lostShared } = shown('<!-- wp:block {"ref":11} /-->\n'.repeat(1_000));
    expect(html.match(/x{200000}/g)).toHaveLength(2);
    expect(lostShared).toEqual(['A book']);
  });

  it.each(['premium-content/container', 'jetpack/paywall'])('is not public after the block %s', (name) => {
    expect(shown(`<p>x</p><!-- wp:${name} {"a":1} --><p>y</p><!-- /wp:${name} -->`).gates).toEqual([name]);
    expect(shown(`<p>x</p><!-- wp:${name} /--><p>y</p>`).gates).toEqual([name]);
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
    ['[gallery ids="1, 2,4"]', `${a}\n${b}`],
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
    expect(shown(content)).toMatchObject({ html, shortcodes: [], lostBlocks: [], gates: [] });
  });

  it('of others stay, and are named, except in code or escaped', () => {
    const content = '[form to="me"] [[gallery]] <code>[gallery]</code> [1] […]\n\n[gallery ids="99"]';
    expect(shown(content)).toMatchObject({
      html: '<p>[form to="me"] [gallery] <code>[gallery]</code> [1] […]</p>\n<p>[gallery ids="99"]</p>',
      shortcodes: ['form', 'gallery'],
      lostBlocks: [],
      gates: [],
    });
  });

  it('of others may hide what they enclose, even code', () => {
    expect(shown('[membership level="2"]\n\n<pre>x</pre>\n\n[/membership] [form]').gates).toEqual(['membership']);
    for (const content of ['[b] [/i]', '<code>[b]x[/b]</code>', '[caption]x[/caption]'])
      expect(shown(content).gates).toEqual([]);
  });

  it('make no more images than the service accepts', () => {
    const { html, shortcodes } = shown(`[gallery ids="${'1,'.repeat(20_000)}"]\n\n[gallery]`);
    expect(html).toContain(`${a}</p>`.replace('</p>', ''));
    expect(html.length).toBeLessThan(500_000);
    expect(shortcodes).toEqual(['gallery']);
  });
});

it('makes links and images of its own site absolute, but leaves code alone', () => {
  const content =
    '<a href="/b/?a=1&amp;c">x</a> <img src="//cdn.example/x.png"> <code>a href="/b"</code> <a href="#c">y</a>';
  expect(shown(content.replace('&amp;', '&#038;')).html).toBe(shown(content).html);
  expect(shown(content).html).toBe(
    '<p><a href="https://old.example.com/b/?a=1&amp;c">x</a> <img src="https://cdn.example/x.png"> <code>a href="/b"</code> <a href="#c">y</a></p>',
  );
});

describe('URLs that WordPress embeds', () => {
  const video = 'https://youtu.be/dQw4w9WgXcQ';
  it.each([
    ['a line of a classic post', `One.\n\n${video}\n\nTwo.`],
    ['a shortcode', `[embed width="9"]${video}[/embed]`],
    [
      'a block',
      `<!-- wp:embed {"url":"x"} -->\n<figure class="wp-block-embed is-provider-youtube"><div class="wp-block-embed__wrapper">\n${video}\n</div></figure>\n<!-- /wp:embed -->`,
    ],
    [
      'a block of before',
      `<!-- wp:core-embed/youtube {"url":"x"} -->\n<figure class="wp-block-embed-youtube">\n${video}\n</figure>\n<!-- /wp:core-embed/youtube -->`,
    ],
    ['a block without HTML', `<!-- wp:embed {"url":"${video}"} /-->`],
    ['a line between blocks', `<!-- wp:paragraph -->\n<p>One.</p>\n<!-- /wp:paragraph -->\n\n${video}\n`],
    ['a paragraph of its own', `<!-- wp:paragraph -->\n<p>${video}</p>\n<!-- /wp:paragraph -->`],
    ['a shortcode of a film', `[video width="9" src="${video}"][/video]`],
    ['a shortcode of Jetpack', `[youtube ${video}&amp;w=9]`],
  ])('become a frame where posts may have it: %s', (_what, content) => {
    const { html, shortcodes, lostBlocks } = shown(content);
    expect(html).toContain('<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"');
    expect([shortcodes, lostBlocks, html.includes('youtu.be')]).toEqual([[], [], false]);
  });

  it('become a link for another host, and stay text within a sentence or code', () => {
    expect(shown('https://example.com/a').html).toBe(
      '<p><a href="https://example.com/a">https://example.com/a</a></p>',
    );
    expect(shown(`See ${video} for it.`).html).not.toContain('<iframe');
    expect(shown(`<pre>\n${video}\n</pre>`).html).not.toContain('<iframe');
  });
});
