import fc from 'fast-check';
import { murmur2, partitionOf } from './murmur2.ts';

describe('murmur2', () => {
  // From the tests of Apache Kafka's own client (UtilsTest.testMurmur2).
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('hashes %s as Kafka does', (text, hash) => {
    expect(murmur2(text)).toBe(hash);
  });

  it('puts every key into one of the partitions, always the same', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 100 }), (key, partitions) => {
        const partition = partitionOf(key, partitions);
        expect(partition).toBe(partitionOf(key, partitions));
        expect(partition).toBeGreaterThanOrEqual(0);
        expect(partition).toBeLessThan(partitions);
      }),
    );
  });
});
