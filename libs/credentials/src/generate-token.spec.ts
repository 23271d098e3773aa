import fc from 'fast-check';
import { generateToken, TOKEN_LENGTHS } from './generate-token.ts';

const prefix = fc.constantFrom('pk_live_' as const, 'sk_agent_' as const);

describe('generateToken', () => {
  it('gives the prefix and as many base62 characters as asked for', () => {
    fc.assert(
      fc.property(prefix, fc.integer({ min: 1, max: 1_024 }), (start, length) => {
        const token = generateToken(start, length);
        expect(token.startsWith(start)).toBe(true);
        expect(token.slice(start.length)).toMatch(new RegExp(`^[0-9A-Za-z]{${String(length)}}$`));
      }),
    );
  });

  it('gives credentials of the decided lengths by default', () => {
    expect(generateToken('pk_live_')).toMatch(/^pk_live_[0-9A-Za-z]{32}$/);
    expect(generateToken('sk_agent_')).toMatch(/^sk_agent_[0-9A-Za-z]{40}$/);
    expect(TOKEN_LENGTHS).toEqual({ pk_live_: 32, sk_agent_: 40 });
  });

  it('never gives the same twice', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => generateToken('pk_live_', 32))).size).toBe(10_000);
  });

  it('uses every character about equally often', () => {
    const drawn = 620_000;
    const counts = new Map<string, number>();
    for (let round = 0; round < drawn / 1_000; round += 1) {
      for (const character of generateToken('pk_live_', 1_000).slice('pk_live_'.length)) {
        counts.set(character, (counts.get(character) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(62);
    // 10,000 each on average, standard deviation 99: eight of those. Modulo bias would favour eight characters by 21 %.
    for (const count of counts.values()) expect(Math.abs(count - drawn / 62)).toBeLessThan(800);
  });

  it.each([0, -1, 1.5, Number.NaN, 1_025])('refuses a length of %d', (length) => {
    expect(() => generateToken('pk_live_', length)).toThrow(RangeError);
  });
});
