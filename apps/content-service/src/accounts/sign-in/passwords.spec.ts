import { createPasswords } from './passwords.ts';

describe('passwords', () => {
  const passwords = createPasswords();

  it('are hashed with Argon2id, 19 MiB and 2 passes, never twice alike', async () => {
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

  it('are computed a few at a time, and refused with 429 once too many wait', async () => {
    const busy = createPasswords({ atOnce: 1, waiting: 2 });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => busy.hash('a password')));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    const refused = results.filter((result) => result.status === 'rejected');
    for (const { reason } of refused) expect(reason).toMatchObject({ status: 429, headers: { 'Retry-After': '2' } });
    await expect(busy.hash('a password')).resolves.toContain('$argon2id$');
  });

  it('give their place back when a computation fails', async () => {
    const busy = createPasswords({ atOnce: 1, waiting: 0 });
    await expect(busy.check('not a hash', 'a password')).rejects.toThrow();
    await expect(busy.hash('a password')).resolves.toContain('$argon2id$');
  });
});
