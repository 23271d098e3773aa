import { MAX_LINK_CHARACTERS } from '@blog-content/link-resolver';
import { withCopies } from './image-copies.ts';

const image = (address: string) => `<img src="${address}" alt="">`;
const copyAt = (url: string) => ({ id: '1', url });

describe('the copies of images in a post', () => {
  it('stand where the images stood, each once, though a copy may be at the address of another image', () => {
    const copies = new Map([
      ['https://a.example/1?x=1&amp;y=2', copyAt('https://a.example/2')],
      ['https://a.example/2', copyAt('https://b.example/"2"')],
    ]);
    const content = [
      image('https://a.example/1?x=1&amp;y=2'),
      image('https://a.example/2'),
      image('https://a.example/3'),
    ];
    expect(withCopies(content.join(''), copies)).toBe(
      [image('https://a.example/2'), image('https://b.example/&quot;2&quot;'), image('https://a.example/3')].join(''),
    );
  });

  it('add no more characters to a post than links may: images that come after keep their address', () => {
    const content = image('https://a.example/1').repeat(10_000);
    const copies = new Map([['https://a.example/1', copyAt(`https://b.example/${'&'.repeat(2_000)}`)]]);
    const copied = withCopies(content, copies);
    expect(copied.length).toBeGreaterThan(content.length);
    expect(copied.length - content.length).toBeLessThanOrEqual(MAX_LINK_CHARACTERS);
    expect(copied.endsWith(image('https://a.example/1'))).toBe(true);
  });
});
