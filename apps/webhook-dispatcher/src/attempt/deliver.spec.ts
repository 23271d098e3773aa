import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import { eventually } from '@blog-content/testing';
import { testBlog } from '../../test/events.ts';
import { recordingLogger } from '../../test/recording-logger.ts';
import { createIntegrationSecrets } from '../integrations/integration-secrets.ts';
import { createBodyCache } from '../payload/event-cache.ts';
import { createBodyBudget } from '../concurrency/slots.ts';
import { deliver, type DeliverDependencies } from './deliver.ts';
import type { ClaimedDelivery } from '../queue/claim-statements.ts';
import type { AttemptRecord } from '../queue/result-statements.ts';
import { RETRY_POLICY } from '../http/judge.ts';
import { type Lease, type Outcome, MAX_ANSWER_BYTES, type WebhookRequest } from '../http/exchange.ts';

const INTEGRATION = '7b6f1c1e-54d5-4a0e-9a39-0d5a4f6f2f10';
const event = testBlog('2f2b7f0e-9f5c-4d2b-8a37-9d8d5f3f6a11').published();
const timings = { firstByteMs: 5, answerMs: 6, dnsMs: 1, connectMs: 2, tlsMs: 2, waitMs: 1, totalMs: 7 };
const ANSWERED: Outcome = {
  kind: 'answered',
  statusCode: 200,
  retryAfter: null,
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from('{}'),
  timings,
};

/** Seals by writing the context in front; opens nothing that was sealed for another. */
const secrets = createIntegrationSecrets({
  seal: (plain, context) => `${context}|${plain}`,
  open: (sealed, context) => {
    if (!sealed.startsWith(`${context}|`)) throw new Error('sealed for another');
    return sealed.slice(context.length + 1);
  },
});

const claimed: ClaimedDelivery = {
  id: '5f1dd1b2-8a35-4bb8-b9a5-70b1ff8a4f35',
  kind: 'lifecycle',
  leaseToken: 'f2b1b3e1-54e6-4b54-8d7c-6d0c2a3f5b11',
  attempt: 1,
  trigger: 'manual',
  retries: false,
  lifecycleEventId: event.id,
  integrationId: INTEGRATION,
  projectId: event.data.project_id,
  blogId: event.data.blog_id,
  publishId: event.data.publish_id,
  event: 'blog.published',
  beganAt: new Date(event.time),
  traceparent: null,
  lifecycleEvent: event.data,
  eventTime: new Date(event.time),
  receiverHasBlog: false,
  receiverSlug: null,
  ...secrets.sealUrl(INTEGRATION, 'https://receiver.example/hook'),
  sealedSecret: secrets.sealSecret(INTEGRATION, 'a secret of at least 16'),
  sealedHeaders: secrets.sealHeaders(INTEGRATION, {
    'USER-AGENT': 'Mine',
    'X-Webhook-signature': 'forged',
    'X-Site': 'one',
  }),
  standardWebhooks: false,
  integrationKind: 'webhook',
  settings: {},
};

const lease = (isHeld = true, interrupted = new AbortController().signal): Lease => ({
  isHeld: () => isHeld,
  interrupted,
});

