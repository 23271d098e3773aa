import { createPasswords } from './passwords.ts';

const HERE = '192.0.2.1';

describe('passwords', () => {
  const passwords = createPasswords();

  it('are hashed with Argon2id, 19 MB and 2 passes, never twice alike', async () => {
    const [one, other] = await Promise.all([passwords.hash(HERE, 'a password'), passwords.hash(HERE, 'a password')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });

  it('match their own hash, and nothing matches that of an account that does not exist', async () => {
    const hashed = await passwords.hash(HERE, 'a password');
    expect(await passwords.check(HERE, hashed, 'a password')).toBe(true);
    expect(await passwords.check(HERE, hashed, 'another password')).toBe(false);
    expect(await passwords.check(HERE, null, 'no account has this password')).toBe(false);
  });

  it('are computed a few at a time, and refused with 429 once too many wait', async () => {
    const busy = createPasswords({ atOnce: 1, waiting: 2 });
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => busy.hash(HERE, 'a password')));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    const refused = results.filter((result) => result.status === 'rejected');
    for (const { reason } of refused) expect(reason).toMatchObject({ status: 429, headers: { 'Retry-After': '2' } });
    await expect(busy.hash(HERE, 'a password')).resolves.toContain('$argon2id$');
  });

  it('are computed in turns: those that one network asks for keep no other waiting', async () => {
    const busy = createPasswords({ atOnce: 1 });
    const made: string[] = [];
    const make = (network: string) => busy.hash(network, 'a password').then(() => made.push(network));
    await Promise.all([...Array.from({ length: 5 }, () => make('192.0.2.1')), make('192.0.2.2')]);
    expect(made.indexOf('192.0.2.2')).toBe(2);
  });

  it('give their place back when a computation fails', async () => {
    const busy = createPasswords({ atOnce: 1, waiting: 0 });
    await expect(busy.check(HERE, 'not a hash', 'a password')).rejects.toThrow();
    await expect(busy.hash(HERE, 'a password')).resolves.toContain('$argon2id$');
  });
});
