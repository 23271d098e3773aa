import { createHmac, randomUUID } from 'node:crypto';
import { deliveryDetail } from '@blog-content/payload-schemas';
import { testBlog } from '../../test/events.ts';
import { prepareSecureGround, SECRET, type SecureGround } from '../../test/grounds/secure-ground.ts';
import { webhookCalls } from '../../test/webhook-calls.ts';
import { MAX_KEPT_BODY_BYTES } from './sent-body-store.ts';

let on: SecureGround;
beforeAll(async () => {
  on = await prepareSecureGround();
});
beforeEach(() => {
  on.receiver.clear();
  on.receiver.respondWith(() => ({ body: { ok: true, url: 'https://site.example/tea', id: 7 } }));
});
afterAll(() => on[Symbol.asyncDispose]());

const newReceiver = async (integration: Parameters<SecureGround['newProject']>[0] = {}) => {
  const project = await on.newProject(integration);
  return { project, calls: await webhookCalls(on, project) };
};
type Headers = readonly { name: string; value: string }[] | undefined;
const inLowerCase = (headers: Headers) =>
  Object.fromEntries((headers ?? []).map(({ name, value }) => [name.toLowerCase(), value]));

describe('a delivery in the log', () => {
  it('has the request’s headers and body as sent, the answer’s head and start, and the phases', async () => {
    const { project, calls } = await newReceiver({ headers: { 'X-Api-Key': 'of-the-owner', Accept: 'text/plain' } });
    const [outcome] = await on.deliver(project.blog.published({ trigger: 'autopilot' }));
    const { body } = await calls.detail(outcome?.delivery_id ?? '');
    expect(deliveryDetail.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      kind: 'lifecycle',
      status: 'succeeded',
      live_url: 'https://site.example/tea',
      external_id: '7',
    });
    const [attempt] = body.attempts;
    const [received] = on.requestsOf(project.blog.id);
    expect(attempt?.request?.body).toBe(received?.body.toString('utf8'));
    expect(attempt?.request).toMatchObject({ body_bytes: received?.body.length, body_truncated: false });
    // All that arrived is shown, and nothing else.
    expect(inLowerCase(attempt?.request?.headers)).toEqual(received?.headers);
    expect(inLowerCase(attempt?.request?.headers)['x-webhook-signature']).toBe(
      createHmac('sha256', SECRET)
        .update(received?.body ?? '')
        .digest('hex'),
    );
    expect(attempt?.answer).toMatchObject({
      status_code: 200,
      body_start: '{"ok":true,"url":"https://site.example/tea","id":7}',
      body_truncated: false,
    });
    expect(inLowerCase(attempt?.answer?.headers)).toMatchObject({ 'content-type': 'application/json' });
    const ms = expect.any(Number) as number;
    expect(attempt?.timings).toEqual({ dns_ms: ms, connect_ms: ms, tls_ms: ms, first_byte_ms: ms, total_ms: ms });
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  it('shows editors the names of custom headers, and not their values', async () => {
    const { project, calls } = await newReceiver({ headers: { 'X-Api-Key': 'of-the-owner' } });
    const [outcome] = await on.deliver(project.blog.published());
    const { body } = await calls.detail(outcome?.delivery_id ?? '', calls.editor);
    const headers = inLowerCase(body.attempts[0]?.request?.headers);
    expect(headers['x-api-key']).toBe('••••');
    expect(headers['x-webhook-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(body)).not.toContain('of-the-owner');
  });

  it('has the names of custom headers in their case, as they are sent, also in tests', async () => {
    const { project, calls } = await newReceiver({ headers: { 'X-API-key': 'of-the-owner' } });
    const [outcome] = await on.deliver(project.blog.published());
    const { body } = await calls.detail(outcome?.delivery_id ?? '');
    const tested = (await calls.test()).body;
    for (const headers of [body.attempts[0]?.request?.headers, tested.request?.headers]) {
      expect(headers).toContainEqual({ name: 'X-API-key', value: 'of-the-owner' });
    }
    for (const { rawHeaders } of on.receiver.requests) expect(rawHeaders).toContain('X-API-key');
  });

  it('and the database hold no secret that a receiver echoes, in a delivery or a test', async () => {
    const url = `${on.urlOf(on.receiver.port)}/T0-OF-THE-OWNER?token=in-the-query`;
    const { project, calls } = await newReceiver({ url, headers: { Authorization: 'Bearer of-the-owner' } });
    on.receiver.respondWith(({ headers, path }) => ({
      headers: { 'X-Echo': String(headers.authorization) },
      body: JSON.stringify({ path, headers, secret: SECRET }),
    }));
    const [outcome] = await on.deliver(project.blog.published());
    const tested = (await calls.test()).body;
    const { body } = await calls.detail(outcome?.delivery_id ?? '');
    const rows = await on.ground.query<{ answer: string }>(
      `SELECT (exchange -> 'answer')::text AS answer FROM delivery_attempt WHERE delivery_id = ANY ($1)`,
      [[outcome?.delivery_id, tested.delivery_id]],
    );
    const texts = [
      JSON.stringify(body.attempts[0]?.answer),
      JSON.stringify(tested.answer),
      ...rows.map((row) => row.answer),
    ];
    expect(texts).toHaveLength(4);
    const signature = String(on.receiver.requests[0]?.headers['x-webhook-signature']);
    for (const text of texts) {
      expect(text).toContain('••••');
      for (const secret of [SECRET, 'of-the-owner', 'T0-OF', 'in-the-query', signature])
        expect(text).not.toContain(secret);
    }
  });

  it('keeps custom headers sealed, including replaced ones, and none of a deleted receiver', async () => {
    const { project, calls } = await newReceiver({ headers: { 'X-Api-Key': 'of-the-owner' } });
    const [outcome] = await on.deliver(project.blog.published());
    const id = outcome?.delivery_id ?? '';
    const shown = async () => inLowerCase((await calls.detail(id)).body.attempts[0]?.request?.headers);
    await on.changeIntegration(project, { headers: { 'X-Api-Key': 'a newer one' } });
    expect((await shown())['x-api-key']).toBe('of-the-owner');
    const rows = await on.ground.query(
      `SELECT a.exchange::text, h.sealed_headers FROM delivery_attempt a, integration_headers h
       WHERE a.delivery_id = $1 AND h.integration_id = $2`,
      [id, project.integrationId],
    );
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/of-the-owner|a newer one/);

    await on.dispatcher.call('DELETE', `/projects/${project.projectId}/webhooks/${project.integrationId}`, on.owner);
    expect(
      await on.ground.query('SELECT 1 FROM integration_headers WHERE integration_id = $1', [project.integrationId]),
    ).toEqual([]);
    expect(await shown()).toMatchObject({ '••••': '••••', 'content-type': 'application/json' });
  });

  it('has the request and response of each attempt, with a counting publish_attempt', async () => {
    const { project, calls } = await newReceiver();
    on.receiver.respondWith(({ index }) => (index % 2 === 0 ? { status: 503, body: 'later' } : {}));
    on.receiver.respondWith((request) =>
      request.json()['publish_attempt'] === 1 ? { status: 503, body: 'later' } : { body: { ok: true } },
    );
    const [outcome] = await on.deliver(project.blog.published({ trigger: 'autopilot' }));
    const { attempts } = (await calls.detail(outcome?.delivery_id ?? '')).body;
    expect(attempts).toMatchObject([
      { number: 1, status_code: 503, reason: 'status', answer: { status_code: 503, body_start: 'later' } },
      { number: 2, status_code: 200, reason: null, answer: { status_code: 200 } },
    ]);
    expect(attempts.map(({ request }) => JSON.parse(request?.body ?? '') as unknown)).toMatchObject([
      { publish_attempt: 1 },
      { publish_attempt: 2 },
    ]);
  });

  it('has the request of an attempt without a response', async () => {
    const { project, calls } = await newReceiver();
    on.receiver.respondWith(() => ({ disconnect: true }));
    const [outcome] = await on.deliver(project.blog.published());
    expect((await calls.detail(outcome?.delivery_id ?? '')).body.attempts).toMatchObject([
      { reason: 'network', answer: null, request: { body: expect.stringContaining('blog.published') as string } },
    ]);
  });

  it('keeps the first 256 kB of a long body, and says so', async () => {
    const { project, calls } = await newReceiver();
    const content = `<p>${'é'.repeat(200_000)}</p>`;
    const [outcome] = await on.deliver(project.blog.published({ revision: { content } }));
    const request = (await calls.detail(outcome?.delivery_id ?? '')).body.attempts[0]?.request;
    const sent = on.requestsOf(project.blog.id)[0]?.body;
    expect(request).toMatchObject({ body_truncated: true, body_bytes: sent?.length });
    const shown = Buffer.from(request?.body ?? '', 'utf8');
    expect(MAX_KEPT_BODY_BYTES - shown.length).toBeLessThan(2);
    expect(sent?.subarray(0, shown.length).equals(shown)).toBe(true);
  });

  it('keeps one body for all receivers of a publish', async () => {
    const { project } = await newReceiver();
    await on.addIntegration(project.projectId);
    await on.addIntegration(project.projectId, { secret: null });
    on.receiver.useSecret(undefined);
    const before = await on.ground.query('SELECT 1 FROM sent_body');
    const outcomes = await on.deliver(project.blog.published(), 3);
    on.receiver.useSecret(SECRET);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(await on.ground.query('SELECT 1 FROM sent_body')).toHaveLength(before.length + 1);
  });

  it('belongs to its project', async () => {
    const { project, calls } = await newReceiver();
    const [outcome] = await on.deliver(project.blog.published());
    const other = await newReceiver();
    expect((await other.calls.detail(outcome?.delivery_id ?? '')).status).toBe(404);
    expect((await calls.detail(outcome?.delivery_id ?? '', randomUUID())).status).toBe(404);
  });
});

describe('the delivery log', () => {
  it('is searched by receiver, blog, kind, state, event and time', async () => {
    const { project, calls } = await newReceiver();
    const other = testBlog(project.projectId);
    await on.deliver(project.blog.published());
    on.receiver.respondWith(() => ({ status: 500 }));
    const [failed] = await on.deliver(other.published());
    await on.deliver(project.blog.unpublished());
    on.receiver.respondWith(() => ({}));
    await calls.test();
    await calls.sendSample();

    const found = async (query: string) => {
      const { status, body } = await calls.list(query);
      expect(status).toBe(200);
      return body.items.map(({ kind, event, status: state }) => `${kind} ${event} ${state}`);
    };
    const all = [
      'sample blog.published succeeded',
      'test test.ping succeeded',
      'lifecycle blog.unpublished failed',
      'lifecycle blog.published failed',
      'lifecycle blog.published succeeded',
    ];
    expect(await found('')).toEqual(all);
    expect(await found(`?integration_id=${project.integrationId}`)).toEqual(all);
    expect(await found(`?blog_id=${other.id}`)).toEqual([all[3]]);
    expect(await found('?kind=test')).toEqual([all[1]]);
    expect(await found('?status=failed')).toEqual([all[2], all[3]]);
    expect(await found('?event=blog.published&status=succeeded&kind=lifecycle')).toEqual([all[4]]);
    const { created_at: time } = (await calls.detail(failed?.delivery_id ?? '')).body;
    expect(await found(`?since=${time}`)).toEqual(all.slice(0, 4));
    expect(await found(`?until=${time}`)).toEqual(all.slice(4));
    expect(await found('?since=0000-01-01T00:00:00Z')).toEqual(all);
    const { body: page } = await calls.list('?limit=2&status=failed');
    expect(page).toMatchObject({ items: [{}, {}], next_cursor: null });
    expect(page.items[0]?.attempts[0]).not.toHaveProperty('request');
  });

  it.each(['status=gone', 'kind=x', 'since=yesterday', 'until=1', 'event=' + 'x'.repeat(101)])(
    'cannot be searched with %s',
    async (query) => {
      const { calls } = await newReceiver();
      expect((await calls.list(`?${query}`)).status).toBe(400);
    },
  );
});