function situation(
  changes: { record?: (() => Promise<boolean>)[]; outcome?: Outcome; ending?: AbortSignal; mostBytes?: number } = {},
) {
  const { record = [], outcome = ANSWERED, ending = new AbortController().signal, mostBytes = 1_000_000 } = changes;
  const budget = createBodyBudget({ inAll: mostBytes, perProject: mostBytes });
  const { logger, lines } = recordingLogger();
  const sent: WebhookRequest[] = [];
  const records: AttemptRecord[] = [];
  const released: string[] = [];
  const latencies: number[] = [];
  const dependencies: DeliverDependencies = {
    store: {
      record: (_held, attempt) => {
        records.push(attempt);
        return record.shift()?.() ?? Promise.resolve(true);
      },
      release: (held) => {
        released.push(held.id);
        return Promise.resolve();
      },
    },
    secrets,
    bodies: { keep: () => Promise.resolve('kept') },
    bodyCache: createBodyCache(),
    budget,
    liveLinks: { find: () => Promise.reject(new Error('there is no database')) },
    send: (request, lease) => {
      if (!lease.isHeld()) return Promise.resolve({ kind: 'not_sent' });
      sent.push(request);
      return Promise.resolve(outcome);
    },
    sendsTraceparent: true,
    toDestination: () => Promise.reject(new Error('there is no direct integration')),
    policy: RETRY_POLICY,
    userAgent: 'BlogContentService/1.0.0',
    metrics: { attempted: () => undefined, firstByte: (ms) => latencies.push(ms) },
    logger,
    random: () => 0.5,
    now: () => new Date(),
    ending,
  };
  return { dependencies, budget, sent, records, released, latencies, lines };
}

