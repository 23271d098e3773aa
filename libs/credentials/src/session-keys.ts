import { createHash, createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';

/** What every owner session says of itself: both sides insist on it. */
export const SESSION_ISSUER = 'blog-content-service';
export const SESSION_AUDIENCE = 'owner';
/** Ed25519 signatures, and nothing else that a token's header may claim. */
export const SESSION_ALGORITHM = 'EdDSA';

/** Session keys that cannot be used. The message says what is wrong, never with what value. */
export class InvalidSessionKeys extends Error {
  override readonly name = 'InvalidSessionKeys';
}

const keyPart = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const keyId = z.string().min(1).max(128);
const ed25519 = { kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: keyPart };
const privateJwkShape = z.object({ ...ed25519, d: keyPart, kid: keyId.optional() });
const publicJwksShape = z.object({
  keys: z.array(z.object({ ...ed25519, kid: keyId, d: z.undefined().optional() })).min(1),
});

/** A public Ed25519 key of a JWKS. */
export interface PublicSessionJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: typeof SESSION_ALGORITHM;
  use: 'sig';
}

/** RFC 7638: the key's id is a digest of the public key, so that two keys never share one. */
const thumbprint = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    throw new InvalidSessionKeys('must be JSON');
  }
}

/**
 * Reads the private key sessions are signed with.
 *
 * @throws InvalidSessionKeys
 */
export function readPrivateJwk(text: string): { privateKey: KeyObject; publicJwk: PublicSessionJwk } {
  const parsed = privateJwkShape.safeParse(parseJson(text));
  if (!parsed.success)
    throw new InvalidSessionKeys('must be a private Ed25519 key as a JWK (kty OKP, crv Ed25519, x, d)');
  const { kid, ...jwk } = parsed.data;
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  if (createPublicKey(privateKey).export({ format: 'jwk' }).x !== jwk.x) {
    throw new InvalidSessionKeys('must be one key: the public part (x) does not belong to the private part (d)');
  }
  const { kty, crv, x } = jwk;
  return { privateKey, publicJwk: { kty, crv, x, kid: kid ?? thumbprint(x), alg: SESSION_ALGORITHM, use: 'sig' } };
}

/**
 * Reads the public keys sessions are verified with, by key id. Several keys together let the signing key be changed.
 *
 * @throws InvalidSessionKeys, also when a private key is among them: it must not leave the service that signs.
 */
export function readPublicJwks(text: string): ReadonlyMap<string, KeyObject> {
  const keys = new Map<string, KeyObject>();
  for (const { kid, kty, crv, x } of parsePublicJwks(text).keys) {
    if (keys.has(kid)) throw new InvalidSessionKeys('must not contain two keys with the same kid');
    keys.set(kid, createPublicKey({ key: { kty, crv, x }, format: 'jwk' }));
  }
  return keys;
}

/**
 * The keys of a JWKS as they are published: without members that sessions don't need.
 *
 * @throws InvalidSessionKeys
 */
export function parsePublicJwks(text: string): { keys: PublicSessionJwk[] } {
  const json = parseJson(text);
  if (/"d"\s*:/.test(text)) throw new InvalidSessionKeys('must hold public keys only, without the private part (d)');
  const parsed = publicJwksShape.safeParse(json);
  if (!parsed.success)
    throw new InvalidSessionKeys('must be a JWKS of public Ed25519 keys (kty OKP, crv Ed25519, x, kid)');
  return {
    keys: parsed.data.keys.map(({ kty, crv, x, kid }) => ({ kty, crv, x, kid, alg: SESSION_ALGORITHM, use: 'sig' })),
  };
}

const checkedBy = (read: (text: string) => unknown) =>
  z.string().superRefine((text, context) => {
    try {
      read(text);
    } catch (error) {
      if (!(error instanceof InvalidSessionKeys)) throw error;
      context.addIssue({ code: 'custom', message: error.message, input: undefined });
    }
  });

/** The environment variable `OWNER_SESSION_PRIVATE_JWK`: checked, and kept as text for `createSessionSigner`. */
export const sessionPrivateJwk = checkedBy(readPrivateJwk);

/** The environment variable `OWNER_SESSION_JWKS`: checked, and kept as text for `createSessionVerifier`. */
export const sessionJwks = checkedBy(readPublicJwks);

/** Makes a key pair for a local set-up: the two environment variables, as JSON texts. */
export async function generateSessionKeyPair(): Promise<{ privateJwk: string; publicJwks: string }> {
  const { privateKey } = await promisify(generateKeyPair)('ed25519');
  const { publicJwk } = readPrivateJwk(JSON.stringify(privateKey.export({ format: 'jwk' })));
  const { kid, alg, use } = publicJwk;
  return {
    privateJwk: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid, alg, use }),
    publicJwks: JSON.stringify({ keys: [publicJwk] }),
  };
}
