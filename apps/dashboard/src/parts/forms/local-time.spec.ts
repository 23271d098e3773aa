import { fromLocalInput, timeToCome, toLocalInput } from './local-time.ts';

describe('a moment in a field for a day and time', () => {
  it('is the same one afterwards, to the minute', () => {
    const at = new Date(2026, 5, 1, 23, 5).toISOString();
    expect(toLocalInput(at)).toBe('2026-06-01T23:05');
    expect(fromLocalInput(toLocalInput(at))).toBe(at);
  });

  it('is the one that was there where nobody has changed it, also of a time that comes twice', () => {
    // In the zones of Central Europe, 02:30 comes for the second time.
    const again = '2026-10-25T01:30:20Z';
    expect(fromLocalInput(toLocalInput(again), again)).toBe(again);
  });

  it('is none where the field has none', () => {
    for (const field of ['', '275761-01-01T10:00']) expect(fromLocalInput(field)).toBeNull();
    expect(toLocalInput(undefined)).toBe('');
  });

  it('can be scheduled for where it is one to come', () => {
    const toCome = new Date(9998, 0, 1).toISOString();
    expect(timeToCome(toLocalInput(toCome))).toBe(toCome);
    for (const field of ['', '2001-01-01T10:00']) expect(timeToCome(field)).toBeNull();
  });
});
