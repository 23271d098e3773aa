import { hash, verify } from '@node-rs/argon2';

/** Argon2id with the library's defaults, which are OWASP's recommendation (19 MiB, 2 passes). */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** Takes as long for an account that does not exist as for a wrong password. */
export async function checkPassword(passwordHash: string | null, password: string): Promise<boolean> {
  unknownAccountHash ??= hash('no account has this password');
  const matches = await verify(passwordHash ?? (await unknownAccountHash), password);
  return matches && passwordHash !== null;
}

let unknownAccountHash: Promise<string> | undefined;
