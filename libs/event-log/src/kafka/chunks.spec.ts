import fc from 'fast-check';
import { inChunks } from './chunks.ts';

describe('inChunks', () => {
  it('keeps the order and the size, except for single larger items', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 30 }), (sizes, most) => {
        const chunks = [...inChunks(sizes, (size) => size, most)];
        expect(chunks.flat()).toEqual(sizes);
        for (const chunk of chunks) {
          expect(chunk.length).toBeGreaterThan(0);
          const total = chunk.reduce((sum, size) => sum + size, 0);
          expect(total <= most || chunk.length === 1).toBe(true);
        }
      }),
    );
  });
});
