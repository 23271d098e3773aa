import { createHmac } from 'node:crypto';
import { type Api, request } from '../api.ts';
import { UsageError } from '../command-error.ts';
import type { Command } from './command.ts';

interface Delivery {
  readonly id: string;
  readonly integration_id: string;
  readonly event: string;
  readonly status: string;
}
interface DetailedDelivery extends Delivery {
  readonly attempts: readonly {
    readonly request: { readonly body: string | null; readonly body_truncated: boolean } | null;
  }[];
}

const POLL_MS = 1_000;
const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const listen: Command = {
  usage: `blog listen --to <url> [--webhook <id>]

Forwards webhooks to localhost for development. Polls the delivery log every second, signs each body with WEBHOOK_SECRET
and prints the response. The project needs at least one webhook, whose own deliveries continue. Bodies over 256 kB are
not forwarded.

  --to <url>       receiver on localhost
  --webhook <id>   forward this webhook only`,
  options: { to: 'string', webhook: 'string' },
  async run({ api: open, values, environment, print, signal }) {
    const { to, webhook } = values;
    if (typeof to !== 'string' || !URL.canParse(to) || !LOCAL.test(new URL(to).hostname)) {
      throw new UsageError('--to must be a URL on localhost.');
    }
    const secret = environment['WEBHOOK_SECRET'];
    if (!secret) throw new UsageError('Set WEBHOOK_SECRET to the receiver’s signing secret.');
    const api = await open();
    api.ownersOnly();
    const only = typeof webhook === 'string' ? `&integration_id=${encodeURIComponent(webhook)}` : '';
    // What is there already was sent before this began.
    let seen = new Set((await newest(api, only)).map(({ id }) => id));
    print(`Listening. Forwarding deliveries to ${to}. Press Ctrl-C to stop.`);
    const look = async () => {
      const log = (await newest(api, only)).reverse();
      for (const { id, event } of log) {
        if (seen.has(id)) continue;
        const delivery = (await (await api.project(`/deliveries/${id}`)).json()) as DetailedDelivery;
        const sent = delivery.attempts.find((attempt) => attempt.request !== null)?.request;
        // Not attempted yet: it comes again with the next look, unless it never is.
        if (sent === undefined && ['pending', 'in_flight'].includes(delivery.status)) continue;
        seen.add(id);
        const body = sent?.body ?? null;
        if (body === null || sent?.body_truncated) print(`${event}  ${id}  not forwarded: body not in the log`);
        else print(`${event}  ${id}  ${await forward(to, body, secret, id)}`);
      }
      // What has left the page does not come back.
      seen = new Set(log.map(({ id }) => id).filter((id) => seen.has(id)));
    };
    while (!signal.aborted) {
      await look().catch((error: unknown) => {
        // Ctrl-C ends what is being asked, too.
        if (!signal.aborted) throw error;
      });
      await sleep(POLL_MS, signal);
    }
  },
};

/** The newest first; a burst of more within a second would be missed in part. */
async function newest(api: Api, only: string): Promise<Delivery[]> {
  return ((await (await api.project(`/deliveries?limit=100${only}`)).json()) as { items: Delivery[] }).items;
}

async function forward(to: string, body: string, secret: string, id: string): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'x-webhook-delivery': id,
  };
  try {
    const response = await request(to, { method: 'POST', body, headers, redirect: 'manual' });
    return `${response.status} ${(await response.text()).slice(0, 200).replace(/\p{Cc}+/gu, ' ')}`;
  } catch (error) {
    return (error as Error).message;
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((wake) => {
    if (signal.aborted) return wake();
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), wake()), { once: true });
  });
}
