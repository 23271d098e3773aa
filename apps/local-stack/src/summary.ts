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
${tries(shown)
  .map(({ caption, command }) => `# ${caption}\n${command}`)
  .join('\n')}

Ctrl-C stops everything.`;
}

interface Try {
  readonly caption: string;
  readonly command: string;
}

const OWN_RECEIVER = { url: 'http://127.0.0.1:8080/hook', secret: 'a-secret-of-your-own' };

/** Lines to paste, in an order in which each makes sense. */
function tries({ origin, receiverUrl, owner, demo }: Shown): Try[] {
  const api = `${origin}/blog/api/v1`;
  const project = `${api}/owner/projects/${demo.projectId}`;
  const reader = `-H 'Authorization: Bearer ${demo.publicKey}'`;
  const signedIn = `-H 'Authorization: Bearer ${owner.token}'`;
  const post = (headers: string, body: object, url: string) =>
    `curl -s -X POST ${headers}-H 'Content-Type: application/json' -d '${JSON.stringify(body)}' ${url}`;
  return [
    {
      caption: 'The three newest posts, as a site that is built reads them; the key may stand in the URL …',
      command: `curl -s '${api}/public/blogs?api_key=${demo.publicKey}&limit=3'`,
    },
    {
      caption: '… or in a header: one post with its content',
      command: `curl -s ${reader} ${api}/public/blogs/${demo.showcase.slug}`,
    },
    {
      caption: 'Slugs and dates of all posts, for sitemap.xml',
      command: `curl -s ${reader} ${api}/public/blogs/sitemap`,
    },
    {
      caption: 'Sign in as the owner; the answer has the token that the next lines carry, for half an hour',
      command: post('', { email: owner.email, password: owner.password }, `${api}/owner/session`),
    },
    {
      caption: 'Publish a post again: its receivers get blog.updated',
      command: `curl -s -X POST ${signedIn} ${project}/blogs/${demo.showcase.id}/publish`,
    },
    {
      caption: 'What the demo receiver has got, newest first',
      command: `curl -s ${receiverUrl}/received`,
    },
    {
      caption: 'A receiver of your own: start it in another terminal …',
      command: `python3 examples/receiver.py --secret ${OWN_RECEIVER.secret} --port ${new URL(OWN_RECEIVER.url).port} --folder .data/posts`,
    },
    {
      caption: '… and add its webhook; whatever is published from now on goes to it too',
      command: post(`${signedIn} `, { name: 'My receiver', ...OWN_RECEIVER }, `${project}/webhooks`),
    },
    {
      caption: 'A key for an agent, shown this once (docs/quickstart-agent.md goes on from here)',
      command: post(`${signedIn} `, { name: 'My agent' }, `${project}/agent-keys`),
    },
    {
      caption: 'Everything that can be called',
      command: `curl -s ${api}/openapi.json`,
    },
  ];
}
