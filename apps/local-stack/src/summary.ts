import type { Publish } from '@blog-content/payload-schemas';
import type { ReceivedWebhook } from './demo/demo-receiver.ts';
import type { Demo } from './demo/seed.ts';

export interface SummaryFacts {
  readonly origin: string;
  readonly receiverUrl: string;
  readonly eventLog: string;
  readonly owner: { readonly email: string; readonly password: string };
  readonly demo: Demo;
  readonly publish: Pick<Publish, 'deliveries'>;
  /** The webhook whose receiver always fails. */
  readonly brokenWebhookId: string;
  readonly visibleAfterMs: number | null;
  readonly webhook: { readonly received: ReceivedWebhook; readonly afterMs: number } | null;
  readonly logFolder: string;
  readonly startedInMs: number;
}

/** What `npm start` prints when everything is up: at most 15 lines, and what one does next at the end. */
export function summarise(shown: SummaryFacts): string {
  const { origin, receiverUrl, eventLog, owner, demo, visibleAfterMs, webhook, logFolder, startedInMs } = shown;
  const title = `“${demo.showcase.title}”`;
  return `
Blog Content Service is running on ${eventLog}, up in ${(startedInMs / 1000).toFixed(1)} s. Ctrl-C stops everything.

  ${visibleAfterMs === null ? `The public API doesn’t serve ${title} yet. See the logs.` : `${title} went live in ${visibleAfterMs} ms.`}
  ${webhook === null ? 'The demo receiver didn’t get it. See the logs.' : `The demo receiver got ${webhook.received.body.event} after ${webhook.afterMs} ms.`}${failedElsewhere(shown)}
  “A site that is down” fails on purpose. Pause it before an agent publishes: retries take 15 minutes.

  API         ${origin}/blog/api/v1, public key ${demo.publicKey}
  Receiver    ${receiverUrl}/received
  Logs        ${logFolder}
  Docs        ${origin}/docs
  Examples    npm start -- --examples

  Dashboard   ${origin}
  Sign in     ${owner.email}, password ${owner.password}`;
}

/** `.` looks up a name without a slash in the PATH. */
export const asPath = (file: string) => (file.includes('/') ? file : `./${file}`);

/** That the publish failed at a receiver other than the one that always does. */
function failedElsewhere({ publish, brokenWebhookId }: SummaryFacts): string {
  const failed = publish.deliveries.filter(
    ({ status, integration_id: id }) => status === 'failed' && id !== brokenWebhookId,
  );
  return failed.length === 0 ? '' : ` ${failed.length} other deliveries failed: see the dashboard.`;
}
