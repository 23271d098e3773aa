import { SignJWT } from 'jose';
import { readPrivateJwk, SESSION_ALGORITHM, SESSION_AUDIENCE, SESSION_ISSUER } from './session-keys.ts';
import type { PublicSessionJwk } from './session-keys.ts';

/**
 * Longest life of a session's token, in seconds: an hour. Sessions that end before have to be remembered for so long.
 */
export const MAX_SESSION_TTL_S = 3_600;

/** Issues the sessions of owners. */
export interface SessionSigner {
  /**
   * Signs a token of a session.
   *
   * @param claims `sessionId` names what can be revoked; an administrator's sessions are revoked once they no longer
   *   are one.
   * @param ttlSeconds whole seconds from now, at most {@link MAX_SESSION_TTL_S}.
   * @throws RangeError when `ttlSeconds` is out of range.
   */
  issue: (
    claims: { accountId: string; email: string; sessionId: string; isAdministrator?: boolean },
    ttlSeconds: number,
  ) => Promise<{ token: string; expiresAt: Date }>;
  /** What verifiers need, as a JWKS. Holds no secret. */
  publicJwks: () => { keys: PublicSessionJwk[] };
}

/**
 * Makes the signer of owner sessions: JWTs signed with Ed25519.
 *
 * @param privateJwkJson the text of `OWNER_SESSION_PRIVATE_JWK`.
 * @param now the clock.
 * @throws InvalidSessionKeys when the key cannot be used.
 */
export function createSessionSigner(privateJwkJson: string, now: () => Date = () => new Date()): SessionSigner {
  const { privateKey, publicJwk } = readPrivateJwk(privateJwkJson);
  return {
    async issue({ accountId, email, sessionId, isAdministrator = false }, ttlSeconds) {
      if (!Number.isInteger(ttlSeconds) || ttlSeconds < 1 || ttlSeconds > MAX_SESSION_TTL_S) {
        throw new RangeError(`A session lives 1 to ${String(MAX_SESSION_TTL_S)} seconds.`);
      }
      const issuedAtS = Math.floor(now().getTime() / 1_000);
      const expiresAtS = issuedAtS + ttlSeconds;
      const token = await new SignJWT({ email, sid: sessionId, ...(isAdministrator && { adm: true }) })
        .setProtectedHeader({ alg: SESSION_ALGORITHM, kid: publicJwk.kid, typ: 'JWT' })
        .setSubject(accountId)
        .setIssuer(SESSION_ISSUER)
        .setAudience(SESSION_AUDIENCE)
        .setIssuedAt(issuedAtS)
        .setExpirationTime(expiresAtS)
        .sign(privateKey);
      return { token, expiresAt: new Date(expiresAtS * 1_000) };
    },
    publicJwks: () => ({ keys: [{ ...publicJwk }] }),
  };
}
