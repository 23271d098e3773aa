import { loadConfig } from '@blog-content/service-runtime';
import { createTestCertificate, eventually, type ReceiverAnswer, startReceiver } from '@blog-content/testing';
import { prepareSecureGround, SECRET, type SecureGround } from '../../test/grounds/secure-ground.ts';
import { webhookCalls } from '../../test/webhook-calls.ts';
import { environment } from '../config.ts';

const FIVE_ATTEMPTS = 5;
let on: SecureGround;
beforeAll(async () => {
  on = await prepareSecureGround();
});
beforeEach(() => {
  on.receiver.clear();
  on.receiver.respondWith(() => ({}));
  on.resolveTo(['127.0.0.1']);
});
afterAll(() => on[Symbol.asyncDispose]());

const publish = async (trigger: 'manual' | 'autopilot', answer?: ReceiverAnswer) => {
  if (answer !== undefined) on.receiver.respondWith(() => answer);
  const { blog } = await on.newProject();
  const event = blog.published({ trigger });
  const [outcome] = await on.deliver(event);
  return { blog, event, outcome, requests: on.requestsOf(blog.id) };
};

describe.each(['manual', 'autopilot'] as const)('§7.2, §4.4, a publish that is %s', (trigger) => {
  it.each([200, 201, 202, 204])('“receiver status 200, 201, 202 or 204”: success on %d', async (status) => {
    const { outcome, requests } = await publish(trigger, { status });
    expect(outcome).toMatchObject({ outcome: 'succeeded', status_code: status, attempts: 1, reason: null });
    expect(requests.map(({ signature }) => signature)).toEqual(['valid']);
  });

  it.each([203, 205, 206, 207, 226, 299, 300, 301, 302, 303, 304, 305, 307, 308, 399, 600, 999])(
    '“any other status, including 3xx”: the publish fails on %d, and nothing is tried again',
    async (status) => {
      const { outcome, requests } = await publish(trigger, { status, headers: { location: '/elsewhere' }, body: '' });
      expect(outcome).toMatchObject({ outcome: 'failed', reason: 'status', status_code: status, attempts: 1 });
      expect(requests).toHaveLength(1);
    },
  );

  it.each([400, 401, 403, 404, 405, 408, 409, 410, 413, 418, 421, 422, 425, 429, 451, 499])(
    '“4xx: permanent, not retried”: %d',
    async (status) => {
      const { outcome, requests } = await publish(trigger, { status, headers: { 'retry-after': '0' } });
      expect(outcome).toMatchObject({ outcome: 'failed', reason: 'status', status_code: status, attempts: 1 });
      expect(requests).toHaveLength(1);
    },
  );

  it('“2xx without url: success with a notice that no public URL was returned”: the outcome has none', async () => {
    const { outcome } = await publish(trigger, { body: { ok: true } });
    expect(outcome).toMatchObject({ outcome: 'succeeded', live_url: null, external_id: null });
  });

  it('“receiver returns 401 on signature mismatch: fails the publish”, and the owner is told what 401 means', async () => {
    const strict = await startReceiver({ secret: 'not the secret of the integration', certificate: on.certificate });
    const { blog } = await on.newProject({ url: on.urlOf(strict.port) });
    const [outcome] = await on.deliver(blog.published({ trigger }));
    expect(strict.requests.map(({ signature }) => signature)).toEqual(['invalid']);
    expect(outcome).toMatchObject({ outcome: 'failed', status_code: 401, attempts: 1 });
    expect(outcome?.detail).toMatch(/signature/);
    await strict.close();
  });

  it('redirects “are not followed and count as failure”, also to a private address', async () => {
    const elsewhere = await startReceiver({ certificate: on.certificate });
    for (const location of [on.urlOf(elsewhere.port), 'http://169.254.169.254/latest/', 'https://[::1]/']) {
      const { outcome } = await publish(trigger, { status: 307, headers: { location } });
      expect(outcome).toMatchObject({ outcome: 'failed', status_code: 307, attempts: 1 });
    }
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it('“no private/internal addresses”: a name that has moved to one since it was saved is not called, nor tried again', async () => {
    const { blog } = await on.newProject();
    on.resolveTo(['10.0.0.1']);
    const [outcome] = await on.deliver(blog.published({ trigger }));
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'address_refused', attempts: 1 });
    expect(on.receiver.requests).toEqual([]);
  });
});

