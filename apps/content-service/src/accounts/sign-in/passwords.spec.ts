import { createPasswords } from './passwords.ts';

describe('passwords', () => {
  const passwords = createPasswords();

  it('are hashed with Argon2id, 19 MB and 2 passes, never twice alike', async () => {
    const [one, other] = await Promise.all([passwords.hash('a password'), passwords.hash('a password')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });

  it('match their own hash, and nothing matches that of an account that does not exist', async () => {
    const hashed = await passwords.hash('a password');
    expect(await passwords.check(hashed, 'a password')).toBe(true);
    expect(await passwords.check(hashed, 'another password')).toBe(false);
    expect(await passwords.check(null, 'no account has this password')).toBe(false);
  });

  it('refuses a flood of sign-ins with 429 once 100 wait, and computes again after it', async () => {
    const results = await Promise.allSettled(Array.from({ length: 107 }, () => passwords.hash('a password')));
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(3);
    for (const { reason } of refused) expect(reason).toMatchObject({ status: 429, headers: { 'Retry-After': '2' } });
    await expect(passwords.hash('a password')).resolves.toContain('$argon2id$');
  });

  it('are computed after a computation has failed', async () => {
    const failing = Promise.allSettled(Array.from({ length: 4 }, () => passwords.check('not a hash', 'a password')));
    for (const { status } of await failing) expect(status).toBe('rejected');
    await expect(passwords.hash('a password')).resolves.toContain('$argon2id$');
  });
});
