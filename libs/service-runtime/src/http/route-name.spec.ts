import { createRouteNames } from './observe-requests.ts';

describe('createRouteNames', () => {
  it('lets 500 routes through and calls all others "other"', () => {
    const nameOf = createRouteNames();
    const names = Array.from({ length: 502 }, (_, index) => nameOf(`/r${String(index)}`));
    expect(names.slice(-3)).toEqual(['/r499', 'other', 'other']);
    expect(nameOf('/r0')).toBe('/r0');
    expect(nameOf(undefined)).toBe('unmatched');
  });
});
