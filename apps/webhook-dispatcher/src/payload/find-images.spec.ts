import { findImages } from './build-payload.ts';

describe('images (contract §2.5, §6.6)', () => {
  it('lists every image in document order, duplicates collapsed', () => {
    const content =
      '<p><img src="https://c/b.png" alt="B"></p><img alt="A" src="https://c/a.png"><img src="https://c/b.png" alt="again">';
    expect(findImages(content, null)).toEqual([
      { url: 'https://c/b.png', alt: 'B' },
      { url: 'https://c/a.png', alt: 'A' },
    ]);
  });

  it('gives the url exactly as it is between the quotes of src', () => {
    const content = '<img src="https://c/x?a=1&amp;b=%C3%A4 " alt="x">';
    const [image] = findImages(content, null);
    expect(image?.url).toBe('https://c/x?a=1&amp;b=%C3%A4 ');
    expect(content).toContain(`src="${image?.url}"`);
  });

  it('decodes alt, and makes it empty when there is none', () => {
    expect(findImages('<img src="a" alt="Tea &amp; &quot;cake&quot; &lt;3">', null)).toEqual([
      { url: 'a', alt: 'Tea & "cake" <3' },
    ]);
    expect(findImages('<img src="a"><img src="b" alt><img src="c" alt="">', null).map(({ alt }) => alt)).toEqual([
      '',
      '',
      '',
    ]);
  });

  it('ignores other attributes, comments and text', () => {
    const content = `<!-- <img src="no"> --><img data-src="no" title=' src="no" > ' SRC = "yes" src="second"/><pre>&lt;img src="no"&gt;</pre>`;
    expect(findImages(content, null)).toEqual([{ url: 'yes', alt: '' }]);
  });

  it('has no image without an address, and never the hero', () => {
    expect(findImages('<img alt="x"><img src=""><img src="https://c/hero?a&amp;b">', 'https://c/hero?a&b')).toEqual([]);
  });

  it('treats URLs as equal that differ in the case of percent-escapes only', () => {
    const content =
      '<img src="https://c/%C3%A9.png" alt="A"><img src="https://c/%c3%a9.png" alt="B"><img src="https://c/%2f">';
    expect(findImages(content, 'https://c/%2F')).toEqual([{ url: 'https://c/%C3%A9.png', alt: 'A' }]);
  });

  it('is empty for a body without images', () => {
    expect(findImages('<p>Text</p>', null)).toEqual([]);
  });
});
