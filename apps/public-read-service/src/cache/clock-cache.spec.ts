import { createClockCache, type Evictable } from './clock-cache.ts';

function entry(bytes: number, evicted: string[], name: string, accountId = 'ada'): Evictable {
  return { accountId, bytes, used: false, isNeeded: false, evict: () => void evicted.push(name) };
}

describe('a cache bounded in bytes', () => {
  it('never holds more than its bound', () => {
    const cache = createClockCache(100);
    const evicted: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      expect(cache.add(entry(20, evicted, name))).toBe(true);
      expect(cache.bytes).toBeLessThanOrEqual(100);
    }
    expect(cache.entries).toBe(5);
    expect(evicted).toEqual(['a']);
  });

  it('evicts what was not used since the hand last passed', () => {
    const cache = createClockCache(80);
    const evicted: string[] = [];
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => entry(20, evicted, name)) as [
      Evictable,
      Evictable,
      Evictable,
      Evictable,
    ];
    for (const each of [a, b, c, d]) cache.add(each);
    a.used = true;
    c.used = true;
    cache.add(entry(20, evicted, 'e'));
    expect(evicted).toEqual(['b']);
    expect(a.used).toBe(false);
    cache.add(entry(20, evicted, 'f'));
    expect(evicted).toEqual(['b', 'd']);
  });

  it('evicts entries of the account that holds more than half, whoever adds and whatever others use', () => {
    const cache = createClockCache(100);
    const evicted: string[] = [];
    for (const name of ['b1', 'b2']) cache.add(entry(20, evicted, name, 'ben'));
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) cache.add(entry(20, evicted, name, 'ada'));
    expect(evicted).toEqual(['a1', 'a2']);
    cache.add(entry(10, evicted, 'c1', 'cy'));
    expect(evicted).toEqual(['a1', 'a2', 'a3']);
    cache.add(entry(20, evicted, 'c2', 'cy'));
    expect(evicted).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('gives one account all of the memory that nobody else wants', () => {
    const cache = createClockCache(100);
    const evicted: string[] = [];
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) cache.add(entry(20, evicted, name, 'ada'));
    expect([evicted, cache.bytes]).toEqual([[], 100]);
  });

  it('gives no single entry more than a quarter', () => {
    const cache = createClockCache(100);
    expect(cache.add(entry(26, [], 'large'))).toBe(false);
    expect(cache.bytes).toBe(0);
    expect(cache.add(entry(25, [], 'fits'))).toBe(true);
  });

  it('keeps nothing with a bound of 0', () => {
    const cache = createClockCache(0);
    expect(cache.add(entry(1, [], 'a'))).toBe(false);
    expect(cache.entries).toBe(0);
  });

  it('counts what is removed as free, once', () => {
    const cache = createClockCache(100);
    const a = entry(20, [], 'a');
    cache.add(a);
    cache.remove(a);
    cache.remove(a);
    expect(cache.bytes).toBe(0);
  });
});
