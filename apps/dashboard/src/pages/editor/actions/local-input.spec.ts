import { toLocalInput } from './local-input.ts';

describe('the field of a day and time', () => {
  it('gives back the minute that it was given, whatever the time zone', () => {
    const date = new Date('2026-03-29T00:30:00Z');
    expect(new Date(toLocalInput(date)).getTime()).toBe(date.getTime());
  });
});
