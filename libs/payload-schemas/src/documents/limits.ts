import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConstants, type Constant } from './read-constants.ts';

/**
 * `docs/limits.md`: the words of `limits.md` beside this file with the figures of the code. A row names a figure as
 * `{MAX_BLOGS}`; as `{content-service:MAX_BLOGS}`, by its package or its file, where several have the name; as
 * `{LIMITS.waiting}` for a part of an object; and as `{$LEASE_MS}` for the default of an environment variable. The unit
 * is the end of the name.
 *
 * @throws for a name that the code does not have, or has several times: it was renamed, or is no limit any more.
 */
export function limitsDocument(root: string): string {
  const constants = readConstants(root);
  const unknown: string[] = [];

  const find = (reference: string): Constant | undefined => {
    const [name = '', of] = reference.split(':').reverse();
    const found = constants.filter((one) => one.name === name && [undefined, one.where, one.file].includes(of));
    if (found.length !== 1) {
      unknown.push(`{${reference}}: ${found.map(({ where, file }) => `${where}/${file}`).join(', ') || 'not found'}`);
    }
    return found[0];
  };

  const lines = readFileSync(join(import.meta.dirname, 'limits.md'), 'utf8').split('\n');
  const written = lines.map((line) => {
    if (!line.startsWith('|')) return line;
    if (line.startsWith('|---')) return `${line}---|`;
    if (line === '| limit | value |') return `${line} package |`;
    const where = new Set<string>();
    const row = line.replace(/\{([^}]+)\}/g, (_, reference: string) => {
      const constant = find(reference);
      if (constant === undefined) return '';
      where.add(`\`${constant.where}\``);
      return show(constant);
    });
    return `${row} ${[...where].join(', ')} |`;
  });
  if (unknown.length > 0) throw new Error(`limits.md names what the code does not have once:\n${unknown.join('\n')}`);
  return written.join('\n');
}

function show({ name, value }: Constant): string {
  return typeof value === 'number' ? showNumber(name, value) : value.map((one) => showNumber(name, one)).join(', ');
}

function showNumber(name: string, value: number): string {
  if (/(?:_MS|Ms)$/.test(name)) return showMs(value);
  if (/(?:_BYTES(?:_PER_S|_OF_[A-Z]+)?|Bytes)$/.test(name)) return showBytes(value);
  if (/(?<!_PER)_S$/.test(name)) return showMs(value * 1_000);
  return `${value.toLocaleString('en-US')}${name.endsWith('_MIB') ? ' MB' : ''}`;
}

const DURATIONS = [
  [86_400_000, 'days'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** In the largest unit that leaves no fraction; a single day is 24 h. */
function showMs(ms: number): string {
  const [size, unit] = DURATIONS.find(([size]) => ms % size === 0 && ms > (size === 86_400_000 ? size : 0)) ?? [
    1,
    'ms',
  ];
  return `${(ms / size).toLocaleString('en-US')} ${unit}`;
}

function showBytes(bytes: number): string {
  const [size, unit] = bytes % 1_048_576 === 0 ? ([1_048_576, 'MB'] as const) : ([1_024, 'kB'] as const);
  return `${(bytes / size).toLocaleString('en-US')} ${unit}`;
}
