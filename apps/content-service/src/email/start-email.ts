import type { Logger, Metrics } from '@blog-content/service-runtime';
import type { Database } from '../platform/database/open-database.ts';
import type { DueWatch } from '../platform/workload/due-watch-store.ts';
import type { EmailEnvironment } from './email-environment.ts';
import { countEmails } from './count-emails.ts';
import { createEmailQueue, NO_EMAIL, type EmailQueue } from './email-queue-store.ts';
import { createEmailStore } from './email-store.ts';
import { startEmailWorker } from './email-worker.ts';
import { createEmailSender } from './send-email.ts';

export interface StartEmailDependencies {
  readonly settings: EmailEnvironment;
  readonly database: Database;
  readonly dueWatch: Pick<DueWatch, 'add'>;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'counter'>;
}

/** Starts to send emails where there is an SMTP server. @returns the queue of those that are to be sent. */
export function startEmail(
  resources: AsyncDisposableStack,
  { settings, database, dueWatch, clock, logger, metrics }: StartEmailDependencies,
): EmailQueue {
  const {
    SMTP_URL: server,
    SMTP_FROM: from,
    DASHBOARD_URL: dashboardUrl,
    SMTP_ALLOW_PLAINTEXT: allowPlaintext,
  } = settings;
  // The environment has all or none (needsOfEmail).
  if (server === undefined || from === undefined || dashboardUrl === undefined) return NO_EMAIL;
  if (allowPlaintext) {
    logger.warn('email.plaintext_allowed', {
      warning: 'EMAILS AND THE SMTP PASSWORD MAY BE SENT UNENCRYPTED. For development and tests only.',
    });
  }
  const count = countEmails(metrics);
  const worker = startEmailWorker({
    emails: createEmailStore(database, clock),
    sender: createEmailSender({ server, from, allowPlaintext }),
    ...{ dashboardUrl, clock, logger },
    onEnd: count,
    dueWatch,
  });
  resources.defer(() => worker.stop());
  return createEmailQueue(database, clock, (kind) => count(kind, 'limited'));
}
