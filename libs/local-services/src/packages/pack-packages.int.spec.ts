import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkPackage } from './check-package.ts';
import { packPackages } from './pack-packages.ts';

const root = join(import.meta.dirname, '../../../..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'blog-content-pack-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('npm run pack', () => {
  it('gives the same bytes twice, under both names', async () => {
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    const index = await packPackages(root, one);
    expect(await packPackages(root, other)).toEqual(index);
    expect(readdirSync(one)).toEqual(readdirSync(other));
    for (const [name, { file, bytes }] of Object.entries(index)) {
      const content = readFileSync(join(one, file));
      expect(content.length).toBe(bytes);
      expect(Buffer.compare(content, readFileSync(join(other, `${name}.tgz`)))).toBe(0);
    }
  });
});

describe('the check of a package', () => {
  function write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
  const manifest = {
    ...{ name: '@blog-content/a', version: '1.0.0', bin: { a: './dist/a.main.js' } },
    ...{ exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } } },
    bundleDependencies: ['entities'],
  };
  const whole = {
    'package.json': JSON.stringify(manifest),
    ...{ 'README.md': '', LICENSE: '' },
    'dist/a.main.js': '#!/usr/bin/env node\nimport { a } from "./index.js";\n',
    'dist/index.js': "import { decode } from 'entities';\nimport 'node:fs';\nexport const a = ' from \"x\"';\n",
    'dist/index.d.ts': "export type { A } from './index.ts';\n",
  };
  const problems = (changes: Readonly<Record<string, string>>, newest = '1.0.0') => {
    write({ ...whole, ...changes });
    return checkPackage(folder, { newest });
  };

  it('finds nothing in a whole one', async () => {
    expect(await problems({})).toEqual([]);
  });

  it.each([
    ['a file that does not belong', { 'src/index.ts': '' }, 'src/index.ts does not belong in the package.'],
    ['a test', { 'dist/spec/a.txt': '' }, 'dist/spec/a.txt does not belong in the package.'],
    [
      'an import of this workspace',
      { 'dist/index.js': "import { x } from '@blog-content/payload-schemas';\n" },
      'dist/index.js imports @blog-content/payload-schemas, which is not a dependency.',
    ],
    [
      'an import of the workspace in its types, over several lines',
      { 'dist/index.d.ts': "import type {\n  X,\n} from '@blog-content/payload-schemas/x';\n" },
      'dist/index.d.ts imports @blog-content/payload-schemas/x, which is not a dependency.',
    ],
    [
      'a file that is imported and not there',
      { 'dist/index.js': "export * from './gone.js';\n" },
      'dist/index.js imports ./gone.js, which is missing.',
    ],
    [
      'a program without its first line',
      { 'dist/a.main.js': 'run();\n' },
      './dist/a.main.js must start with #!/usr/bin/env node.',
    ],
    [
      'types that are named and not there',
      { 'package.json': JSON.stringify({ ...manifest, exports: { '.': { types: './dist/gone.d.ts' } } }) },
      'dist/gone.d.ts, named in its manifest, is missing.',
    ],
  ])('finds %s', async (_what, changes, problem) => {
    expect(await problems(changes)).toEqual([problem]);
  });

  it('finds another version than the newest of the changelog', async () => {
    expect(await problems({}, '1.1.0')).toEqual(['Its version is 1.0.0, but CHANGELOG.md says 1.1.0.']);
  });
});
