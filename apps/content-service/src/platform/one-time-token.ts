import { randomBytes } from 'node:crypto';
import { sha256Hex } from '@blog-content/credentials';

/** 256 bits cannot be guessed, so a plain digest is enough to store. */
const TOKEN_BYTES = 32;

/** A token to hand over once (43 characters of base64url), and the digest that is kept of it. */
export interface OneTimeToken {
  readonly token: string;
  readonly hash: string;
}

/** Draws a token from the system's secure source. */
export function newOneTimeToken(): OneTimeToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashOfToken(token) };
}

/** What a token is looked up by: its SHA-256 in hexadecimal. */
export const hashOfToken = (token: string): string => sha256Hex(token);
