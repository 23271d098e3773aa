import type { PostEvent } from './events.ts';
import { rehostImages, type FetchedImage } from './rehost-images.ts';

const post = {
  content:
    '<p><img src="https://cdn.example.com/a.jpg?w=1&amp;h=2" alt="A" /><img src="https://other.example/b.jpg" alt="" />' +
    '<img src="https://cdn.example.com/a.jpg?w=1&amp;h=2" alt="Again" /> src="https://cdn.example.com/a.jpg"</p>',
  images: [
    { url: 'https://cdn.example.com/a.jpg?w=1&amp;h=2', alt: 'A' },
    { url: 'https://other.example/b.jpg', alt: '' },
  ],
  featured_image_url: 'https://cdn.example.com/hero.png',
} as PostEvent;

function rehost(given: Partial<PostEvent> = {}, response: () => Response = () => image('image/jpeg')) {
  const fetched: string[] = [];
  const stored: FetchedImage[] = [];
  const done = rehostImages(
    { ...post, ...given },
    {
      cdnHost: 'cdn.example.com',
      fetch: (url, init) => {
        expect(init.redirect).toBe('manual');
        fetched.push(url);
        return Promise.resolve(response());
      },
      store: (kept) => {
        stored.push(kept);
        return Promise.resolve(`https://site.example/img/${stored.length}?a=1&b=2`);
      },
      maxBytes: 1000,
    },
  );
  return { done, fetched, stored };
}

const image = (type: string, size = 10) => new Response(new Uint8Array(size), { headers: { 'content-type': type } });

describe('rehostImages', () => {
  it('copies each image of the CDN once and puts the new addresses everywhere', async () => {
    const { done, fetched, stored } = rehost();
    expect(await done).toEqual({
      content:
        '<p><img src="https://site.example/img/1?a=1&amp;b=2" alt="A" /><img src="https://other.example/b.jpg" alt="" />' +
        '<img src="https://site.example/img/1?a=1&amp;b=2" alt="Again" /> src="https://cdn.example.com/a.jpg"</p>',
      images: [
        { url: 'https://site.example/img/1?a=1&amp;b=2', alt: 'A' },
        { url: 'https://other.example/b.jpg', alt: '' },
      ],
      featured_image_url: 'https://site.example/img/2?a=1&b=2',
    });
    expect(fetched).toEqual(['https://cdn.example.com/a.jpg?w=1&h=2', 'https://cdn.example.com/hero.png']);
    expect(stored.map(({ bytes, contentType }) => [bytes.length, contentType])).toEqual([
      [10, 'image/jpeg'],
      [10, 'image/jpeg'],
    ]);
  });

  it.each([
    'http://cdn.example.com/a.jpg',
    'https://cdn.example.com.evil.example/a.jpg',
    'https://cdn.example.com:8443/a.jpg',
    'https://user@cdn.example.com/a.jpg',
    'https://evil.example/cdn.example.com/a.jpg',
    'https://127.0.0.1/a.jpg',
    'file:///etc/passwd',
    'no URL',
  ])('fetches nothing that is not on the CDN: %s', async (url) => {
    const { done, fetched } = rehost({ images: [{ url, alt: '' }], featured_image_url: url });
    expect(await done).toMatchObject({ featured_image_url: url });
    expect(fetched).toEqual([]);
  });

  it.each([
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://127.0.0.1/' } })],
    ['what is no image', () => image('text/html')],
    ['an image that can hold scripts', () => image('image/svg+xml')],
    ['more than it may have', () => image('image/png', 1001)],
  ])('fails on %s', async (_name, response) => {
    const { done, stored } = rehost({}, response);
    await expect(done).rejects.toThrow('https://cdn.example.com/a.jpg');
    expect(stored).toEqual([]);
  });
});
