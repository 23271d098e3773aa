import { decorateImages, type ShownImage } from './decorate-images.ts';

const base = 'https://images.example/p/abc';
const photo: ShownImage = {
  url: `${base}.jpg`,
  ext: 'jpg',
  width: 1_200,
  height: 800,
  isAnimated: false,
  alt: 'A <cup>',
};
const shown = (html: string, image = photo) => decorateImages(html, [image]);

describe('a stored image in published content', () => {
  it('gets its size, its variants, its alt text, and loads lazily', () => {
    expect(shown(`<p><img src="${base}.jpg" /></p>`)).toBe(
      [
        '<p><picture>',
        `<source type="image/avif" srcset="${base}-480.avif 480w, ${base}-960.avif 960w, ${base}-1200.avif 1200w" sizes="(max-width: 960px) 100vw, 960px" />`,
        `<source type="image/webp" srcset="${base}-480.webp 480w, ${base}-960.webp 960w, ${base}-1200.webp 1200w" sizes="(max-width: 960px) 100vw, 960px" />`,
        `<img src="${base}.jpg" alt="A &lt;cup&gt;" width="1200" height="800" loading="lazy" decoding="async"`,
        ` srcset="${base}-480.jpg 480w, ${base}-960.jpg 960w, ${base}.jpg 1200w" sizes="(max-width: 960px) 100vw, 960px" />`,
        '</picture></p>',
      ].join(''),
    );
  });

  it('takes time linear in its length with any blanks in the alt text', () => {
    const blanks = ' '.repeat(1_000_000);
    expect(shown(`<img src="${base}.jpg" alt="${blanks}" />`)).toContain(`alt="${blanks}" width="1200"`);
  });

  it('keeps its author’s attributes', () => {
    const given = `alt="" loading="eager" decoding="sync" width="300" height="200" class="wide" sizes="50vw"`;
    const html = shown(`<img src="${base}.jpg" ${given} />`);
    expect(html).toContain(`<img src="${base}.jpg" ${given} srcset="`);
    expect(html.match(/ sizes="50vw"/g)).toHaveLength(3);
    expect(html.match(/ alt=/g)).toHaveLength(1);
  });

  it('gets the missing side of its author’s size, in proportion', () => {
    expect(shown(`<img src="${base}.jpg" width="300" />`)).toContain(' height="200"');
    expect(shown(`<img src="${base}.jpg" height="400px" />`)).toContain(' width="600"');
    expect(shown(`<img src="${base}.jpg" width="300" />`)).toContain('sizes="(max-width: 300px) 100vw, 300px"');
  });

  it.each(['width="50%"', 'style="width: 50%"', 'style="color: red; max-width:100px"', 'height="50%"'])(
    'gets no size where %s would distort it',
    (given) => {
      const html = shown(`<img src="${base}.jpg" ${given} />`);
      expect(html.replace(given, '')).not.toMatch(/<img[^>]* (?:width|height)=/);
    },
  );

  it('keeps its author’s sources', () => {
    const own = `<picture><source srcset="https://a.example/x.webp" /><img src="${base}.jpg" /></picture>`;
    expect(shown(own)).toBe(
      own.replace(
        ' /></picture>',
        ' alt="A &lt;cup&gt;" width="1200" height="800" loading="lazy" decoding="async" /></picture>',
      ),
    );
    expect(shown(`<img src="${base}.jpg" srcset="https://a.example/y.jpg 2x" />`)).not.toContain('<picture>');
  });

  it('gets no variants if it is animated', () => {
    const moving = { ...photo, isAnimated: true };
    expect(shown(`<img src="${base}.jpg" alt="x" />`, moving)).toBe(
      `<img src="${base}.jpg" alt="x" width="1200" height="800" loading="lazy" decoding="async" />`,
    );
  });

  it('lists its own URL only if it is smaller than every variant', () => {
    const icon = { ...photo, url: `${base}.webp`, ext: 'webp', width: 100, height: 100 } as const;
    expect(shown(`<img src="${base}.webp" alt="x" />`, icon)).toBe(
      `<picture><source type="image/avif" srcset="${base}-100.avif 100w" sizes="(max-width: 100px) 100vw, 100px" />` +
        `<img src="${base}.webp" alt="x" width="100" height="100" loading="lazy" decoding="async" /></picture>`,
    );
  });
});

describe('all other content', () => {
  it.each([
    '<p>No image</p>',
    '<img src="https://elsewhere.example/a.jpg" />',
    `<img src="${base}-480.jpg" />`,
    `<p>&lt;img src="${base}.jpg"&gt;</p>`,
    `<a href="${base}.jpg">${base}.jpg</a>`,
    '<p>unclosed <img src="',
  ])('stays unchanged: %s', (html) => {
    expect(shown(html)).toBe(html);
  });

  it('grows by a bounded amount, however many images it shows', () => {
    const one = `<img src="${base}.jpg" />`;
    const html = shown(one.repeat(2_000));
    expect(html.match(/<picture>/g)).toHaveLength(200);
    expect(html.match(/loading="lazy"/g)).toHaveLength(2_000);
  });
});
