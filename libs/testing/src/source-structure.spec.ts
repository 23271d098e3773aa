import { globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesIn, findCircle, foldersOf, importsWithin, longestChain, readImports } from './source-structure.ts';
import { workspaceRoot } from './workspace-root.ts';

const MAX_FILES = 15;
const MAX_FLOORS = 6;

const packages = ['scripts', ...globSync('{apps,libs}/*/src', { cwd: workspaceRoot }).sort()];

describe.each(packages)('%s', (src) => {
  const imports = readImports(join(workspaceRoot, src));
  const folders = foldersOf(imports);

  it('has no files that import each other in a circle', () => {
    expect(findCircle(imports)?.join(' → ') ?? 'no circle').toBe('no circle');
  });

  it('has no folders that import each other in a circle', () => {
    const circles = folders.flatMap((folder) => {
      const circle = findCircle(importsWithin(folder, imports));
      return circle === null ? [] : [`in ${join(src, folder)}: ${circle.join(' → ')}`];
    });
    expect(circles).toEqual([]);
  });

  it(`has at most ${MAX_FILES} sources on one level of a folder`, () => {
    const counts = folders.map((folder) => ({ folder: join(src, folder), files: filesIn(folder, imports).length }));
    const tooFull = counts.filter(({ files }) => files > MAX_FILES);
    expect(tooFull.map(({ folder, files }) => `${folder} has ${files} sources`)).toEqual([]);
  });

  it(`has at most ${MAX_FLOORS} floors of imports in a folder`, () => {
    const chains = folders.map((folder) => longestChain(filesIn(folder, imports), imports));
    const tooHigh = chains.filter((chain) => chain.length > MAX_FLOORS);
    expect(tooHigh.map((chain) => `${chain.length} floors in ${src}: ${chain.join(' → ')}`)).toEqual([]);
  });
});

describe('the rules of the structure', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blog-content-structure-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function write(files: Readonly<Record<string, readonly string[]>>) {
    for (const [file, imported] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), imported.map((path) => `import type { X } from '${path}';\n`).join(''));
    }
    return readImports(folder);
  }

  it('see a circle of files, also by types alone', async () => {
    const imports = await write({ 'a.ts': ['./b.ts'], 'b.ts': ['./c.ts'], 'c.ts': ['./a.ts'] });
    expect(findCircle(imports)).toHaveLength(4);
  });

  it('see a circle of folders whose files are in none', async () => {
    const imports = await write({ 'x/a.ts': ['../y/b.ts'], 'y/b.ts': [], 'y/c.ts': ['../x/d.ts'], 'x/d.ts': [] });
    expect(findCircle(imports)).toBeNull();
    expect(findCircle(importsWithin('.', imports))).toEqual(['x', 'y', 'x']);
  });

  it('see a folder that imports a file that imports it', async () => {
    const imports = await write({ 'x/a.ts': ['../b.ts'], 'b.ts': ['./x/c.ts'], 'x/c.ts': [] });
    expect(findCircle(importsWithin('.', imports))).toEqual(expect.arrayContaining(['x', 'b.ts']));
  });

  it('count neither spec files nor what is generated', async () => {
    const imports = await write({ 'a.ts': [], 'a.int.spec.ts': ['./a.ts'], 'generated/client.ts': [] });
    expect([...imports.keys()]).toEqual(['a.ts']);
  });

  it('see the files that hold JSX', async () => {
    const imports = await write({ 'a.tsx': ['./b.ts'], 'b.ts': ['./a.tsx'] });
    expect(findCircle(imports)).toHaveLength(3);
  });

  it('count the floors of a folder by its own files', async () => {
    const imports = await write({ 'a.ts': ['./b.ts', './x/d.ts'], 'b.ts': ['./c.ts'], 'c.ts': [], 'x/d.ts': [] });
    expect(longestChain(filesIn('.', imports), imports)).toEqual(['a.ts', 'b.ts', 'c.ts']);
  });
});
