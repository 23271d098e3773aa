import { formatBytes } from './format-bytes.ts';

it.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [284_100, '277 kB'],
  [20 * 1_024 * 1_024, '20 MB'],
  [3_565_158, '3.4 MB'],
  [5 * 1_024 ** 3, '5 GB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown);
});
