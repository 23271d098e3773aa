import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const script = new URL('../../../../scripts/bootstrap/install.mjs', import.meta.url).href;
const { noteInstalled, problemOfInstall } = (await import(script)) as {
  noteInstalled: (root: string) => void;
  problemOfInstall: (root: string) => string | null;
};

const ofThisPlatform = { os: [process.platform], cpu: [process.arch], optional: true };
const packages = {
  '': { name: 'a-project' },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/@scope/b': { version: '2.0.0' },
  'node_modules/b-here': { version: '2.0.0', ...ofThisPlatform },
  'node_modules/b-elsewhere': { version: '2.0.0', os: ['aix'], cpu: ['ppc64'], optional: true },
};
/** What npm installs of these on this platform. */
const { 'node_modules/b-elsewhere': _elsewhere, ...here } = packages;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'blog-content-install-'));
  write('package-lock.json', { packages });
  write('node_modules/.package-lock.json', { packages: here });
  for (const path of Object.keys(here)) if (path !== '') write(`${path}/package.json`, {});
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, content: object): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify(content));
}
const remove = (path: string) => rmSync(join(root, path), { recursive: true });

describe('what is wrong with an install', () => {
  it('is nothing when all packages of this platform are there', () => {
    expect(problemOfInstall(root)).toBeNull();
    noteInstalled(root);
    expect(problemOfInstall(root)).toBeNull();
  });

  it('is that nothing is installed', () => {
    remove('node_modules');
    expect(problemOfInstall(root)).toBe('they are missing');
  });

  it('is that npm ci was interrupted, which writes its note last', () => {
    remove('node_modules/.package-lock.json');
    expect(problemOfInstall(root)).toBe('an earlier install did not finish');
  });

  it('is that npm install was interrupted while it replaced a package', () => {
    cpSync(join(root, 'node_modules/a'), join(root, 'node_modules/.a-x1Y2z3W4'), { recursive: true });
    expect(problemOfInstall(root)).toContain('was interrupted (it left node_modules/.a-x1Y2z3W4)');
  });

  it('is a note that is cut off', () => {
    writeFileSync(join(root, 'node_modules/.package-lock.json'), '{"packages":{"node_mod');
    expect(problemOfInstall(root)).toContain('is not valid JSON');
  });

  it('is a package that was deleted, or is of another version than the lockfile names', () => {
    remove('node_modules/@scope/b');
    expect(problemOfInstall(root)).toBe('@scope/b is missing');
    write('node_modules/.package-lock.json', { packages: { ...here, 'node_modules/a': { version: '0.9.0' } } });
    expect(problemOfInstall(root)).toBe('a is 0.9.0, not 1.0.0');
  });

  it('is an install for another platform, as in a folder that two systems share', () => {
    const { 'node_modules/b-here': _here, ...elsewhere } = packages;
    write('node_modules/.package-lock.json', { packages: elsewhere });
    expect(problemOfInstall(root)).toBe('b-here is missing');
    write('node_modules/.package-lock.json', { packages: here });
    write('node_modules/.cache/blog-content/platform', {});
    writeFileSync(join(root, 'node_modules/.cache/blog-content/platform'), 'aix-ppc64');
    expect(problemOfInstall(root)).toBe(
      `they were installed for aix-ppc64, and this is ${process.platform}-${process.arch}`,
    );
  });

  it('is not an optional package that npm could not install', () => {
    const { 'node_modules/b-here': _here, ...rest } = here;
    write('node_modules/.package-lock.json', { packages: rest });
    noteInstalled(root);
    expect(problemOfInstall(root)).toBeNull();
  });
});
