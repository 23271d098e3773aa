import { z } from 'zod';

/** One key of the secret box: 32 bytes for AES-256-GCM, and the id that sealed texts carry. */
export interface EncryptionKey {
  id: string;
  bytes: Buffer;
}

/** `ENCRYPTION_KEYS` that cannot be used. The message names the place and the fault, never a value. */
export class InvalidEncryptionKeys extends Error {
  override readonly name = 'InvalidEncryptionKeys';
}

const KEY_BYTES = 32;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
/** 32 bytes in base64 or base64url, with or without padding. */
const KEY_TEXT = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Parses `ENCRYPTION_KEYS`: `id:key` pairs with commas between, each key 32 bytes in base64. The first key encrypts,
 * all of them decrypt; to change the key, put a new pair in front and drop the old one once nothing is sealed with it.
 *
 * @throws InvalidEncryptionKeys
 */
export function parseEncryptionKeys(text: string): [EncryptionKey, ...EncryptionKey[]] {
  const keys = text.split(',').map((entry, index): EncryptionKey => {
    const fail = (fault: string): never => {
      throw new InvalidEncryptionKeys(`key ${String(index + 1)} ${fault}`);
    };
    const [id = '', key, ...rest] = entry.trim().split(':');
    if (key === undefined || rest.length > 0) return fail('must be written as id:key');
    if (!KEY_ID.test(id)) return fail('must have an id of 1 to 32 letters, digits, "_" or "-" before the colon');
    if (!KEY_TEXT.test(key))
      return fail(`must be ${String(KEY_BYTES)} bytes in base64, like those of "openssl rand -base64 32"`);
    return { id, bytes: Buffer.from(key, 'base64') };
  });
  keys.forEach(({ id }, index) => {
    const earlier = keys.findIndex((key) => key.id === id);
    if (earlier !== index) {
      throw new InvalidEncryptionKeys(`key ${String(index + 1)} has the same id as key ${String(earlier + 1)}`);
    }
  });
  const [first, ...others] = keys;
  if (first === undefined) throw new InvalidEncryptionKeys('at least one key is needed');
  return [first, ...others];
}

/**
 * The environment variable `ENCRYPTION_KEYS`: checked, and kept as text for `createSecretBox`. Its issues never hold
 * the value.
 */
export const secretBoxKeys = z.string().superRefine((text, context) => {
  try {
    parseEncryptionKeys(text);
  } catch (error) {
    if (!(error instanceof InvalidEncryptionKeys)) throw error;
    context.addIssue({ code: 'custom', message: error.message, input: undefined });
  }
});
