import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const root = join(import.meta.dirname, '../../../..');

let bin: string;
beforeAll(() => {
  // A machine with Node, and none of the programs that tests need.
  bin = mkdtempSync(join(tmpdir(), 'blog-content-bin-'));
  symlinkSync(process.execPath, join(bin, 'node'));
  // What PostgreSQL’s start asks for, as root.
  symlinkSync('/usr/bin/id', join(bin, 'id'));
});
afterAll(() => rmSync(bin, { recursive: true }));

/** `npm test -- …`, without npm. */
function npmTest(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts/bootstrap.mjs'), 'scripts/test.ts', ...args],
    { encoding: 'utf8', env: { ...process.env, CI: '', TESTS_LEFT_OUT: '', ...environment } },
  );
  return { status, said: stripVTControlCharacters(stdout + stderr) };
}
const withoutPrograms = { PATH: '', CHROMIUM: '/nowhere' };
beforeAll(() => (withoutPrograms.PATH = bin));

describe('npm test', () => {
  it('refuses a project that there is none of, and names the nearest', () => {
    const { status, said } = npmTest(['--only', 'conten-servise']);
    expect(status).toBe(2);
    expect(said).toMatch(/^No project with tests named "conten-servise"\. Nearest: content-service, /);
  });

  it('refuses a file that there is none of, also beside one that there is', () => {
    const { status, said } = npmTest(['--only', 'link-resolver', 'segment', 'tokenise']);
    expect(status).toBe(2);
    expect(said).toMatch(/^No spec file of link-resolver has "tokenise" in its path\. Nearest: \S+tokenize-html/);
  });

  it('refuses files without a project, and unknown options, with its usage', () => {
    for (const args of [['segment'], ['--onyl', 'client']]) {
      const { status, said } = npmTest(args);
      expect(status).toBe(2);
      expect(said).toContain('Usage: npm test');
    }
  });

  it('starts no server for tests that use none', () => {
    const { status, said } = npmTest(['--only', 'link-resolver', 'segment']);
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining('All passed') });
    expect(said).not.toContain('Starting');
  });

  it('skips what needs a program that is missing, says how to get it, and lists what it skipped', () => {
    const args = ['--no-install', '--only', 'local-services', 'caddyfile.int', 'memory-limits'];
    const { status, said } = npmTest(args, withoutPrograms);
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining('All passed') });
    expect(said).toMatch(/Missing: Caddy 2\. .*install/i);
    expect(said).toMatch(/PASS\s+src\/memory-limits\.spec\.ts/);
    expect(said).not.toMatch(/(PASS|FAIL)\s+src\/caddyfile/);
    expect(said).toContain('Skipped:\nlibs/local-services/src/caddyfile.int.spec.ts: all tests (needs Caddy 2)\n');
  });

  it('lists tests that skip themselves for want of a program', () => {
    const { status, said } = npmTest(['--no-install', '--only', 'receiver', 'create-receiver'], withoutPrograms);
    expect(said).toContain('Skipped:\nlibs/receiver/src/create-receiver.int.spec.ts: 1 test (needs Redis)\n');
    expect(status).toBe(0);
  });

  it('fails before any test where CI is set and a program is missing', () => {
    const args = ['--no-install', '--only', 'local-services', 'caddyfile.int', 'memory-limits'];
    const { status, said } = npmTest(args, { ...withoutPrograms, CI: 'true' });
    expect(status).toBe(1);
    expect(said).toMatch(/^CI is set, but programs are missing\. Missing: Caddy 2\./);
    expect(said).not.toContain('jest');
  });
});
