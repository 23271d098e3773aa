import { formatBytes } from './format-bytes.ts';

it.each([
  [0, '0 kB'],
  [1, '1 kB'],
  [284_100, '284 kB'],
  [3_400_000, '3.4 MB'],
  [5_368_709_120, '5.4 GB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(formatBytes(bytes)).toBe(shown);
});
