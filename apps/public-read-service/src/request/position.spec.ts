import { formatPosition, parsePosition, positionOf } from './position.ts';

const id = '8f0c7f5e-3a5d-4a0e-9c55-0c6f0f1d2b3a';
const whole = positionOf(id, '1767225600000');
const positions = [
  whole,
  { ...whole, upTo: { publishedAt: '2026-01-02T08:00:00.120Z', id } },
  { ...whole, change: { kind: 1, slug: 'x'.repeat(200), blogId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' } },
];
const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a position', () => {
  it.each(positions)('survives a round trip, and is safe in a URL: %j', (position) => {
    const text = formatPosition(position);
    expect(text).toBe(encodeURIComponent(text));
    expect(parsePosition(text)).toEqual(position);
  });

  it.each([
    ['with another number of parts', written([1, id, '1', 2])],
    ['with a version that is no integer', written([1, id, '1.5'])],
    ['with a time that is none', written([1, id, '1', 'yesterday', id])],
    ['with a time of the year 0', written([1, id, '1', '0000-12-31T23:59:59.999Z', id])],
    ['with a kind that is none', written([1, id, '1', 3, 'tea', id])],
    ['with a slug that is none', written([1, id, '1', 1, 'Tea\0', id])],
    ['that is an object', written({ version: '1' })],
    ['that is no JSON', 'tea'],
    ['that is no base64url', '+/'],
    ['that is too long', written([1, id, '1', 1, 'x'.repeat(600), id])],
  ])('%s is none', (_what, text) => {
    expect(parsePosition(text)).toBeNull();
  });
});
