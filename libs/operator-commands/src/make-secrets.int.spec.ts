import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { createSecretBox, createSessionSigner, createSessionVerifier } from '@blog-content/credentials';
import { serviceNames } from '@blog-content/payload-schemas';
import { compileCache } from '@blog-content/testing';

const makeSecrets = (...args: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const program = join(import.meta.dirname, 'make-secrets.main.ts');
    execFile(
      process.execPath,
      ['--conditions=@blog-content/source', '--disable-warning=ExperimentalWarning', program, ...args],
      { env: compileCache },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'make-secrets-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('make-secrets', () => {
  it('writes what every service needs, for its owner alone, and shows none of it', async () => {
    const made = join(folder, 'secrets');
    const { code, stdout } = await makeSecrets(made);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Wrote 7 files')]);
    const read = async (name: string) => parseEnv(await readFile(join(made, name), 'utf8'));
    for (const file of await readdir(made)) {
      expect((await stat(join(made, file))).mode & 0o777).toBe(0o600);
      for (const value of Object.values(await read(file))) {
        if (!['postgres', 'owner@example.com'].includes(value ?? '')) expect(stdout).not.toContain(value);
      }
    }
    const own = await read('content-service.env');
    const session = { accountId: 'a', email: 'a@example.com', sessionId: '0199f0e0-0000-7000-8000-000000000000' };
    const { token } = await createSessionSigner(own['OWNER_SESSION_PRIVATE_JWK'] ?? '').issue(session, 60);
    const keys = new Set<string>();
    for (const service of serviceNames) {
      const variables = await read(`${service}.env`);
      await expect(createSessionVerifier(variables['OWNER_SESSION_JWKS'] ?? '')(token)).resolves.toBeDefined();
      expect(() => createSecretBox(variables['ENCRYPTION_KEYS'] ?? '')).not.toThrow();
      keys.add(variables['ENCRYPTION_KEYS'] ?? '');
    }
    expect(keys.size).toBe(serviceNames.length);
  });

  it('replaces no secrets, and says how to use it', async () => {
    await makeSecrets(folder);
    const before = await readFile(join(folder, 'postgres.env'), 'utf8');
    const again = await makeSecrets(folder);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already has secrets')]);
    expect(await readFile(join(folder, 'postgres.env'), 'utf8')).toBe(before);
    expect(await makeSecrets()).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage:') });
    expect(await makeSecrets('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('docker run') });
  });
});
