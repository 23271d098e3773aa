import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSessionSigner, createSessionVerifier, generateSessionKeyPair } from '@blog-content/credentials';
import { compileCache, createEmptyDatabase } from '@blog-content/testing';

const rotate = (args: readonly string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const program = join(import.meta.dirname, 'rotate.main.ts');
    execFile(
      process.execPath,
      ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning', program, ...args],
      { env: { ...compileCache, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rotate-'));
});
afterEach(() => rm(folder, { recursive: true }));

const session = { accountId: 'a', email: 'a@example.com', sessionId: '0199f0e0-0000-7000-8000-000000000000' };

describe('rotate session-key', () => {
  it('writes three steps between which every session is accepted, and the last of which ends the old key', async () => {
    const old = await generateSessionKeyPair();
    const made = join(folder, 'made');
    const { code, stdout } = await rotate(['session-key', made], { OWNER_SESSION_PRIVATE_JWK: old.privateJwk });
    expect(code).toBe(0);
    expect(stdout).toContain('60 minutes later');
    expect(stdout).not.toContain('"d"');
    const files = (await readdir(made)).toSorted();
    expect(files).toEqual(['1-accept-both.env', '2-sign-with-new.env', '3-refuse-old.env']);
    const valueIn = async (file: string | undefined, name: string) => {
      expect((await stat(join(made, file ?? ''))).mode & 0o777).toBe(0o600);
      return (await readFile(join(made, file ?? ''), 'utf8')).replace(`${name}=`, '').trim();
    };
    const both = createSessionVerifier(await valueIn(files[0], 'OWNER_SESSION_JWKS'));
    const signsNew = createSessionSigner(await valueIn(files[1], 'OWNER_SESSION_PRIVATE_JWK'));
    const onlyNew = createSessionVerifier(await valueIn(files[2], 'OWNER_SESSION_JWKS'));

    const { token: oldToken } = await createSessionSigner(old.privateJwk).issue(session, 60);
    const { token: newToken } = await signsNew.issue(session, 60);
    await expect(both(oldToken)).resolves.toMatchObject({ accountId: 'a' });
    await expect(both(newToken)).resolves.toMatchObject({ accountId: 'a' });
    await expect(onlyNew(newToken)).resolves.toMatchObject({ accountId: 'a' });
    await expect(onlyNew(oldToken)).rejects.toThrow('The session is invalid.');
  });

  it('writes into no folder that has files, and without a key into none', async () => {
    const { privateJwk } = await generateSessionKeyPair();
    const again = join(folder, 'made');
    await rotate(['session-key', again], { OWNER_SESSION_PRIVATE_JWK: privateJwk });
    const second = await rotate(['session-key', again], { OWNER_SESSION_PRIVATE_JWK: privateJwk });
    expect([second.code, second.stderr]).toEqual([1, `${again} isn't empty. Give a new folder.\n`]);
    const without = await rotate(['session-key', join(folder, 'other')]);
    expect([without.code, without.stderr]).toEqual([
      78,
      expect.stringContaining('OWNER_SESSION_PRIVATE_JWK is missing'),
    ]);
  });
});

describe('rotate', () => {
  it('shows help', async () => {
    const { code, stdout } = await rotate(['--help']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: npm run rotate -- encryption-key [--dry-run]')]);
  });

  it.each([
    [[], 'Say what to rotate'],
    [['password'], 'Unknown secret “password”'],
    [['encryption-key', 'more'], 'Unexpected argument “more”'],
    [['encryption-key', '--force'], "Unknown option '--force'"],
    [['session-key'], 'session-key needs a folder'],
    [['session-key', 'x', '--dry-run'], 'it has no --dry-run'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await rotate(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toContain('Usage:');
  });

  it('names missing variables', async () => {
    const { code, stderr } = await rotate(['encryption-key']);
    expect(code).toBe(78);
    expect(stderr).toContain('DATABASE_URL is missing');
    expect(stderr).toContain('ENCRYPTION_KEYS is missing');
  });

  it('refuses a database that is no service’s, and one that is away', async () => {
    const database = await createEmptyDatabase();
    const keys = `k1:${Buffer.alloc(32).toString('base64')}`;
    const empty = await rotate(['encryption-key'], { DATABASE_URL: database.url, ENCRYPTION_KEYS: keys });
    await database.drop();
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('without the tables of a service')]);
    const away = await rotate(['encryption-key'], {
      DATABASE_URL: 'postgresql://u:pass@127.0.0.1:1/x',
      ENCRYPTION_KEYS: keys,
    });
    expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
    expect(away.stderr).not.toContain('pass');
  });
});
