import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A limit as the code has it. */
export interface Constant {
  /**
   * `MAX_BLOGS`, or `LIMITS.waiting` for a part of an object; `$LEASE_MS` for the default of an environment variable.
   */
  readonly name: string;
  /** The package's folder, such as `content-service`. */
  readonly where: string;
  /** The file's name without its ending. */
  readonly file: string;
  readonly value: number | readonly number[];
}

/** Packages that no deployment has. */
const NOT_DEPLOYED = new Set([
  'bench',
  'end-to-end',
  'local-stack',
  'local-infrastructure',
  'local-services',
  'testing',
]);
const NOT_SOURCES = /(?:\.spec\.ts|\.d\.ts)$|\/(?:node_modules|dist|generated|documents)\//;
const CONSTANT = /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: [^=\n]+)? = ([^;]+);/gm;
const VARIABLE = /^ +([A-Z][A-Z0-9_]*): integerVariable\(\{[^}]*\bdefault: ([^ ,}]+)/gm;
const ENTRY = /^'?([\w-]+)'?: (\[[^\]]*\]|[^,[]+)/;

/** Reads the numbers that deployed packages define in capitals, and the defaults of their environments. */
export function readConstants(root: string): Constant[] {
  return ['apps', 'libs'].flatMap((kind) =>
    readdirSync(join(root, kind))
      .filter((where) => !NOT_DEPLOYED.has(where))
      .flatMap((where) => filesIn(join(root, kind, where, 'src')).flatMap((path) => constantsOf(path, where))),
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.endsWith('.ts') && !NOT_SOURCES.test(path));
}

function constantsOf(path: string, where: string): Constant[] {
  const text = readFileSync(path, 'utf8').replace(/^ *\/?\*.*$|\/\/.*$/gm, '');
  const known = new Map<string, Constant['value']>();
  for (const [, name = '', written = ''] of text.matchAll(CONSTANT)) {
    for (const [part, expression] of partsOf(written)) {
      const value = valueOf(expression, known);
      if (value !== null) known.set(part === '' ? name : `${name}.${part}`, value);
    }
  }
  for (const [, name = '', expression = ''] of text.matchAll(VARIABLE)) {
    const value = valueOf(expression, known);
    if (value !== null) known.set(`$${name}`, value);
  }
  return [...known].map(([name, value]) => ({ name, where, file: basename(path, '.ts'), value }));
}

/** The entries of an object; anything else as a whole. */
function partsOf(written: string): [part: string, expression: string][] {
  const inside = /^\{([^{}]*)\}/.exec(written)?.[1];
  if (inside === undefined) return [['', written]];
  return inside
    .split(/,(?![^[]*\])/)
    .map((entry) => ENTRY.exec(entry.trim()))
    .flatMap((entry) => (entry === null ? [] : [[entry[1] ?? '', entry[2] ?? ''] as [string, string]]));
}

/** What sums, products and quotients of numbers and known constants come to; null for everything else. */
function valueOf(expression: string, known: ReadonlyMap<string, Constant['value']>): Constant['value'] | null {
  const list = /^\[([^\]]*)\]$/.exec(expression.trim())?.[1];
  if (list !== undefined) {
    const values = list.split(',').map((item) => valueOf(item, known));
    return values.every((value) => typeof value === 'number') ? values : null;
  }
  let sum = 0;
  for (const term of expression.replace(/ as const$/, '').split('+')) {
    let product = 1;
    for (const [, operator, factor = ''] of term.matchAll(/([*/]?)\s*([^*/]+)/g)) {
      const value = /^[\d_.]+$/.test(factor.trim()) ? Number(factor.replaceAll('_', '')) : known.get(factor.trim());
      if (typeof value !== 'number' || Number.isNaN(value)) return null;
      product = operator === '/' ? product / value : product * value;
    }
    sum += product;
  }
  return sum;
}