describe('an attempt', () => {
  it('is not made when the lease may have expired, and the delivery is given back', async () => {
    const { dependencies, sent, records, released } = situation();
    await deliver(claimed, lease(false), dependencies);
    expect([sent, records, released]).toEqual([[], [], [claimed.id]]);
  });

  it('is not made while there is no memory for its body, and the delivery is given back unsent', async () => {
    const { dependencies, budget, sent, records, released, lines } = situation({ mostBytes: 300_000 });
    const other = budget.take('another project', 80_000);
    const large = testBlog(claimed.projectId).published({ revision: { content: 'x'.repeat(20_000) } }).data;
    await deliver({ ...claimed, lifecycleEvent: large }, lease(), dependencies);
    expect([sent, records, released]).toEqual([[], [], [claimed.id]]);
    expect(lines).toMatchObject([{ event: 'delivery.released', deliveries: 1, reason: 'no_room' }]);
    expect(budget.freeSlots()).toEqual(new Map([[claimed.projectId, 0]]));
    other?.release();
    await deliver({ ...claimed, lifecycleEvent: large }, lease(), dependencies);
    expect(sent).toHaveLength(1);
  });

  it('is not made while its links cannot be resolved, and the delivery is given back and holds no memory', async () => {
    const { dependencies, budget, sent, records, released, lines } = situation();
    await deliver({ ...claimed, settings: { links: 'live' } }, lease(), dependencies);
    expect([sent, records, released]).toEqual([[], [], [claimed.id]]);
    expect(lines).toMatchObject([{ event: 'delivery.released', deliveries: 1, reason: 'links_unknown' }]);
    expect(budget.heldBytes()).toBe(0);
  });

  it('holds its body until the exchange is over, but no memory while its outcome waits for the database', async () => {
    const recording = Promise.withResolvers<boolean>();
    const { dependencies, budget, sent, records } = situation({ record: [() => recording.promise] });
    let held = 0;
    const send: DeliverDependencies['send'] = (...given) => {
      held = budget.heldBytes();
      return dependencies.send(...given);
    };
    const delivering = deliver(claimed, lease(), { ...dependencies, send });
    await eventually(() => records.length === 1);
    expect(held).toBe(2 * (sent[0]?.body.byteLength ?? 0) + MAX_ANSWER_BYTES);
    expect(budget.heldBytes()).toBe(0);
    recording.resolve(true);
    await delivering;
  });

  it.each<[string, Partial<ClaimedDelivery>, Lease, Partial<DeliverDependencies>]>([
    ['is not sent because its lease was lost', {}, lease(false), {}],
    ['cannot be built', { sealedSecret: 'of another key' }, lease(), {}],
    ['times out', {}, lease(), { send: () => Promise.resolve({ kind: 'timeout', limitMs: 1, timings }) }],
    ['is interrupted', {}, lease(), { send: () => Promise.resolve({ kind: 'interrupted' }) }],
    ['cannot be sent for an error of ours', {}, lease(), { send: () => Promise.reject(new Error('a bug')) }],
    [
      'cannot keep its body because of an internal error',
      {},
      lease(),
      {
        bodies: {
          keep() {
            throw new Error('a bug');
          },
        },
      },
    ],
  ])('that %s releases its memory', async (_how, changes, given, broken) => {
    const { dependencies, budget } = situation();
    await deliver({ ...claimed, ...changes }, given, { ...dependencies, ...broken }).catch(() => undefined);
    expect(budget.heldBytes()).toBe(0);
  });

  it('keeps neither its event nor its claim in memory while the receiver is silent', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { dependencies, records } = situation();
    const answer = Promise.withResolvers<Outcome>();
    const begin = () => {
      const its = { ...claimed, lifecycleEvent: testBlog(claimed.projectId).published().data };
      const delivering = deliver(its, lease(), { ...dependencies, send: () => answer.promise });
      return { delivering, kept: [new WeakRef(its), new WeakRef(its.lifecycleEvent)] };
    };
    const { delivering, kept } = begin();
    await eventually(() => {
      collect();
      expect(kept.map((one) => one.deref())).toEqual([undefined, undefined]);
    });
    answer.resolve(ANSWERED);
    await delivering;
    expect(records).toHaveLength(1);
  });

  it('is not made unsigned when the secret cannot be opened: it fails, and the log says so', async () => {
    const { dependencies, sent, records, lines } = situation();
    const sealedSecret = secrets.sealSecret('another integration', 'a secret of at least 16');
    await deliver({ ...claimed, sealedSecret }, lease(), dependencies);
    expect(sent).toEqual([]);
    expect(records).toMatchObject([{ verdict: { kind: 'failed', reason: 'unsendable' }, statusCode: null }]);
    expect(lines).toMatchObject([{ level: 'error', event: 'delivery.unsendable' }, { event: 'delivery.attempted' }]);
  });

  it('carries custom headers in place of the service’s own, but for content type and signature', async () => {
    const { dependencies, sent } = situation();
    await deliver(claimed, lease(), dependencies);
    expect(sent[0]?.headers).toEqual({
      'USER-AGENT': 'Mine',
      accept: 'application/json',
      'x-webhook-delivery': claimed.id,
      'X-Site': 'one',
      'content-type': 'application/json',
      'X-Webhook-Signature': expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  it('is recorded as soon as the database is back', async () => {
    const away = () => Promise.reject(new Error('no database'));
    const { dependencies, sent, records, lines } = situation({ record: [away, away] });
    await deliver(claimed, lease(), dependencies);
    expect(sent).toHaveLength(1);
    expect(records).toHaveLength(3);
    expect(lines.at(-1)).toMatchObject({ event: 'delivery.attempted', recorded: true });
  });

  it('is left to the reclaim when the database is away until the process must end', async () => {
    const record = [() => Promise.reject(new Error('no database'))];
    const { dependencies } = situation({ record, ending: AbortSignal.abort() });
    await expect(deliver(claimed, lease(), dependencies)).rejects.toThrow('no database');
  });

  it('is recorded even if its lease is lost while the database is away', async () => {
    const lost = new AbortController();
    const away = () => {
      lost.abort();
      return Promise.reject(new Error('no database'));
    };
    const { dependencies, records, lines } = situation({ record: [away, away] });
    await deliver(claimed, lease(true, lost.signal), dependencies);
    expect(records).toHaveLength(3);
    expect(lines.at(-1)).toMatchObject({ event: 'delivery.attempted', recorded: true });
  });

  it('whose lease was lost says so in its log line', async () => {
    const { dependencies, lines } = situation({ record: [() => Promise.resolve(false)] });
    await deliver(claimed, lease(), dependencies);
    expect(lines).toMatchObject([{ event: 'delivery.attempted', recorded: false }]);
  });

  it('is measured from the event to its first byte, the first attempt only', async () => {
    const { dependencies, latencies } = situation();
    await deliver(claimed, lease(), dependencies);
    await deliver({ ...claimed, attempt: 2 }, lease(), dependencies);
    expect(latencies).toHaveLength(1);
  });
});
