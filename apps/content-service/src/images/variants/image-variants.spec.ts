import { variantName, variantsOf, type ImageShape } from './image-variants.ts';

const namesOf = (part: Partial<ImageShape>) =>
  variantsOf({ ext: 'jpg', width: 2_000, height: 1_000, isAnimated: false, ...part }).map(variantName);

describe('the variants of an image', () => {
  it.each<[string, Partial<ImageShape>, string]>([
    ['a wide one', {}, '480.webp 960.webp 1600.webp 480.jpg 960.jpg 1600.jpg 480.avif 960.avif 1600.avif'],
    ['one that is as wide as a variant', { width: 960 }, '480.webp 960.webp 480.jpg 480.avif 960.avif'],
    ['a small one', { width: 100 }, '100.webp 100.avif'],
    ['one in WebP', { ext: 'webp', width: 500 }, '480.webp 480.avif 500.avif'],
    ['one in AVIF', { ext: 'avif', width: 500 }, '480.webp 500.webp 480.avif'],
    ['one that moves', { ext: 'gif', isAnimated: true }, ''],
    ['one that is too high for WebP', { width: 400, height: 16_384 }, '400.avif'],
  ])('are made of %s', (_case, part, expected) => {
    expect(namesOf(part).join(' ')).toBe(expected);
  });
});
