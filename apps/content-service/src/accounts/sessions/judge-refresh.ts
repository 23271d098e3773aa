import { REFRESH_LEEWAY_MS } from '../account-limits.ts';

/** What is known of a refresh token that somebody has sent. */
export interface RefreshTokenState {
  /** When it was first used; null before. */
  readonly usedAt: Date | null;
  readonly sessionRevokedAt: Date | null;
  readonly sessionExpiresAt: Date;
}

/**
 * What becomes of a refresh. `rotate`: the next token is given. `ended`: the session is over. `reused`: the token was
 * used before, so that two hold it and one of them may be a thief: the session is to end for both (RFC 9700, 4.14.2).
 *
 * Within ten seconds of its first use a token may be used again: two tabs refresh at the same time, and an answer can
 * be lost.
 */
export function judgeRefresh(state: RefreshTokenState, now: Date): 'rotate' | 'ended' | 'reused' {
  const { usedAt, sessionRevokedAt, sessionExpiresAt } = state;
  if (sessionRevokedAt !== null || sessionExpiresAt <= now) return 'ended';
  if (usedAt !== null && now.getTime() - usedAt.getTime() > REFRESH_LEEWAY_MS) return 'reused';
  return 'rotate';
}
