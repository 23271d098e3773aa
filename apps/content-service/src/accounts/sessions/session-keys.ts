import { createSessionSigner, parsePublicJwks, type PublicSessionJwk } from '@blog-content/credentials';
import type { z } from 'zod';

interface SessionKeys {
  readonly OWNER_SESSION_PRIVATE_JWK: string;
  readonly OWNER_SESSION_JWKS?: string | undefined;
}

/** The public keys whose sessions are accepted: while the key is being rotated, the old and the new one. */
export function acceptedSessionKeys(config: SessionKeys): { keys: PublicSessionJwk[] } {
  const { OWNER_SESSION_PRIVATE_JWK: privateJwk, OWNER_SESSION_JWKS: jwks } = config;
  return jwks === undefined ? createSessionSigner(privateJwk).publicJwks() : parsePublicJwks(jwks);
}

/** Its own sessions must be among those that are accepted, here and by the other services. */
export function needsOfSessions(config: SessionKeys, context: z.RefinementCtx): void {
  const [own] = createSessionSigner(config.OWNER_SESSION_PRIVATE_JWK).publicJwks().keys;
  if (acceptedSessionKeys(config).keys.some(({ kid, x }) => kid === own?.kid && x === own.x)) return;
  context.addIssue({
    code: 'custom',
    path: ['OWNER_SESSION_JWKS'],
    message: 'must contain the public key of OWNER_SESSION_PRIVATE_JWK, which signs new sessions',
    input: undefined,
  });
}