const TRANSIENT: [string, ReceiverAnswer, string, number | null][] = [
  ['a network error', { disconnect: true }, 'network', null],
  ...[500, 502, 503, 504, 520, 599].map((status): [string, ReceiverAnswer, string, number] => [
    String(status),
    { status },
    'status',
    status,
  ]),
];

describe('§3, §7.2: no answer within the time', () => {
  // Of its own: nothing else of these rules may depend on how fast a receiver is.
  let impatient: SecureGround;
  beforeAll(async () => {
    impatient = await prepareSecureGround({ DELIVERY_TIMEOUT_MS: '300' });
    impatient.receiver.respondWith(() => ({ hang: true }));
  });
  afterAll(() => impatient[Symbol.asyncDispose]());

  it.each([
    ['manual', 1],
    ['autopilot', FIVE_ATTEMPTS],
  ] as const)('a publish that is %s fails after %d attempts', async (trigger, attempts) => {
    const { blog } = await impatient.newProject();
    const event = blog.published({ trigger });
    const [outcome] = await impatient.deliver(event);
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'timeout', status_code: null, attempts });
    expect(impatient.ground.retriesPlanned(event.id)).toHaveLength(attempts - 1);
  });
});

describe('§3, §7.2: a manual publish is a single attempt', () => {
  it.each(TRANSIENT)('%s: it fails, the user must republish', async (_name, answer, reason, status_code) => {
    const { event, outcome, requests } = await publish('manual', answer);
    expect(outcome).toMatchObject({ outcome: 'failed', reason, status_code, attempts: 1 });
    expect(requests).toHaveLength(1);
    expect(on.ground.retriesPlanned(event.id)).toEqual([]);
  });
});

describe('a manual publish to a receiver that opted in is retried like the autopilot’s (ADR 50)', () => {
  const optedIn = () => on.newProject({ retry_manual: true });

  it.each(TRANSIENT)(
    '%s: retried with one key, and failed after the fifth',
    async (_name, answer, reason, status_code) => {
      on.receiver.respondWith(() => answer);
      const { blog } = await optedIn();
      const event = blog.published();
      const [outcome] = await on.deliver(event);
      expect(outcome).toMatchObject({ outcome: 'failed', reason, status_code, attempts: FIVE_ATTEMPTS });
      const requests = on.requestsOf(blog.id);
      const key = `${blog.id}:${event.data.publish_id}`;
      expect(requests.map((request) => request.json())).toMatchObject(
        [1, 2, 3, 4, 5].map((publish_attempt) => ({ publish_attempt, idempotency_key: key })),
      );
      expect(new Set(requests.map(({ headers }) => headers['x-webhook-delivery'])).size).toBe(1);
      expect(on.ground.retriesPlanned(event.id).map(({ attempts }) => attempts)).toEqual([1, 2, 3, 4]);
    },
  );

  it('stays manual: no legacy signature, a connection of its own for each attempt, and manual in the log', async () => {
    const statuses = [500, 200];
    on.receiver.respondWith(() => ({ status: statuses.shift() ?? 200 }));
    const { blog } = await optedIn();
    expect(await on.deliver(blog.published())).toMatchObject([{ outcome: 'succeeded', attempts: 2 }]);
    for (const { headers } of on.requestsOf(blog.id)) {
      expect(headers).toMatchObject({ connection: 'close' });
      expect(headers).not.toHaveProperty('x-legacy-signature');
    }
    expect(await on.ground.query('SELECT trigger FROM delivery WHERE blog_id = $1', [blog.id])).toEqual([
      { trigger: 'manual' },
    ]);
  });

  it('ends with a 4xx, as the autopilot’s', async () => {
    on.receiver.respondWith(() => ({ status: 410 }));
    const { blog } = await optedIn();
    expect(await on.deliver(blog.published())).toMatchObject([{ outcome: 'failed', status_code: 410, attempts: 1 }]);
  });

  it.each(['unpublished', 'deleted'] as const)('includes blog.%s, which has no key', async (change) => {
    const { blog } = await optedIn();
    await on.deliver(blog.published());
    on.receiver.clear();
    const statuses = [503, 200];
    on.receiver.respondWith(() => ({ status: statuses.shift() ?? 200 }));
    expect(await on.deliver(blog[change]())).toMatchObject([{ outcome: 'succeeded', attempts: 2 }]);
    const compact = { event: `blog.${change}`, blog_id: blog.id, title: expect.any(String) as string };
    expect(on.requestsOf(blog.id).map((request) => request.json())).toEqual([compact, compact]);
  });

  it('counts per receiver: another one of the same publish gets one attempt, and no key', async () => {
    const { blog, projectId } = await on.newProject();
    const optedInReceiver = await startReceiver({ secret: SECRET, certificate: on.certificate });
    await on.addIntegration(projectId, { url: on.urlOf(optedInReceiver.port), retry_manual: true });
    for (const receiver of [on.receiver, optedInReceiver]) receiver.respondWith(() => ({ status: 500 }));
    const outcomes = await on.deliver(blog.published(), 2);
    expect(outcomes.map(({ attempts }) => attempts).sort()).toEqual([1, FIVE_ATTEMPTS]);
    expect(on.requestsOf(blog.id)).toHaveLength(1);
    expect(on.requestsOf(blog.id)[0]?.json()).not.toHaveProperty('idempotency_key');
    expect(optedInReceiver.requests).toHaveLength(FIVE_ATTEMPTS);
    await optedInReceiver.close();
  });

  it('leaves redeliveries at one attempt without a key', async () => {
    on.receiver.respondWith(() => ({ status: 410 }));
    const project = await optedIn();
    const { blog } = project;
    const [failed] = await on.deliver(blog.published());
    on.receiver.clear();
    on.receiver.respondWith(() => ({ status: 500 }));
    const calls = await webhookCalls(on, project);
    const { body } = await calls.redeliver(failed?.delivery_id ?? '');
    await eventually(async () => expect((await calls.detail(body.id)).body).toMatchObject({ status: 'failed' }));
    expect(on.requestsOf(blog.id)).toHaveLength(1);
    expect(on.requestsOf(blog.id)[0]?.json()).not.toHaveProperty('idempotency_key');
  });
});

