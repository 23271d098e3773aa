import { randomUUID } from 'node:crypto';
import { sign } from '@blog-content/signing';
import { eventually, type Receiver, type ReceiverAnswer, startReceiver } from '@blog-content/testing';
import { servedEvent, testBlog } from '../../test/events.ts';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../../test/running-dispatcher.ts';

const SECRET = 'a secret of at least 16';
const owner = randomUUID();
let ground: TestGround;
let dispatcher: RunningDispatcher;
let receiver: Receiver;
beforeAll(async () => {
  ground = await prepareTestGround();
  dispatcher = await runDispatcher(ground, {
    env: { DELIVERY_TIMEOUT_MS: '2000', RETRY_DELAYS_MS: '20,20,20,20' },
  });
  receiver = await startReceiver({ secret: SECRET });
});
beforeEach(() => {
  receiver.clear();
  receiver.respondWith(() => ({}));
});
afterAll(async () => {
  await dispatcher[Symbol.asyncDispose]();
  await receiver.close();
  await ground[Symbol.asyncDispose]();
});

interface NewIntegration {
  readonly url?: string;
  readonly secret?: string | null;
  readonly headers?: Record<string, string>;
  readonly active?: boolean;
}
const newProject = async (integration: NewIntegration | null = {}) => {
  const projectId = randomUUID();
  await addProject(ground, dispatcher, projectId, owner);
  const integrationId = integration === null ? '' : await addIntegration(projectId, integration);
  return { blog: testBlog(projectId), projectId, integrationId };
};
const addIntegration = async (projectId: string, integration: NewIntegration = {}): Promise<string> => {
  const body = { url: receiver.url, secret: SECRET, ...integration };
  const created = await dispatcher.call<{ id: string }>('POST', `/projects/${projectId}/webhooks`, owner, body);
  expect(created).toMatchObject({ status: 201 });
  return created.body.id;
};
const deliver = async (event: Parameters<typeof servedEvent>[0], count = 1) => {
  await ground.append(event, servedEvent(event));
  return ground.finished(event.id, count);
};
const requestsOf = (blogId: string) => receiver.requests.filter((request) => request.json()['blog_id'] === blogId);

