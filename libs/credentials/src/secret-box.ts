import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { parseEncryptionKeys } from './encryption-keys.ts';
import type { SealContext } from './sealed-columns.ts';

/** Why a secret could not be sealed or opened. */
export type SecretBoxFault = 'malformed' | 'unknown_key' | 'not_authentic' | 'not_text';

/** A sealed text that cannot be opened, or a text that cannot be sealed. Neither message nor fields hold any secret. */
export class SecretBoxError extends Error {
  override readonly name = 'SecretBoxError';
  readonly code: SecretBoxFault;

  constructor(code: SecretBoxFault, message: string) {
    super(message);
    this.code = code;
  }
}

/** Keeps secrets at rest: AES-256-GCM under the first of its keys. */
export interface SecretBox {
  /**
   * Encrypts a text for one place.
   *
   * @param context what the secret belongs to: a sealed text copied elsewhere does not open.
   * @returns `v1.<key id>.<nonce>.<ciphertext and tag>`, the last two in base64url.
   * @throws SecretBoxError `not_text` when `plain` holds half a surrogate pair, which UTF-8 cannot carry.
   */
  seal: (plain: string, context: SealContext) => string;
  /**
   * Decrypts what `seal` made under the same context.
   *
   * @throws SecretBoxError `malformed`, `unknown_key`, or `not_authentic` (tampered with, other context, or another key
   *   of that id).
   */
  open: (sealed: string, context: SealContext) => string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

function fromBase64url(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  // The decoder ignores spare bits: without this check two texts would open as the same secret.
  if (bytes.toString('base64url') !== text) throw malformed();
  return bytes;
}

/** What every text sealed with a key begins with. */
export const sealedPrefix = (keyId: string): string => `v1.${keyId}.`;

const malformed = (): SecretBoxError => new SecretBoxError('malformed', 'The sealed text is malformed.');

function parse(sealed: string): { keyId: string; nonce: Buffer; ciphertext: Buffer; tag: Buffer } {
  const [, keyId, nonceText, boxText] = SEALED.exec(sealed) ?? [];
  if (keyId === undefined || nonceText === undefined || boxText === undefined) throw malformed();
  const nonce = fromBase64url(nonceText);
  const box = fromBase64url(boxText);
  if (nonce.length !== NONCE_BYTES || box.length < TAG_BYTES) throw malformed();
  return { keyId, nonce, ciphertext: box.subarray(0, -TAG_BYTES), tag: box.subarray(-TAG_BYTES) };
}

/**
 * Makes a secret box (contract §5.3).
 *
 * @param keys the text of `ENCRYPTION_KEYS`: `id1:base64key,id0:base64key`, the first encrypts.
 * @throws InvalidEncryptionKeys when the keys cannot be used.
 */
export function createSecretBox(keys: string): SecretBox {
  const parsed = parseEncryptionKeys(keys);
  const [current] = parsed;
  const byId = new Map(parsed.map((key) => [key.id, createSecretKey(key.bytes)]));
  return {
    seal(plain, context) {
      if (!plain.isWellFormed()) throw new SecretBoxError('not_text', 'The text to seal is not valid Unicode.');
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.bytes, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const box = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${sealedPrefix(current.id)}${nonce.toString('base64url')}.${box.toString('base64url')}`;
    },
    open(sealed, context) {
      const { keyId, nonce, ciphertext, tag } = parse(sealed);
      const key = byId.get(keyId);
      if (key === undefined) {
        throw new SecretBoxError('unknown_key', `The text is sealed with the key "${keyId}", which is not configured.`);
      }
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
      } catch {
        throw new SecretBoxError('not_authentic', 'The sealed text was changed or belongs elsewhere.');
      }
    },
  };
}
