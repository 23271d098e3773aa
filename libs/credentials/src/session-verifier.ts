import { errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { readPublicJwks, SESSION_ALGORITHM, SESSION_AUDIENCE, SESSION_ISSUER } from './session-keys.ts';
import { MAX_SESSION_TTL_S } from './session-signer.ts';

/** Who a verified session speaks for, and until when its token does. */
export interface OwnerSession {
  accountId: string;
  email: string;
  /** Of the sign-in that the token belongs to: it may have been revoked, which the token cannot tell. */
  sessionId: string;
  expiresAt: Date;
  /** Of an account that was the administrator when the token was issued. */
  isAdministrator?: true;
}

/** A token that is no valid owner session. `reason` is for logs; callers are told no more than "not signed in". */
export class InvalidSession extends Error {
  override readonly name = 'InvalidSession';
  readonly reason: 'expired' | 'unknown_key' | 'invalid';

  constructor(reason: InvalidSession['reason']) {
    super(reason === 'expired' ? 'The session has expired.' : 'The session is invalid.');
    this.reason = reason;
  }
}

/** Verifies an owner's session token. @throws InvalidSession */
export type VerifySession = (token: string) => Promise<OwnerSession>;

/** How far the clocks of two services may be apart, in seconds. */
const CLOCK_TOLERANCE_S = 5;
const MAX_TOKEN_LENGTH = 8_192;

const claims = z.object({
  sub: z.string().min(1),
  email: z.string().min(1),
  sid: z.uuid(),
  exp: z.number(),
  adm: z.boolean().optional(),
});

/**
 * Makes the verifier of owner sessions. The algorithm is fixed, not the token's choice; issuer, audience, expiry and
 * age are checked; the key is chosen by the token's `kid` among those given.
 *
 * @param jwksJson the text of `OWNER_SESSION_JWKS`.
 * @param now the clock.
 * @throws InvalidSessionKeys when the keys cannot be used.
 */
export function createSessionVerifier(jwksJson: string, now: () => Date = () => new Date()): VerifySession {
  const keys = readPublicJwks(jwksJson);
  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) throw new InvalidSession('invalid');
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid }) => {
          const key = kid === undefined ? undefined : keys.get(kid);
          if (key === undefined) throw new InvalidSession('unknown_key');
          return key;
        },
        {
          algorithms: [SESSION_ALGORITHM],
          issuer: SESSION_ISSUER,
          audience: SESSION_AUDIENCE,
          typ: 'JWT',
          requiredClaims: ['sub', 'email', 'sid', 'iat', 'exp'],
          maxTokenAge: MAX_SESSION_TTL_S,
          clockTolerance: CLOCK_TOLERANCE_S,
          currentDate: now(),
        },
      );
      const { sub, email, sid, exp, adm } = claims.parse(payload);
      const session = { accountId: sub, email, sessionId: sid, expiresAt: new Date(exp * 1_000) };
      return adm === true ? { ...session, isAdministrator: true } : session;
    } catch (error) {
      if (error instanceof InvalidSession) throw error;
      // The library's errors carry the token's claims, so they are not passed on as the cause.
      throw new InvalidSession(error instanceof errors.JWTExpired ? 'expired' : 'invalid');
    }
  };
}
