import { sha256Hex } from '@blog-content/credentials';
import type { Database, Transaction } from '../platform/database/open-database.ts';
import type { EmailAbout, EmailKind, OwnersNotice } from './email-kinds.ts';

const HOUR_MS = 3_600_000;
/** Most emails with invitations that one account has sent in an hour, and of these to one address. */
const MAX_INVITATION_EMAILS = 50;
const MAX_INVITATION_EMAILS_TO_ADDRESS = 3;
/** Most resets in an hour that are asked for an address, or from a network. */
const MAX_RESETS_OF_ADDRESS = 3;
const MAX_RESETS_OF_NETWORK = 30;
/** Most resets that wait to be sent: more are refused. */
const MAX_WAITING_RESETS = 1_000;
/** Most notices of a project in an hour, each to so many of its owners. */
const MAX_NOTICES_OF_PROJECT = 10;
const MAX_NOTICE_RECIPIENTS = 20;
/** How long a notice is worth sending. */
const NOTICE_LIFE_MS = 24 * HOUR_MS;
/** How long a reset can be used that somebody asked for who is not signed in. */
const ASKED_RESET_LIFE_MS = HOUR_MS;

/** Somebody who may do something, and an address in lower case. */
export interface EmailedInvitation {
  readonly kind: 'account_invitation' | 'member_invitation';
  readonly id: string;
  readonly invitedBy: string;
  readonly recipient: string;
  readonly expiresAt: Date;
}

/**
 * Emails that are to be sent: a row each, written in the transaction of its cause. Without an SMTP server there is
 * none.
 */
export interface EmailQueue {
  readonly isOn: boolean;
  /** False when it is not sent: there is no SMTP server, or a limit is reached. */
  invite(tx: Transaction, invitation: EmailedInvitation): Promise<boolean>;
  /** Likewise, for a reset that the administrator makes. */
  reset(tx: Transaction, recipient: string, expiresAt: Date): Promise<boolean>;
  /**
   * A reset that somebody asks for who is not signed in. Whether the address has an account is not looked at, so that
   * the answer cannot tell. @returns how long to wait instead, in milliseconds.
   */
  askForReset(recipient: string, network: string): Promise<{ readonly waitMs: number } | null>;
  /** The password is a new one: resets of before are not sent any more. */
  forgetResets(tx: Transaction, recipient: string): Promise<void>;
  /** Tells the owners of a project; of a receiver that fails once, however often its event comes. */
  readonly notifyOwners: (tx: Transaction, notice: OwnersNotice) => Promise<void>;
  /** The receiver has recovered: what was not sent yet is of no use any more. */
  forgetReceiver(tx: Transaction, integrationId: string): Promise<void>;
}

/** Sends nothing. */
export const NO_EMAIL: EmailQueue = {
  isOn: false,
  invite: () => Promise.resolve(false),
  reset: () => Promise.resolve(false),
  askForReset: () => Promise.reject(new Error('No SMTP server is configured.')),
  forgetResets: () => Promise.resolve(),
  notifyOwners: () => Promise.resolve(),
  forgetReceiver: () => Promise.resolve(),
};

