import { howFull } from './how-full.ts';

const usage = (images: number, bytes: number) => ({
  images: { used: images, allowed: 100 },
  bytes: { used: bytes, allowed: 1_000 },
});

describe('a library', () => {
  it('uses the larger share of images and bytes', () => {
    expect(howFull(usage(50, 100)).percent).toBe(50);
    expect(howFull(usage(10, 700)).percent).toBe(70);
  });

  it('is nearly full from nine tenths on, and never over 100% after the limit shrank', () => {
    expect([howFull(usage(89, 0)).isNearlyFull, howFull(usage(90, 0)).isNearlyFull]).toEqual([false, true]);
    expect(howFull(usage(300, 0))).toEqual({ percent: 100, isNearlyFull: true });
  });
});
