import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const mantine = join(dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css')), '..');
const code = join(mantine, 'core/esm');
const read = (file: string) => readFileSync(file, 'utf8');

/** Names of a file’s imports, by where they are from. */
function importsOf(text: string): { names: string[]; from: string }[] {
  return [...text.matchAll(/import (?:\{([^}]*)\}|\w+) from ['"]([^'"]+)['"]/g)].map(([, names = '', from = '']) => ({
    names: names.split(',').map((name) => name.trim().split(' as ')[0] ?? ''),
    from,
  }));
}

/** Where each component of Mantine is defined. */
const files = new Map(
  importsOf(read(join(code, 'index.mjs'))).flatMap(({ names, from }) =>
    from.startsWith('.') ? names.map((name) => [name, join(code, from)] as const) : [],
  ),
);

/** Names of the style sheets of what a file imports, and of what that imports in turn. */
function stylesOf(file: string, seen: Set<string>): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return importsOf(read(file)).flatMap(({ names, from }) => {
    const [, own] = /([^/]+)\.module\.mjs$/.exec(from) ?? [];
    if (own !== undefined) return file.startsWith(code) ? [own] : [];
    if (file.startsWith(mantine) && from.startsWith('.')) return stylesOf(join(dirname(file), from), seen);
    if (from !== '@mantine/core') return [];
    return names.flatMap((name) => (files.has(name) ? stylesOf(files.get(name)!, seen) : []));
  });
}

describe('the style sheets of Mantine', () => {
  it('are those of the components that the dashboard uses, in the order that Mantine gives them', () => {
    const source = join(import.meta.dirname, '..');
    const seen = new Set<string>();
    const used = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(?!docs\/).*\.tsx?$/.test(file) && !file.endsWith('.spec.ts'))
      .flatMap((file) => stylesOf(join(source, file), seen));
    const whole = read(join(mantine, 'core/styles.css')).replace(/\s/g, '');
    const placeOf = (name: string) => whole.indexOf(read(join(mantine, `core/styles/${name}.css`)).replace(/\s/g, ''));
    const basis = ['baseline', 'default-css-variables', 'global'];
    const wanted = [...new Set([...basis, ...used])].sort((a, b) => placeOf(a) - placeOf(b));
    const imported = [...read(join(import.meta.dirname, 'mantine.css')).matchAll(/core\/styles\/([\w-]+)\.css/g)];
    expect(imported.map(([, name]) => name)).toEqual(wanted);
  });
});
