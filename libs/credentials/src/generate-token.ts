import { randomBytes } from 'node:crypto';

/** What a credential starts with: a project's public key, or an agent's secret key (contract §5.1). */
export type TokenPrefix = 'pk_live_' | 'sk_agent_';

/** Characters after the prefix (contract §5.3): about 190 and 238 bits. */
export const TOKEN_LENGTHS = { pk_live_: 32, sk_agent_: 40 } as const satisfies Record<TokenPrefix, number>;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/**
 * The largest multiple of 62 in a byte: bytes from here on would favour the first characters, so they are drawn again.
 */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);
const MAX_TOKEN_LENGTH = 1_024;

/**
 * Draws a credential: the prefix, then `length` characters of base62, each equally likely, from the system's secure
 * source.
 *
 * @throws RangeError when `length` is not a whole number from 1 to 1,024.
 */
export function generateToken(prefix: TokenPrefix, length: number = TOKEN_LENGTHS[prefix]): string {
  if (!Number.isInteger(length) || length < 1 || length > MAX_TOKEN_LENGTH) {
    throw new RangeError(`The token must have 1 to ${String(MAX_TOKEN_LENGTH)} characters.`);
  }
  let token = '';
  while (token.length < length) {
    for (const byte of randomBytes(length - token.length)) {
      if (byte < FAIR_BYTES) token += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return prefix + token;
}
