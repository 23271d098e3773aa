import fc from 'fast-check';
import { limitSources } from './limit-sources.ts';

const source = (number: number, length: number) => ({
  number,
  title: `Source ${number}`,
  url: null,
  text: 'x'.repeat(length),
  problem: null,
});

describe('sources that are too long together', () => {
  it('stay as they are where they fit exactly', () => {
    const sources = [source(1, 40), source(2, 60)];
    expect(limitSources(sources, 100)).toEqual({ sources, cut: [] });
  });

  it('are cut to equal shares of what short ones leave, and the report says which', () => {
    const { sources, cut } = limitSources([source(1, 500), source(2, 10), source(3, 46)], 100);
    expect(sources.map(({ text }) => text?.length)).toEqual([45, 10, 45]);
    expect(cut).toEqual(['source 1: all but its first 45 characters', 'source 3: all but its first 45 characters']);
  });

  it('pass over those that could not be read', () => {
    const unread = { ...source(1, 0), text: null, problem: 'The address cannot be reached.' };
    expect(limitSources([unread, source(2, 200)], 100).sources[0]).toBe(unread);
  });

  it('never have more together than they may, whatever their lengths', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { maxLength: 10 }), fc.integer({ min: 10, max: 1_000 }), (lengths, most) => {
        const { sources } = limitSources(
          lengths.map((length, index) => source(index, length)),
          most,
        );
        return sources.reduce((sum, { text }) => sum + (text?.length ?? 0), 0) <= most;
      }),
    );
  });
});
