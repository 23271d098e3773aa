import { noteOnRelativeImages } from './relative-images.ts';

const noteOn = (paths: string) => [`Images stay paths on your site, and are not copied: ${paths}.`];

describe('images that a post shows by a path are named', () => {
  it.each([
    ['![A cup](./cup.png)', './cup.png'],
    ['![](cup.png "Title") and ![](/images/pot.jpg)', 'cup.png, /images/pot.jpg'],
    ['[![A](<../my cup.png>)](https://example.com)', '../my cup.png'],
    ['<img alt="x" src="./cup.png">\n\n![again](./cup.png)', './cup.png'],
    ['![A][cup]\n\n[cup]: ./cup.png "Title"', './cup.png'],
    ['![A][cup]\n\n[cup]: <my cup.JPG>', 'my cup.JPG'],
  ])('in Markdown: %s', (markdown, paths) => {
    expect(noteOnRelativeImages(markdown, 'markdown')).toEqual(noteOn(paths));
  });

  it('in HTML', () => {
    const html = `<p><IMG src='a.png'><img data-src="no.png" src="https://example.com/b.png">![not](c.png)</p>`;
    expect(noteOnRelativeImages(html, 'html')).toEqual(noteOn('a.png'));
  });

  it('up to ten of them', () => {
    const many = Array.from({ length: 12 }, (_, at) => `![](${at}.png)`).join('\n');
    expect(noteOnRelativeImages(many, 'markdown')[0]).toMatch(/: 0\.png, .*9\.png and 2 more\.$/);
  });

  it.each([
    '![](https://example.com/cup.png)',
    '![](//example.com/cup.png)',
    '![](data:image/png;base64,AA==)',
    '`![](cup.png)`\n\n    ![](cup.png)\n\n```\n<img src="cup.png">\n```',
    '[a link](./cup.png)',
    '[a link][soup]\n\n[soup]: ./soup.png.md',
  ])('but whole addresses, links and code are not: %s', (markdown) => {
    expect(noteOnRelativeImages(markdown, 'markdown')).toEqual([]);
  });
});