describe('a manual publish', () => {
  it('is one signed POST; the bytes signed are the bytes sent (contract §5.2)', async () => {
    const { blog, integrationId } = await newProject();
    const event = blog.published();
    const [outcome] = await deliver(event);
    expect(outcome).toMatchObject({
      outcome: 'succeeded',
      integration_id: integrationId,
      attempts: 1,
      status_code: 200,
    });

    const requests = requestsOf(blog.id);
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request?.signature).toBe('valid');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'BlogContentService/9.9.9',
      'x-webhook-delivery': outcome?.delivery_id,
      'x-webhook-signature': sign(request?.body ?? Buffer.of(), SECRET),
    });
    expect(request?.headers).not.toHaveProperty('x-legacy-signature');
    expect(request?.json()).toMatchObject({ event: 'blog.published', blog_id: blog.id, title: 'Tea & <coffee>' });
    expect(request?.json()).not.toHaveProperty('idempotency_key');
  });

  it.each<[string, ReceiverAnswer, string, number | null]>([
    ['400', { status: 400 }, 'status', 400],
    ['401', { status: 401 }, 'status', 401],
    ['429', { status: 429 }, 'status', 429],
    ['302', { status: 302, headers: { location: '/elsewhere' } }, 'status', 302],
    ['304', { status: 304, body: '' }, 'status', 304],
    ['203', { status: 203 }, 'status', 203],
    ['500', { status: 500 }, 'status', 500],
    ['503', { status: 503, headers: { 'retry-after': '0' } }, 'status', 503],
    ['no answer in time', { hang: true }, 'timeout', null],
    ['a broken connection', { disconnect: true }, 'network', null],
    [
      'an answer shorter than it says',
      { headers: { 'content-length': '9', connection: 'close' }, body: 'half' },
      'network',
      null,
    ],
  ])(
    'fails permanently on %s, without another attempt (contract §3, §7.2)',
    async (_name, answer, reason, status_code) => {
      receiver.respondWith(() => answer);
      const { blog } = await newProject();
      const [outcome] = await deliver(blog.published());
      expect(outcome).toMatchObject({ outcome: 'failed', reason, status_code, attempts: 1 });
      await eventually(async () =>
        expect(await ground.query('SELECT 1 FROM outbox WHERE published_at IS NULL')).toEqual([]),
      );
      expect(requestsOf(blog.id)).toHaveLength(1);
    },
  );

  it.each([200, 201, 202, 204])('succeeds on %d', async (status) => {
    receiver.respondWith(() => ({ status }));
    const { blog } = await newProject();
    expect(await deliver(blog.published())).toMatchObject([{ outcome: 'succeeded', status_code: status }]);
  });

  it.each<[(ReceiverAnswer['body'] & object) | string, string | null, string | null]>([
    [{ url: 'https://site.example/a', id: 'p-1' }, 'https://site.example/a', 'p-1'],
    [{ post_url: 'https://site.example/b', post_id: 7 }, 'https://site.example/b', '7'],
    [{ permalink: 'http://site.example/c', external_id: 'x' }, 'http://site.example/c', 'x'],
    [{ ok: true }, null, null],
    [{ url: 'javascript:alert(1)', id: 'nul\0' }, null, null],
    ['<html>Thank you</html>', null, null],
    ['', null, null],
  ])('keeps what the receiver answers: %p (contract §4.4)', async (body, live_url, external_id) => {
    receiver.respondWith(() => ({ body }));
    const { blog } = await newProject();
    expect(await deliver(blog.published())).toMatchObject([{ outcome: 'succeeded', live_url, external_id }]);
    expect(await ground.query('SELECT live_url, external_id FROM receiver_blog WHERE blog_id = $1', [blog.id])).toEqual(
      [{ live_url, external_id }],
    );
  });

  it('goes to every active integration, each with its own secret and headers (contract §1.4)', async () => {
    const { blog, projectId } = await newProject({ headers: { 'X-Site': 'one', 'content-TYPE': 'text/plain' } });
    const other = await startReceiver({ secret: 'another secret 123' });
    await addIntegration(projectId, {
      url: other.url,
      secret: 'another secret 123',
      headers: { Authorization: 'Bearer two' },
    });
    await addIntegration(projectId, { active: false });
    const outcomes = await deliver(blog.published(), 2);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded']);
    expect(requestsOf(blog.id)).toHaveLength(1);
    expect(requestsOf(blog.id)[0]?.headers).toMatchObject({ 'x-site': 'one', 'content-type': 'application/json' });
    expect(other.requests.map(({ signature }) => signature)).toEqual(['valid']);
    expect(other.requests[0]?.headers).toMatchObject({ authorization: 'Bearer two' });
    await other.close();
  });

  it('is not signed when no secret is configured', async () => {
    const { blog } = await newProject({ secret: null });
    await deliver(blog.published());
    expect(requestsOf(blog.id).map(({ signature }) => signature)).toEqual(['missing']);
  });

  it('is signed with a new secret from the next request on (contract §5.2.8)', async () => {
    const { blog, projectId, integrationId } = await newProject({ secret: 'an old secret 1234' });
    await dispatcher.call('PATCH', `/projects/${projectId}/webhooks/${integrationId}`, owner, { secret: SECRET });
    await deliver(blog.published());
    expect(requestsOf(blog.id).map(({ signature }) => signature)).toEqual(['valid']);
  });

  it('is delivered once even if its event comes again', async () => {
    const { blog } = await newProject();
    const event = blog.published();
    await ground.append(event, event);
    await deliver(event);
    const next = blog.published();
    await deliver(next);
    expect(requestsOf(blog.id)).toHaveLength(2);
    expect(ground.outcomesOf(event.id)).toHaveLength(2);
  });
});

describe('what a receiver has (contract §3, §3.1)', () => {
  it('decides between blog.published and blog.updated: published, updated, unpublished, published', async () => {
    const { blog } = await newProject();
    for (const event of [blog.published(), blog.published(), blog.unpublished(), blog.published(), blog.deleted()])
      await deliver(event);
    expect(requestsOf(blog.id).map((request) => request.json()['event'])).toEqual([
      ...['blog.published', 'blog.updated', 'blog.unpublished', 'blog.published', 'blog.deleted'],
    ]);
  });

  it('stays blog.published until one has succeeded', async () => {
    const { blog } = await newProject();
    receiver.respondWith(() => ({ status: 500 }));
    await deliver(blog.published());
    receiver.respondWith(() => ({}));
    await deliver(blog.published());
    await deliver(blog.published());
    expect(requestsOf(blog.id).map((request) => request.json()['event'])).toEqual([
      'blog.published',
      'blog.published',
      'blog.updated',
    ]);
  });

  it('is kept apart for each receiver', async () => {
    const { blog, projectId } = await newProject();
    await deliver(blog.published());
    const later = await startReceiver();
    await addIntegration(projectId, { url: later.url });
    await deliver(blog.published(), 2);
    expect(later.requests.map((request) => request.json()['event'])).toEqual(['blog.published']);
    expect(requestsOf(blog.id).at(-1)?.json()['event']).toBe('blog.updated');
    await later.close();
  });

  it('is announced in the order of the blog’s events, however many come together', async () => {
    const { blog } = await newProject();
    const events = [
      blog.published(),
      blog.published(),
      blog.unpublished(),
      blog.published(),
      blog.unpublished(),
      blog.deleted(),
    ];
    await ground.append(...events, ...events.map(servedEvent).reverse());
    await Promise.all(events.map((event) => ground.finished(event.id)));
    expect(requestsOf(blog.id).map((request) => request.json()['event'])).toEqual([
      ...['blog.published', 'blog.updated', 'blog.unpublished', 'blog.published', 'blog.unpublished', 'blog.deleted'],
    ]);
  });
});

