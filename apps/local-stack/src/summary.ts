import type { Publish } from '@blog-content/payload-schemas';
import type { ReceivedWebhook } from './demo/demo-receiver.ts';
import type { Demo } from './demo/seed.ts';

export interface Shown {
  readonly origin: string;
  readonly receiverUrl: string;
  readonly eventLog: string;
  readonly owner: { readonly email: string; readonly password: string; readonly token: string };
  readonly demo: Demo;
  readonly publish: Publish;
  readonly visibleAfterMs: number | null;
  readonly webhook: { readonly received: ReceivedWebhook; readonly afterMs: number } | null;
  readonly logFolder: string;
  readonly startedInMs: number;
}

/** What `npm start` prints when everything is up. */
export function summarise(shown: Shown): string {
  const { origin, owner, demo, publish, webhook } = shown;
  const api = `${origin}/blog/api/v1`;
  const delivery = publish.deliveries[0];
  const happened = [
    `“${demo.showcase.title}” was published (publish ${publish.id}: ${publish.status}).`,
    shown.visibleAfterMs === null
      ? 'The public API does not serve it yet: see the logs.'
      : `The public API served it ${shown.visibleAfterMs} ms after the publish call.`,
    webhook === null
      ? 'The demo receiver has not got it: see the logs.'
      : `The demo receiver got ${webhook.received.body.event} after ${webhook.afterMs} ms; its signature is valid.`,
    ...(delivery
      ? [`Delivery ${delivery.delivery_id}: ${delivery.status}, live at ${delivery.live_url ?? '(no URL returned)'}.`]
      : []),
  ];
  return `
The Blog Content Service is running (event log: ${shown.eventLog}; up in ${(shown.startedInMs / 1000).toFixed(1)} s).

What happened
${happened.map((line) => `  ${line}`).join('\n')}

Addresses
  API             ${api}
  Demo receiver   ${shown.receiverUrl}
  Logs            ${shown.logFolder}

Credentials
  Owner           ${owner.email}  ${owner.password}
  Public API key  ${demo.publicKey}

Try it
curl -s '${api}/public/blogs?api_key=${demo.publicKey}&limit=3'
curl -s -H 'Authorization: Bearer ${demo.publicKey}' ${api}/public/blogs/${demo.showcase.slug}
curl -s -H 'Authorization: Bearer ${demo.publicKey}' ${api}/public/blogs/sitemap
curl -s -X POST -H 'Content-Type: application/json' -d '${JSON.stringify({ email: owner.email, password: owner.password })}' ${api}/owner/session
curl -s -X POST -H 'Authorization: Bearer ${owner.token}' ${api}/owner/projects/${demo.projectId}/blogs/${demo.showcase.id}/publish
curl -s -X POST -H 'Authorization: Bearer ${owner.token}' -H 'Content-Type: application/json' -d '{"name":"My agent"}' ${api}/owner/projects/${demo.projectId}/agent-keys
curl -s ${api}/openapi.json
curl -s ${shown.receiverUrl}/received

Ctrl-C stops everything.`;
}
