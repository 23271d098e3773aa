import { firstLine } from './first-line.ts';

describe('the first line of a response', () => {
  it('skips empty lines and the markup of error pages', () => {
    expect(firstLine('\n  \n  no room\nat all')).toBe('no room');
    expect(firstLine('<html>\n<head><title>502 Bad Gateway</title></head>')).toBe('502 Bad Gateway');
    expect(firstLine('<br>\n<hr>')).toBe('<br>');
  });

  it('is cut where it is long', () => {
    expect(firstLine('x'.repeat(500))).toBe(`${'x'.repeat(160)}…`);
  });

  it('is null without a body', () => {
    expect([firstLine(null), firstLine(undefined), firstLine(''), firstLine('\n')]).toEqual([null, null, null, null]);
  });
});
