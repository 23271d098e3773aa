import { randomUUID } from 'node:crypto';
import { MAX_SESSION_TTL_S } from '@blog-content/credentials';
import { sessionsTopic, type SessionRevokedEvent } from '@blog-content/payload-schemas';
import type { AccountSession, Prisma } from '../../generated/prisma/client.ts';
import type { Database, Transaction } from '../../platform/database/open-database.ts';
import { emit } from '../../platform/database/outbox-store.ts';
import { MAX_REFRESHES, MAX_SESSIONS, SESSION_LIFE_MS } from '../account-limits.ts';
import { hashOfToken, newOneTimeToken } from '../../platform/one-time-token.ts';
import { judgeRefresh } from './judge-refresh.ts';

/** An account as its own person sees it. */
export interface SignedInAccount {
  readonly id: string;
  readonly email: string;
  readonly isAdministrator: boolean;
}

export type { AccountSession };

/** The result of a sign-in or a refresh. */
export interface SessionGrant {
  readonly sessionId: string;
  readonly account: SignedInAccount;
  /** In clear, this once. */
  readonly refreshToken: string;
  /** No refresh goes beyond it. */
  readonly expiresAt: Date;
}

export type RefreshRefusal = { readonly refused: 'unknown' | 'ended' | 'reused' };

export type SessionStore = ReturnType<typeof createSessionStore>;

/**
 * The sign-ins that last, and the refresh tokens that carry them on. Tokens are stored hashed only. A session that ends
 * before its tokens expire is emitted on `blog.sessions`, for the services that verify tokens by themselves.
 */
export function createSessionStore(database: Database, clock: () => Date) {
  return {
    /**
     * Begins a session; beyond {@link MAX_SESSIONS} the oldest ends. Null when the account is gone or its password is
     * no longer the one that was checked.
     */
    begin: (accountId: string, checkedPasswordHash: string, userAgent: string | null): Promise<SessionGrant | null> =>
      database.$transaction(async (tx) => {
        // The lock makes the limit hold, and refuses a password that was changed meanwhile.
        const [account] = await tx.$queryRaw<SignedInAccount[]>`
          SELECT id, email, is_administrator AS "isAdministrator" FROM account
          WHERE id = ${accountId}::uuid AND password_hash = ${checkedPasswordHash} FOR NO KEY UPDATE`;
        return account ? beginSession(tx, account, userAgent, clock()) : null;
      }),

    /** Uses a refresh token up and gives the next one, in one transaction. One that is reused ends its session. */
    refresh: (token: string): Promise<SessionGrant | RefreshRefusal> =>
      database.$transaction(async (tx): Promise<SessionGrant | RefreshRefusal> => {
        const hash = hashOfToken(token);
        // Holding the session makes its refreshes come one after the other.
        const [session] = await tx.$queryRaw<{ id: string }[]>`
          SELECT id FROM account_session
          WHERE id = (SELECT session_id FROM refresh_token WHERE hash = ${hash}) FOR UPDATE`;
        if (!session) return { refused: 'unknown' };
        const found = await tx.refreshToken.findUniqueOrThrow({
          where: { hash },
          include: { session: { include: { account: true } } },
        });
        const now = clock();
        const { usedAt } = found;
        const { id: sessionId, revokedAt, expiresAt, account } = found.session;
        const verdict = judgeRefresh({ usedAt, sessionRevokedAt: revokedAt, sessionExpiresAt: expiresAt }, now);
        if (verdict === 'ended') return { refused: 'ended' };
        if (verdict === 'reused' || (await hasRefreshes(tx, sessionId, MAX_REFRESHES))) {
          await endSessions(tx, { id: sessionId }, now);
          return { refused: verdict === 'reused' ? 'reused' : 'ended' };
        }
        await tx.accountSession.update({ where: { id: sessionId }, data: { refreshedAt: now }, select: { id: true } });
        if (usedAt === null) await tx.refreshToken.update({ where: { hash }, data: { usedAt: now } });
        const refreshToken = await addRefreshToken(tx, sessionId, now);
        const { id, email, isAdministrator } = account;
        return { sessionId, account: { id, email, isAdministrator }, refreshToken, expiresAt };
      }),

    /** Whose session it is; null when it was revoked, has expired or never was. */
    async findLive(sessionId: string, accountId: string): Promise<SignedInAccount | null> {
      const [account] = await database.$queryRaw<SignedInAccount[]>`
        SELECT account.id, account.email, account.is_administrator AS "isAdministrator"
        FROM account_session session JOIN account ON account.id = session.account_id
        WHERE session.id = ${sessionId}::uuid AND session.account_id = ${accountId}::uuid
          AND session.revoked_at IS NULL AND session.expires_at > ${clock()}`;
      return account ?? null;
    },

    /** The account's live sessions, the newest first: {@link MAX_SESSIONS} at most. */
    list: (accountId: string): Promise<AccountSession[]> =>
      database.accountSession.findMany({
        where: { accountId, revokedAt: null, expiresAt: { gt: clock() } },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: MAX_SESSIONS,
      }),

    /** Ends the session of a refresh token, used or not. Idempotent. @returns false when there is none. */
    revokeByToken: (token: string): Promise<boolean> =>
      database.$transaction(async (tx) => {
        const where = { hash: hashOfToken(token) };
        const found = await tx.refreshToken.findUnique({ where, select: { sessionId: true } });
        return found !== null && (await endSessions(tx, { id: found.sessionId }, clock())) > 0;
      }),

    /** Ends one session of the account. @returns false when the account has no such live session. */
    revokeOne: (accountId: string, id: string): Promise<boolean> =>
      database.$transaction(async (tx) => (await endSessions(tx, { id, accountId }, clock())) > 0),

    /** Ends all sessions of the account. */
    revokeAll: (accountId: string): Promise<void> =>
      database.$transaction((tx) => revokeSessions(tx, accountId, clock())),

    /** Ends the session and its refresh tokens. Idempotent. */
    async revoke(sessionId: string): Promise<void> {
      await database.$transaction((tx) => endSessions(tx, { id: sessionId }, clock()));
    },
  };
}

