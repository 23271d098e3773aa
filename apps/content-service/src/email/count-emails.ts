import type { Metrics } from '@blog-content/service-runtime';
import { emailAbout, type EmailKind } from './email-kinds.ts';
import { EMAIL_OUTCOMES, type EmailOutcome } from './email-worker.ts';

/** Counts how a try of an email has ended; `limited`: it was not even kept. */
export type CountEmail = (kind: EmailKind, outcome: EmailOutcome | 'limited') => void;

/** Makes the counter. Each of its series begins at 0: an alert sees no increase in the first value of one. */
export function countEmails(metrics: Pick<Metrics, 'counter'>): CountEmail {
  const emails = metrics.counter('content_emails_total', 'Emails, by type and result of each attempt.', [
    'kind',
    'outcome',
  ]);
  for (const { shape } of emailAbout.options) {
    for (const outcome of [...EMAIL_OUTCOMES, 'limited']) emails.inc({ kind: shape.kind.value, outcome }, 0);
  }
  return (kind, outcome) => emails.inc({ kind, outcome });
}
