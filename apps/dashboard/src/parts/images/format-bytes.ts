/** As everywhere in this product: limits and quotas are powers of two, so “20 MB” is 20 × 1,024 × 1,024 bytes. */
const KILOBYTE = ['kilobyte', 1_024] as const;
const UNITS = [['gigabyte', 1_024 ** 3], ['megabyte', 1_024 ** 2], KILOBYTE] as const;

/** “3.4 MB”, in the reader's notation. */
export function formatBytes(bytes: number): string {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? KILOBYTE;
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: unit === 'kilobyte' ? 0 : 1,
  }).format(bytes === 0 ? 0 : Math.max(bytes / size, unit === 'kilobyte' ? 1 : 0));
}