describe('§3, §7.2, §8: an autopilot publish has up to 5 attempts', () => {
  it.each(TRANSIENT)('%s: retried, and failed after the fifth', async (_name, answer, reason, status_code) => {
    const { event, outcome, requests } = await publish('autopilot', answer);
    expect(outcome).toMatchObject({ outcome: 'failed', reason, status_code, attempts: FIVE_ATTEMPTS });
    expect(requests.map((request) => request.json()['publish_attempt'])).toEqual([1, 2, 3, 4, 5]);
    expect(on.ground.retriesPlanned(event.id).map(({ attempts }) => attempts)).toEqual([1, 2, 3, 4]);
  });

  it.each([1, 2, 3, 4])('and succeeds as soon as one of them does: after %d failures', async (failures) => {
    let left = failures;
    on.receiver.respondWith(() => ({ status: (left -= 1) >= 0 ? 500 : 201 }));
    const { outcome } = await publish('autopilot');
    expect(outcome).toMatchObject({ outcome: 'succeeded', attempts: failures + 1, status_code: 201 });
  });

  it('a 4xx ends the retries after any earlier outcome', async () => {
    const statuses = [503, 500, 410];
    on.receiver.respondWith(() => ({ status: statuses.shift() ?? 200 }));
    const { outcome, requests } = await publish('autopilot');
    expect(outcome).toMatchObject({ outcome: 'failed', status_code: 410, attempts: 3 });
    expect(requests).toHaveLength(3);
  });

  it('a name that does not resolve, and a port that refuses connections, are network errors and retried', async () => {
    const gone = await startReceiver({ certificate: on.certificate });
    await gone.close();
    const { blog, integrationId, projectId } = await on.newProject({ url: on.urlOf(gone.port) });
    expect(await on.deliver(blog.published({ trigger: 'autopilot' }))).toMatchObject([
      { outcome: 'failed', reason: 'network', attempts: FIVE_ATTEMPTS },
    ]);
    await on.changeIntegration({ projectId, integrationId }, { url: on.urlOf(on.receiver.port) });
    on.resolveTo([]);
    const event = blog.published({ trigger: 'autopilot' });
    await on.ground.append(event);
    await eventually(() => on.ground.retriesPlanned(event.id).length > 0);
    on.resolveTo(['127.0.0.1']);
    expect(await on.ground.finished(event.id)).toMatchObject([{ outcome: 'succeeded' }]);
  });

  it('a certificate of an unknown authority, or for another name, is a network error: nothing is sent', async () => {
    const unknown = await startReceiver({ certificate: await createTestCertificate(['receiver.example.com']) });
    const { blog } = await on.newProject({ url: on.urlOf(unknown.port) });
    expect(await on.deliver(blog.published())).toMatchObject([{ outcome: 'failed', reason: 'network' }]);
    expect(unknown.requests).toEqual([]);
    await unknown.close();

    const other = on.urlOf(on.receiver.port).replace('receiver.', 'other.');
    const misnamed = await on.newProject({ url: other });
    expect(await on.deliver(misnamed.blog.published())).toMatchObject([{ outcome: 'failed', reason: 'network' }]);
    expect(on.receiver.requests).toEqual([]);
  });
});

