import { withoutUnreplaced } from './host-images.ts';
import { hotLinksOf, replaceImages, replaceInMarkdown } from './image-links.ts';

const own = 'https://images.example/p/';
const post = (content: string) => ({ content, featuredImageUrl: null, generatedImages: [], extra: {} });
const moved = new Map([['https://a.example/x.jpg?a=1&b=2', `${own}1.jpg`]]);

describe('images of other hosts', () => {
  it('are found once each, with the alt text that the post says first', () => {
    const content = `<img src="https://a.example/x.jpg" /><img src="${own}2.jpg" /><img src="https://a.example/x.jpg" alt="X" />`;
    const hero = 'https://a.example/hero.jpg';
    expect(
      hotLinksOf(
        {
          ...post(content),
          featuredImageUrl: hero,
          generatedImages: [hero, `${own}3.jpg`],
          extra: { og_image_url: 'https://a.example/og.jpg', x_image_url: hero },
        },
        own,
      ),
    ).toEqual([
      { url: 'https://a.example/x.jpg', alt: 'X' },
      { url: hero, alt: '' },
      { url: 'https://a.example/og.jpg', alt: '' },
    ]);
  });

  it('have what is said of a featured image beside the post, unless the post says something itself', () => {
    const hero = 'https://a.example/hero.jpg';
    const featured = { featuredImageUrl: hero, featuredImageAlt: 'A pot', generatedImages: [], extra: {} };
    expect(hotLinksOf({ content: '', ...featured }, own)).toEqual([{ url: hero, alt: 'A pot' }]);
    expect(hotLinksOf({ content: `<img src="${hero}" alt="X" />`, ...featured }, own)).toEqual([
      { url: hero, alt: 'X' },
    ]);
  });

  it('get another address, and nothing else changes', () => {
    const html = (src: string) =>
      `<p title="src"><a href="https://a.example/x.jpg?a=1&amp;b=2"><img alt="x" src="${src}" /></a></p>`;
    expect(replaceImages(html('https://a.example/x.jpg?a=1&amp;b=2'), moved)).toBe(html(`${own}1.jpg`));
    expect(replaceImages(html('https://a.example/x.jpg?a=1&amp;b=23'), moved)).toBe(
      html('https://a.example/x.jpg?a=1&amp;b=23'),
    );
  });

  it('lose their variants at the other host, which a browser would show instead', () => {
    const old = 'https://a.example/x.jpg?a=1&amp;b=2';
    const variants = 'srcset="https://a.example/w600/x.jpg 600w, https://a.example/x.jpg 700w"';
    expect(replaceImages(`<img src="${old}" alt="srcset" ${variants} sizes="50vw" />`, moved)).toBe(
      `<img src="${own}1.jpg" alt="srcset" sizes="50vw" />`,
    );
    const picture = (inside: string) => `<picture>${inside}</picture><video><source src="v.mp4" /></video>`;
    expect(replaceImages(picture(`<source ${variants} /><source ${variants} /><img src="${old}" />`), moved)).toBe(
      picture(`<img src="${own}1.jpg" />`),
    );
    const other = picture(`<source ${variants} /><img src="https://b.example/y.jpg" ${variants} />`);
    expect(replaceImages(other, moved)).toBe(other);
  });

  it('never have an attribute made of the text of another, and the text stays', () => {
    const hostile = 'a src=" srcset=" &lt;b&gt; &amp;quot; &quot;';
    const src = 'https://a.example/x.jpg?a=1&amp;b=2';
    const html = `<img alt='${hostile}' src="${src}" srcset="x onerror=alert(1) y=" />`;
    expect(replaceImages(html, moved)).toBe(
      `<img alt="a src=&quot; srcset=&quot; &lt;b&gt; &amp;quot; &quot;" src="${own}1.jpg" />`,
    );
  });

  it('get it in Markdown too, but not where a longer address begins so', () => {
    const text = (url: string) => `![x](${url} "t")\n\n[r]: ${url}\n<${url}>`;
    expect(replaceInMarkdown(text('https://a.example/x.jpg?a=1&b=2'), moved)).toBe(text(`${own}1.jpg`));
    expect(replaceInMarkdown(text('https://a.example/x.jpg?a=1&b=2/y'), moved)).toBe(
      text('https://a.example/x.jpg?a=1&b=2/y'),
    );
  });

  it('count as hosted only where the post has their new addresses, which is read once for all of them', () => {
    let reads = 0;
    const edited = {
      ...post(''),
      get content() {
        reads += 1;
        return '<img src="https://a.example/2.jpg" />';
      },
    };
    const outcomes = [1, 2, 3].map((n) => ({ url: `https://a.example/${n}.jpg`, hostedUrl: `${own}${n}.jpg` }));
    const reason = 'is in the library, but was not found in the Markdown: insert its new URL there';
    expect(withoutUnreplaced(outcomes, edited, own)).toEqual([
      outcomes[0],
      { url: 'https://a.example/2.jpg', reason },
      outcomes[2],
    ]);
    expect(reads).toBe(1);
  });
});