describe('waiting for the public API (contract §4.7)', () => {
  it('is sent without the acknowledgement after the configured time', async () => {
    const { blog } = await newProject();
    const event = blog.published();
    await ground.append(event);
    await ground.finished(event.id);
    const [delivery] = await ground.query<{ waited: number }>(
      `SELECT (extract(epoch FROM a.started_at - d.created_at) * 1000)::float8 AS waited FROM delivery d
       JOIN delivery_attempt a ON a.delivery_id = d.id WHERE d.blog_id = $1`,
      [blog.id],
    );
    expect(delivery?.waited).toBeGreaterThanOrEqual(49);
  });

  it('is sent immediately when the acknowledgement came first', async () => {
    const { blog } = await newProject();
    const event = blog.published();
    await ground.append(servedEvent(event));
    await deliver(event);
    expect(requestsOf(blog.id)).toHaveLength(1);
  });
});

describe('an autopilot publish', () => {
  it('is retried on 5xx with one idempotency key, and counts its attempts (contract §6.4)', async () => {
    const { blog } = await newProject();
    let left = 2;
    receiver.respondWith(() => ({ status: (left -= 1) >= 0 ? 503 : 200 }));
    const event = blog.published({ trigger: 'autopilot' });
    expect(await deliver(event)).toMatchObject([{ outcome: 'succeeded', attempts: 3 }]);
    const requests = requestsOf(blog.id);
    expect(requests.map((request) => request.json()['publish_attempt'])).toEqual([1, 2, 3]);
    expect(ground.retriesPlanned(event.id).map(({ attempts, status_code }) => [attempts, status_code])).toEqual([
      [1, 503],
      [2, 503],
    ]);
    expect(new Set(requests.map((request) => request.json()['idempotency_key']))).toEqual(
      new Set([`${blog.id}:${event.data.publish_id}`]),
    );
    for (const { headers, signature } of requests) {
      expect(signature).toBe('valid');
      expect(headers['x-legacy-signature']).toBe(`sha256=${String(headers['x-webhook-signature'])}`);
    }
  });

  it('fails after its fifth attempt, each retry announced before', async () => {
    const { blog } = await newProject();
    receiver.respondWith(() => ({ status: 503 }));
    const event = blog.published({ trigger: 'autopilot' });
    expect(await deliver(event)).toMatchObject([{ outcome: 'failed', reason: 'status', attempts: 5 }]);
    expect(requestsOf(blog.id)).toHaveLength(5);
    expect(ground.retriesPlanned(event.id)).toMatchObject(
      [1, 2, 3, 4].map((attempts) => ({ attempts, reason: 'status', status_code: 503 })),
    );
  });

  it('is not retried on a 4xx', async () => {
    const { blog } = await newProject();
    receiver.respondWith(() => ({ status: 404 }));
    const event = blog.published({ trigger: 'autopilot' });
    expect(await deliver(event)).toMatchObject([{ outcome: 'failed', attempts: 1 }]);
    expect(ground.retriesPlanned(event.id)).toEqual([]);
  });

  it('has no legacy signature and no key on compact bodies', async () => {
    const { blog } = await newProject();
    await deliver(blog.unpublished('autopilot'));
    const [request] = requestsOf(blog.id);
    expect(request?.headers).not.toHaveProperty('x-legacy-signature');
    expect(Object.keys(request?.json() ?? {})).toEqual(['event', 'blog_id', 'title']);
  });
});

describe('the log', () => {
  it('has one line per attempt with its ids and outcome, and no secret, signature or body', async () => {
    const { blog, integrationId } = await newProject();
    const [outcome] = await deliver(blog.published());
    const lines = dispatcher.lines.filter((line) => line.event === 'delivery.attempted' && line['blog_id'] === blog.id);
    expect(lines).toMatchObject([
      {
        delivery_id: outcome?.delivery_id,
        integration_id: integrationId,
        outcome: 'succeeded',
        status_code: 200,
        attempt: 1,
        recorded: true,
      },
    ]);
    const signature = String(requestsOf(blog.id)[0]?.headers['x-webhook-signature']);
    const text = JSON.stringify(dispatcher.lines);
    for (const secret of [SECRET, signature, '<p>Hot.</p>', receiver.url]) expect(text).not.toContain(secret);
  });

  it('warns at startup that the address rules are open', () => {
    expect(dispatcher.lines.find((line) => line.event === 'receiver_rules.opened')).toMatchObject({
      level: 'warn',
      allowed_ranges: ['127.0.0.0/8'],
      allow_http: true,
    });
  });
});

it('is measured: attempts by outcome, in flight, due, event to first byte', async () => {
  const metrics = await dispatcher.metrics();
  for (const name of [
    'attempts_total',
    'event_to_first_byte_seconds_count',
    'deliveries_in_flight',
    'deliveries_due',
  ]) {
    expect(metrics).toMatch(new RegExp(`^webhook_(delivery_)?${name}.* \\d`, 'm'));
  }
});