describe('§8: the limits', () => {
  it('are 30 s for the receiver, 5 attempts, and about 60, 120, 240, 480, 960 s between them by default', () => {
    const config = loadConfig(environment, { ...on.ground.env, RECEIVER_ALLOWED_RANGES: '' }, 'webhook-dispatcher');
    expect(config).toMatchObject({
      DELIVERY_TIMEOUT_MS: 30_000,
      DELIVERY_MAX_ATTEMPTS: 5,
      RETRY_DELAYS_MS: [60_000, 120_000, 240_000, 480_000, 960_000],
    });
  });

  it('an attempt begins no sooner than its delay after the one before has ended', async () => {
    const { blog } = await publish('autopilot', { status: 500 });
    const gaps = await on.ground.query<{ waited: number }>(
      `SELECT (extract(epoch FROM a.started_at - b.ended_at) * 1000)::float8 AS waited
       FROM delivery d JOIN delivery_attempt a ON a.delivery_id = d.id
       JOIN delivery_attempt b ON b.delivery_id = d.id AND b.number = a.number - 1 WHERE d.blog_id = $1`,
      [blog.id],
    );
    expect(gaps).toHaveLength(4);
    // The columns hold whole milliseconds.
    for (const { waited } of gaps) expect(waited).toBeGreaterThanOrEqual(19);
  });

  it.each(['0', 'Wed, 21 Oct 2015 07:28:00 GMT', '-5', 'soon', ''])(
    'a Retry-After of %j makes an attempt no earlier than its delay',
    async (value) => {
      const { outcome } = await publish('autopilot', {
        status: 503,
        headers: { 'retry-after': value },
      });
      expect(outcome).toMatchObject({ outcome: 'failed', attempts: FIVE_ATTEMPTS });
    },
  );

  it('a Retry-After of a 503 moves the next attempt later, never past 960 s', async () => {
    on.receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': '99999999999' } }));
    const { blog } = await on.newProject();
    const event = blog.published({ trigger: 'autopilot' });
    const before = Date.now();
    await on.ground.append(event);
    const [retry] = await eventually(() => {
      const planned = on.ground.retriesPlanned(event.id);
      if (planned.length === 0) throw new Error('no retry is planned yet');
      return planned;
    });
    const waitMs = Date.parse(retry?.next_attempt_at ?? '') - before;
    expect(waitMs).toBeGreaterThanOrEqual(960_000);
    expect(waitMs).toBeLessThan(960_000 + 60_000);
  });

  it('a secret of 16 characters is enough', async () => {
    const secret = 'x'.repeat(16);
    const exact = await startReceiver({ secret, certificate: on.certificate });
    const { blog } = await on.newProject({ url: on.urlOf(exact.port), secret });
    expect(SECRET.length).toBeGreaterThan(secret.length);
    expect(await on.deliver(blog.published())).toMatchObject([{ outcome: 'succeeded' }]);
    expect(exact.requests.map(({ signature }) => signature)).toEqual(['valid']);
    await exact.close();
  });
});
