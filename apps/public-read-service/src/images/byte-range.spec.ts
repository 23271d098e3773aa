import { readRange } from './byte-range.ts';

describe('a Range header', () => {
  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, 99],
    ['bytes=10-19', 10, 19],
    ['Bytes= 10-19 ', 10, 19],
    ['bytes=90-200', 90, 99],
    ['bytes=-1', 99, 99],
    ['bytes=-500', 0, 99],
    ['bytes=99-99', 99, 99],
  ])('%s asks for a part of 100 bytes', (header, start, end) => {
    expect(readRange(header, 100)).toEqual({ kind: 'part', start, end });
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=999999999999999-'])(
    '%s is outside of 100 bytes',
    (header) => {
      expect(readRange(header, 100)).toEqual({ kind: 'unsatisfiable' });
    },
  );

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=5-4',
    'bytes=0-1,3-4',
    'bytes=--1',
    'bytes=1e3-',
    'bytes=0x1-',
    'items=0-1',
    'bytes=99999999999999999999-',
  ])('%s is ignored', (header) => {
    expect(readRange(header, 100)).toEqual({ kind: 'whole' });
  });
});
