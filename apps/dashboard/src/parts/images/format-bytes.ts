const KILOBYTE = ['kilobyte', 1_000] as const;
const UNITS = [['gigabyte', 1_000_000_000], ['megabyte', 1_000_000], KILOBYTE] as const;

/** “3.4 MB”, in the notation of whoever looks. */
export function formatBytes(bytes: number): string {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? KILOBYTE;
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: unit === 'kilobyte' ? 0 : 1,
  }).format(bytes === 0 ? 0 : Math.max(bytes / size, unit === 'kilobyte' ? 1 : 0));
}
