import type { SessionSigner } from '@blog-content/credentials';
import type { account, session } from '@blog-content/payload-schemas';
import type { z } from 'zod';
import type { SessionGrant, SignedInAccount } from './session-store.ts';

export interface SessionAnswerDependencies {
  readonly signer: SessionSigner;
  /** How long a token is valid, in seconds; never longer than its session. */
  readonly sessionTtlS: number;
  readonly clock: () => Date;
}

/** The answer to a sign-in or a refresh: a signed token, and the next refresh token. */
export async function showSession(
  { signer, sessionTtlS, clock }: SessionAnswerDependencies,
  { sessionId, account, refreshToken, expiresAt }: SessionGrant,
): Promise<z.infer<typeof session>> {
  const leftS = Math.floor((expiresAt.getTime() - clock().getTime()) / 1_000);
  const ttlS = Math.max(1, Math.min(sessionTtlS, leftS));
  const { token, expiresAt: tokenExpiresAt } = await signer.issue(
    { accountId: account.id, email: account.email, sessionId, isAdministrator: account.isAdministrator },
    ttlS,
  );
  return {
    token,
    expires_at: tokenExpiresAt.toISOString(),
    refresh_token: refreshToken,
    refresh_expires_at: expiresAt.toISOString(),
    account: showAccount(account),
  };
}

/** An account on the wire. */
export function showAccount({ id, email, isAdministrator }: SignedInAccount): z.infer<typeof account> {
  return { id, email, is_administrator: isAdministrator };
}
