import { backoffMs, type Backoff } from '@blog-content/concurrency';
import type { Logger } from '@blog-content/service-runtime';
import type { DueWatch } from '../platform/workload/due-watch-store.ts';
import { startWorkRunner } from '../platform/workload/work-runner.ts';
import { dueEmails, type ClaimedEmail, type EmailStore } from './email-store.ts';
import type { EmailKind } from './email-kinds.ts';
import type { EmailSender } from './send-email.ts';
import { writeEmail } from './write-email.ts';

export interface EmailWorkerDependencies {
  readonly emails: EmailStore;
  readonly sender: EmailSender;
  readonly dashboardUrl: string;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Hears how each try ended. */
  readonly onEnd: (kind: EmailKind, outcome: EmailOutcome) => void;
  readonly dueWatch: Pick<DueWatch, 'add'>;
}

/** `dropped`: there was nothing to say any more. `given_up`: it will not be tried again. */
export const EMAIL_OUTCOMES = ['sent', 'failed', 'dropped', 'given_up'] as const;
export type EmailOutcome = (typeof EMAIL_OUTCOMES)[number];

/** How long an email may take, in milliseconds: then somebody else sends it. */
const EMAIL_LEASE_MS = 2 * 60_000;
/** So many tries take about 14 hours. */
const MAX_EMAIL_TRIES = 20;
const EMAIL_BACKOFF: Backoff = { firstMs: 30_000, maxMs: 3_600_000 };
/** How long an email may still take when the service stops. */
const LAST_EMAIL_MS = 5_000;

/**
 * Sends due emails, one at a time. Every replica has a worker: a lease on the row decides who sends it, and the try is
 * counted before it is made. An email is sent at least once; a process that dies between the server’s answer and the
 * deletion of the row sends it twice, under the same Message-ID.
 */
export function startEmailWorker(dependencies: EmailWorkerDependencies) {
  const { emails, dueWatch, logger } = dependencies;
  const runner = startWorkRunner({
    name: 'email',
    logger,
    lastMs: LAST_EMAIL_MS,
    claim: () => emails.claim(EMAIL_LEASE_MS),
    run: (email, signal) => sendOne(dependencies, email, signal),
  });
  dueWatch.add(dueEmails, runner.wake);
  return runner;
}

async function sendOne(
  { emails, sender, dashboardUrl, clock, logger, onEnd }: EmailWorkerDependencies,
  email: ClaimedEmail,
  signal: AbortSignal,
): Promise<void> {
  const { id, kind, recipient, tries } = email;
  // Neither the address nor what the server says of it.
  const fields = { email_id: id, kind, tries };
  const end = async (outcome: EmailOutcome): Promise<void> => {
    onEnd(kind, outcome);
    await emails.remove(email);
  };
  if (tries > MAX_EMAIL_TRIES || email.expiresAt <= clock()) {
    logger.error('email.given_up', fields);
    return end('given_up');
  }
  const facts = await emails.prepare(email);
  if (facts === null) {
    logger.info('email.dropped', fields);
    return end('dropped');
  }
  const begunAt = performance.now();
  const failure = await sender.send({ id, recipient, ...writeEmail(facts, dashboardUrl) }, signal);
  const durationMs = Math.round(performance.now() - begunAt);
  if (failure === null) {
    logger.info('email.sent', { ...fields, duration_ms: durationMs });
    return end('sent');
  }
  const { code, responseCode, command, isPermanent } = failure;
  const why = { ...fields, duration_ms: durationMs, code, response_code: responseCode, command };
  if (isPermanent) {
    logger.error('email.given_up', why);
    return end('given_up');
  }
  const delayMs = backoffMs(tries, EMAIL_BACKOFF);
  await emails.postpone(email, delayMs);
  logger.warn('email.failed', { ...why, retry_in_ms: delayMs });
  onEnd(kind, 'failed');
}
