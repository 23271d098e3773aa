import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, words] = /^exec "\$\{npm_node_execpath:-node\}" (scripts\/bootstrap\.mjs .*)$/.exec(line) ?? [];
  return words === undefined ? [] : [[name, words] as const];
});

let clone: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'blog-content-clone-'));
  const isSource = (path: string) => !/\/(node_modules|dist|generated)$/.test(path);
  for (const part of ['package.json', 'package-lock.json', 'scripts', ...sourceFolders()]) {
    cpSync(join(root, part), join(clone, part), { recursive: true, filter: isSource });
  }
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

function sourceFolders(): string[] {
  return [...new Set(commands.map(([, words]) => words.split(' ')[1]?.replace(/\/[^/]*$/, '') ?? ''))];
}

function run(...args: string[]) {
  return spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8' });
}

it('all commands that install what is missing are found', () => {
  expect(commands.length).toBe(Object.values(scripts).filter((line) => line.includes('bootstrap.mjs')).length);
});

describe('--help in a fresh clone', () => {
  it.each(commands)('npm run %s answers, and installs nothing', (name, words) => {
    const { status, stdout, stderr } = run(...words.split(' '), '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: npm (run )?${name}\\b`));
    expect(stdout).not.toContain('${');
    expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  });

  it('names the commands when no command is named', () => {
    const { status, stdout } = run('scripts/bootstrap.mjs', '--help');
    expect(status).toBe(0);
    for (const [name] of commands) expect(stdout).toContain(name);
    expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  });
});