/** Begins a session of an account whose row the transaction holds. */
export async function beginSession(
  tx: Transaction,
  account: SignedInAccount,
  userAgent: string | null,
  now: Date,
): Promise<SessionGrant> {
  const sessionId = randomUUID();
  const expiresAt = new Date(now.getTime() + SESSION_LIFE_MS);
  await tx.accountSession.create({
    data: { id: sessionId, accountId: account.id, userAgent, createdAt: now, expiresAt },
  });
  const tooMany = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM account_session
    WHERE account_id = ${account.id}::uuid AND id <> ${sessionId}::uuid AND revoked_at IS NULL AND expires_at > ${now}
    ORDER BY created_at DESC, id DESC OFFSET ${MAX_SESSIONS - 1}`;
  if (tooMany.length > 0) await endSessions(tx, { id: { in: tooMany.map(({ id }) => id) } }, now);
  return { sessionId, account, refreshToken: await addRefreshToken(tx, sessionId, now), expiresAt };
}

/** Ends all sessions of an account, or all but one. */
export async function revokeSessions(
  tx: Transaction,
  accountId: string,
  now: Date,
  exceptSessionId?: string,
): Promise<void> {
  await endSessions(tx, { accountId, ...(exceptSessionId !== undefined && { id: { not: exceptSessionId } }) }, now);
}

/** Ends those that have not ended, and emits it: the other services refuse their tokens from then on. */
async function endSessions(tx: Transaction, which: Prisma.AccountSessionWhereInput, now: Date): Promise<number> {
  const ended = await tx.accountSession.updateManyAndReturn({
    where: { ...which, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
    select: { id: true },
  });
  const expiresAt = new Date(now.getTime() + MAX_SESSION_TTL_S * 1_000).toISOString();
  for (const { id } of ended) {
    const event: SessionRevokedEvent = { event: 'session.revoked', session_id: id, expires_at: expiresAt };
    await emit(tx, sessionsTopic, event, now);
  }
  return ended.length;
}

async function addRefreshToken(tx: Transaction, sessionId: string, now: Date): Promise<string> {
  const { token, hash } = newOneTimeToken();
  await tx.refreshToken.create({ data: { hash, sessionId, createdAt: now } });
  return token;
}

/** Whether the session has had at least `count` refresh tokens. */
async function hasRefreshes(tx: Transaction, sessionId: string, count: number): Promise<boolean> {
  const found = await tx.$queryRaw<{ hash: string }[]>`
    SELECT hash FROM refresh_token WHERE session_id = ${sessionId}::uuid OFFSET ${count - 1} LIMIT 1`;
  return found.length > 0;
}