/** @param onLimited hears of an email that is not sent, because a limit is reached. */
export function createEmailQueue(
  database: Database,
  clock: () => Date,
  onLimited: (kind: EmailKind) => void,
): EmailQueue {
  /** Counts one in the hour of a key. @returns 0, or how many milliseconds are left of an hour that is full. */
  async function countInHour(tx: Transaction, key: string, max: number): Promise<number> {
    const now = clock();
    const [hour] = await tx.$queryRaw<{ points: number; expire: Date }[]>`
      INSERT INTO rate_limit (key, points, expire) VALUES (${key}, 1, ${new Date(now.getTime() + HOUR_MS)})
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN rate_limit.expire > ${now} THEN rate_limit.points + 1 ELSE 1 END,
        expire = CASE WHEN rate_limit.expire > ${now} THEN rate_limit.expire ELSE excluded.expire END
      RETURNING points, expire`;
    if (!hour || hour.points <= max) return 0;
    // Those that are not sent do not count.
    await tx.$executeRaw`UPDATE rate_limit SET points = ${max} WHERE key = ${key}`;
    return Math.max(hour.expire.getTime() - now.getTime(), 1);
  }

  async function add(
    tx: Transaction,
    recipients: readonly string[],
    about: EmailAbout,
    expiresAt: Date,
  ): Promise<void> {
    const { kind, ...rest } = about;
    await tx.$executeRaw`
      INSERT INTO email (kind, recipient, about, expires_at)
      SELECT ${kind}, recipient, ${JSON.stringify(rest)}::jsonb, ${expiresAt}
      FROM unnest(${recipients}::text[]) AS recipient`;
  }

  return {
    isOn: true,

    async invite(tx, { kind, id, invitedBy, recipient, expiresAt }) {
      const toAddress = `email-invitation-to:${sha256Hex(`${invitedBy} ${recipient}`)}`;
      const isLimited =
        (await countInHour(tx, toAddress, MAX_INVITATION_EMAILS_TO_ADDRESS)) > 0 ||
        (await countInHour(tx, `email-invitation-by:${invitedBy}`, MAX_INVITATION_EMAILS)) > 0;
      if (isLimited) {
        onLimited(kind);
        return false;
      }
      const about =
        kind === 'account_invitation'
          ? { kind, invitation_id: id, invited_by: invitedBy }
          : { kind, invitation_id: id };
      await add(tx, [recipient], about, expiresAt);
      return true;
    },

    async reset(tx, recipient, expiresAt) {
      if ((await countInHour(tx, resetKey(recipient), MAX_RESETS_OF_ADDRESS)) > 0) {
        onLimited('password_reset');
        return false;
      }
      await add(tx, [recipient], { kind: 'password_reset' }, expiresAt);
      return true;
    },

    askForReset: (recipient, network) =>
      database.$transaction(async (tx) => {
        // The network first: one that asks for too many adds no rows for addresses.
        const waitMs =
          (await countInHour(tx, `email-reset-from:${sha256Hex(network)}`, MAX_RESETS_OF_NETWORK)) ||
          (await countInHour(tx, resetKey(recipient), MAX_RESETS_OF_ADDRESS)) ||
          ((await hasTooManyResets(tx)) ? HOUR_MS / 60 : 0);
        if (waitMs > 0) {
          onLimited('password_reset');
          return { waitMs };
        }
        const expiresAt = new Date(clock().getTime() + ASKED_RESET_LIFE_MS);
        await add(tx, [recipient], { kind: 'password_reset' }, expiresAt);
        return null;
      }),

    async forgetResets(tx, recipient) {
      await tx.email.deleteMany({ where: { kind: 'password_reset', recipient } });
    },

    async notifyOwners(tx, notice) {
      if (notice.kind === 'receiver_failing' && !(await isNews(tx, notice))) return;
      const { project_id: projectId } = notice;
      if ((await countInHour(tx, `email-notice-of:${projectId}`, MAX_NOTICES_OF_PROJECT)) > 0) {
        onLimited(notice.kind);
        return;
      }
      const owners = await tx.projectMember.findMany({
        where: { projectId, role: 'owner' },
        select: { account: { select: { email: true } } },
        orderBy: { accountId: 'asc' },
        take: MAX_NOTICE_RECIPIENTS,
      });
      const recipients = owners.map(({ account }) => account.email);
      await add(tx, recipients, notice, new Date(clock().getTime() + NOTICE_LIFE_MS));
    },

    async forgetReceiver(tx, integrationId) {
      await tx.$executeRaw`
        DELETE FROM email WHERE kind = 'receiver_failing' AND about ->> 'integration_id' = ${integrationId}`;
    },
  };
}

const resetKey = (recipient: string): string => `email-reset-of:${sha256Hex(recipient)}`;

async function hasTooManyResets(tx: Transaction): Promise<boolean> {
  return (await tx.email.count({ where: { kind: 'password_reset' } })) >= MAX_WAITING_RESETS;
}

/** Whether owners were told of this failing yet: events come at least once. */
async function isNews(tx: Transaction, notice: Extract<OwnersNotice, { kind: 'receiver_failing' }>): Promise<boolean> {
  const inserted = await tx.$queryRaw<object[]>`
    INSERT INTO receiver_alarm (integration_id, failing_since)
    VALUES (${notice.integration_id}::uuid, ${new Date(notice.failing_since)})
    ON CONFLICT (integration_id) DO UPDATE SET failing_since = excluded.failing_since, told_at = now()
      WHERE receiver_alarm.failing_since < excluded.failing_since
    RETURNING integration_id`;
  return inserted.length > 0;
}
