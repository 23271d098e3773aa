import { formatDuration } from './durations.ts';
import { phasesOf } from './phases.ts';

describe('the phases of an exchange', () => {
  it('follow one another, and the time that no phase names is the rest', () => {
    expect(phasesOf({ dns_ms: 10, connect_ms: 20, tls_ms: 30, first_byte_ms: 30, total_ms: 100 })).toEqual([
      { name: 'dns', ms: 10, fromPercent: 0, percent: 10 },
      { name: 'connect', ms: 20, fromPercent: 10, percent: 20 },
      { name: 'tls', ms: 30, fromPercent: 30, percent: 30 },
      { name: 'wait', ms: 30, fromPercent: 60, percent: 30 },
      { name: 'rest', ms: 10, fromPercent: 90, percent: 10 },
    ]);
  });

  it('are only those that it went through', () => {
    const phases = phasesOf({ dns_ms: 5, connect_ms: null, tls_ms: null, first_byte_ms: null, total_ms: 30_000 });
    expect(phases.map(({ name }) => name)).toEqual(['dns', 'rest']);
  });

  it('fill the bar and no more where they were measured longer than the whole', () => {
    const phases = phasesOf({ dns_ms: 0, connect_ms: 1.6, tls_ms: null, first_byte_ms: 1.6, total_ms: 3 });
    expect(phases.reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100);
    expect(phasesOf({ dns_ms: 0, connect_ms: null, tls_ms: null, first_byte_ms: null, total_ms: 0 })[0]?.percent).toBe(
      0,
    );
  });
});

describe('a duration', () => {
  it.each([
    [84.4, '84 ms'],
    [1_250, '1.3 s'],
    [125_000, '2 min 5 s'],
  ])('%s ms is “%s”', (ms, words) => {
    expect(formatDuration(ms)).toBe(words);
  });
});
