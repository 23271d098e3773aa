import { fromLocalInput, timeToCome, toLocalInput } from './local-time.ts';

describe('a moment in a field for a day and time', () => {
  it('survives a round trip, to the minute', () => {
    const at = new Date(2026, 5, 1, 23, 5).toISOString();
    expect(toLocalInput(at)).toBe('2026-06-01T23:05');
    expect(fromLocalInput(toLocalInput(at))).toBe(at);
  });

  it('is kept exactly if unchanged, also for a time that occurs twice', () => {
    // In the zones of Central Europe, 02:30 comes for the second time.
    const again = '2026-10-25T01:30:20Z';
    expect(fromLocalInput(toLocalInput(again), again)).toBe(again);
  });

  it('is null if the field is empty', () => {
    for (const field of ['', '275761-01-01T10:00']) expect(fromLocalInput(field)).toBeNull();
    expect(toLocalInput(undefined)).toBe('');
  });

  it('can be scheduled if it is in the future', () => {
    const toCome = new Date(9998, 0, 1).toISOString();
    expect(timeToCome(toLocalInput(toCome))).toBe(toCome);
    for (const field of ['', '2001-01-01T10:00']) expect(timeToCome(field)).toBeNull();
  });
});
