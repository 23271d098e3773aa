import { thumbnailUrls } from './thumbnail-urls.ts';

const image = `https://blog.example/images/0b9f6a8e-93f5-4f5e-9d0c-0d3b7c1f2a10/${'a1'.repeat(32)}`;

describe('the thumbnail of a post', () => {
  it('is the small variant of an image of the library, and the image itself where that is missing', () => {
    expect(thumbnailUrls(`${image}.jpg`)).toEqual([`${image}-480.webp`, `${image}.jpg`]);
  });

  it('is the image itself where it has no variants: animated, or on another host', () => {
    expect(thumbnailUrls(`${image}.gif`)).toEqual([`${image}.gif`]);
    expect(thumbnailUrls('https://cdn.example/a.jpg')).toEqual(['https://cdn.example/a.jpg']);
  });

  it('is a placeholder for a post without an image', () => {
    expect(thumbnailUrls(null)).toEqual([]);
  });
});
