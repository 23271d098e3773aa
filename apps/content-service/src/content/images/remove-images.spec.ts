import { removeHero } from '../published-content.ts';

const hero = 'https://cdn.example/hero.jpg?w=1&h=2';
const img = `<img alt="x" src="https://cdn.example/hero.jpg?w=1&amp;h=2">`;
const other = '<img src="https://cdn.example/other.jpg" alt="">';

describe('the inline duplicate of the hero (contract §2.4.2, §2.4.5)', () => {
  it.each([
    ['an image on its own', `<h2>A</h2>${img}<p>B</p>`, '<h2>A</h2><p>B</p>'],
    ['the paragraph around it', `<p>A</p><p> ${img} </p><p>B</p>`, '<p>A</p><p>B</p>'],
    ['figure, link and image together', `<figure><a href="/x">${img}</a></figure><p>B</p>`, '<p>B</p>'],
    [
      'the paragraph where it stood beside line breaks',
      `<p>A</p><p>${img}<br /></p><p><br>${img}</p><p>B</p>`,
      '<p>A</p><p>B</p>',
    ],
    ['every occurrence', `${img}<p>A</p>${img}`, '<p>A</p>'],
    [
      'an image written as self-closing',
      `<p>A</p><img src="${hero.replace('&', '&amp;')}" /><p>B</p>`,
      '<p>A</p><p>B</p>',
    ],
  ])('removes %s', (_case, html, expected) => {
    expect(removeHero(html, hero)).toBe(expected);
  });

  it('removes an image with another spelling of its URL', () => {
    const spelt = 'https://CDN.example/a b.jpg';
    expect(removeHero(`<p>A</p><img src="${spelt}">`, 'https://cdn.example/a%20b.jpg')).toBe('<p>A</p>');
  });

  it('removes an image that differs only in the case of percent-escapes', () => {
    const [upper, lower] = ['https://cdn.example/%C3%A9%2F1.jpg', 'https://cdn.example/%c3%a9%2f1.jpg'];
    expect(removeHero(`<p>A</p><p><img src="${lower}"></p>`, upper)).toBe('<p>A</p>');
    expect(removeHero(`<p>A</p><p><img src="${upper}"></p>`, lower)).toBe('<p>A</p>');
  });

  it.each([
    ['a line break beside text', `<p>${img}<br />Text</p>`, '<p><br />Text</p>'],
    ['a paragraph that says more', `<p>Look: ${img}</p>`, '<p>Look: </p>'],
    [
      'a figure with a caption',
      `<figure>${img}<figcaption>C</figcaption></figure>`,
      '<figure><figcaption>C</figcaption></figure>',
    ],
    ['a figure with another image', `<figure>${img}${other}</figure>`, `<figure>${other}</figure>`],
  ])('keeps %s', (_case, html, expected) => {
    expect(removeHero(html, hero)).toBe(expected);
  });

  it('keeps other images and empty elements that the author wrote, byte for byte', () => {
    const html = `<p></p>\n<P CLASS=x>${other}</P><img src='data:x'>`;
    expect(removeHero(html, hero)).toBe(html);
  });

  it('keeps everything when there is no hero', () => {
    expect(removeHero(`<p>${img}</p>`, null)).toBe(`<p>${img}</p>`);
  });
});
