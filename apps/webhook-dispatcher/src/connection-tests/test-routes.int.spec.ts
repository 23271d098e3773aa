import { createHmac, randomUUID } from 'node:crypto';
import { deliveryDetail, problem, samplePayload, testResult, webhookBody } from '@blog-content/payload-schemas';
import { createTestCertificate, eventually, startReceiver } from '@blog-content/testing';
import { testBlog } from '../../test/events.ts';
import { prepareSecureGround, RECEIVER_NAME, SECRET, type SecureGround } from '../../test/grounds/secure-ground.ts';
import { webhookCalls } from '../../test/webhook-calls.ts';

let on: SecureGround;
beforeAll(async () => {
  on = await prepareSecureGround();
});
beforeEach(() => {
  on.receiver.clear();
  on.receiver.useSecret(SECRET);
  on.receiver.respondWith(({ signature }) => (signature === 'valid' ? { body: { ok: true } } : { status: 401 }));
  on.resolveTo(['127.0.0.1']);
});
afterAll(() => on[Symbol.asyncDispose]());

const newReceiver = async (integration: Parameters<SecureGround['newProject']>[0] = {}) => {
  const project = await on.newProject(integration);
  return { project, calls: await webhookCalls(on, project) };
};
const headerOf = (headers: readonly { name: string; value: string }[] | undefined, name: string) =>
  headers?.find((header) => header.name.toLowerCase() === name)?.value;

describe('Test Connection (contract §1.7, §6)', () => {
  it('sends test.ping with a message and the time, signed as configured, with the custom headers, and returns the result', async () => {
    const { project, calls } = await newReceiver({
      headers: { 'X-Site': 'one', Authorization: 'Bearer of-the-owner' },
    });
    const before = Date.now();
    const { status, body } = await calls.test();
    expect(status).toBe(200);
    expect(testResult.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      event: 'test.ping',
      success: true,
      status_code: 200,
      reason: null,
      detail: null,
      hint: null,
      answer: { status_code: 200, body_start: '{"ok":true}', body_truncated: false },
      request: { body_truncated: false },
    });
    expect(headerOf(body.answer?.headers, 'content-type')).toBe('application/json');

    const [request] = on.receiver.requests;
    expect(on.receiver.requests).toHaveLength(1);
    expect(request?.signature).toBe('valid');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'BlogContentService/9.9.9',
      'x-webhook-delivery': body.delivery_id,
      'x-site': 'one',
      authorization: 'Bearer of-the-owner',
    });
    expect(request?.headers).not.toHaveProperty('x-legacy-signature');
    const ping = request?.json();
    expect(webhookBody.parse(ping)).toEqual(ping);
    expect(ping).toEqual({
      event: 'test.ping',
      message: expect.any(String) as string,
      timestamp: expect.stringMatching(/Z$/) as string,
    });
    expect(Date.parse(String(ping?.['timestamp']))).toBeGreaterThanOrEqual(before);
    expect(body.request?.body).toBe(request?.body.toString('utf8'));
    expect(on.requestsOf(project.blog.id)).toEqual([]);
  });

  it('returns the phases of the exchange', async () => {
    const { calls } = await newReceiver();
    const { timings } = (await calls.test()).body;
    const ms = expect.any(Number) as number;
    expect(timings).toEqual({ dns_ms: ms, connect_ms: ms, tls_ms: ms, first_byte_ms: ms, total_ms: ms });
  });

  it('is logged like a delivery and changes no publication state: the next publish is still blog.published', async () => {
    const { project, calls } = await newReceiver();
    on.receiver.respondWith(() => ({ body: { ok: true, url: 'https://site.example/x', id: 'x' } }));
    const { body } = await calls.test();
    const logged = await calls.detail(body.delivery_id);
    expect(deliveryDetail.parse(logged.body)).toEqual(logged.body);
    expect(logged.body).toMatchObject({
      kind: 'test',
      event: 'test.ping',
      trigger: 'manual',
      status: 'succeeded',
      blog_id: null,
      publish_id: null,
      live_url: null,
      external_id: null,
      attempts: [
        {
          number: 1,
          status_code: 200,
          request: { body: body.request?.body },
          answer: body.answer,
          timings: body.timings,
        },
      ],
    });
    expect(
      await on.ground.query('SELECT * FROM receiver_blog WHERE integration_id = $1', [project.integrationId]),
    ).toEqual([]);
    expect(on.ground.outcomes.filter((event) => event.project_id === project.projectId)).toEqual([]);
    const [outcome] = await on.deliver(project.blog.published());
    expect(outcome?.outcome).toBe('succeeded');
    expect(on.requestsOf(project.blog.id)[0]?.json()['event']).toBe('blog.published');
  });

  it('works for a receiver that is switched off, and without a secret goes unsigned', async () => {
    const { calls } = await newReceiver({ active: false, secret: null });
    on.receiver.useSecret(undefined);
    on.receiver.respondWith(() => ({}));
    expect((await calls.test()).body).toMatchObject({ success: true });
    expect(on.receiver.requests[0]?.headers).not.toHaveProperty('x-webhook-signature');
  });

  it('signs with a new secret from the next request on (contract §5.2.8)', async () => {
    const { project, calls } = await newReceiver();
    await on.changeIntegration(project, { secret: 'another secret of at least 16' });
    expect((await calls.test()).body).toMatchObject({
      success: false,
      status_code: 401,
      reason: 'status',
      hint: expect.stringContaining('Compare the secret') as string,
    });
    on.receiver.useSecret('another secret of at least 16');
    expect((await calls.test()).body).toMatchObject({ success: true });
  });

  it.each([
    ['a 2xx without {"ok": true}', { status: 204 }, true, 204, 'Success.'],
    [
      'a redirect, which is not followed',
      { status: 302, headers: { Location: '/elsewhere' } },
      false,
      302,
      '/elsewhere',
    ],
    ['a wrong path', { status: 404 }, false, 404, 'path'],
    ['a wrong method', { status: 405 }, false, 405, 'POST'],
    ['another 2xx', { status: 203 }, false, 203, '200, 201, 202 or 204'],
    ['trouble of the receiver', { status: 500, body: 'stack trace' }, false, 500, 'Check its log'],
  ])('says what to do about %s', async (_name, answer, success, statusCode, hint) => {
    const { calls } = await newReceiver();
    on.receiver.respondWith(() => answer);
    const { body } = await calls.test();
    expect(body).toMatchObject({ success, status_code: statusCode, hint: expect.stringContaining(hint) as string });
    expect(on.receiver.requests).toHaveLength(1);
  });

  it('ends at the deadline of the whole exchange', async () => {
    // Of its own: the other tests must not depend on how fast a receiver is. And TLS has to be set up by then.
    await using impatient = await prepareSecureGround({ DELIVERY_TIMEOUT_MS: '3000' });
    impatient.receiver.respondWith(() => ({ hang: true }));
    const calls = await webhookCalls(impatient, await impatient.newProject());
    expect((await calls.test()).body).toMatchObject({
      success: false,
      status_code: null,
      reason: 'timeout',
      answer: null,
      request: { body: expect.stringContaining('test.ping') as string },
      hint: expect.stringContaining('Respond first') as string,
    });
  });

  it('follows the address rules, and opens no connection against them', async () => {
    const { calls } = await newReceiver();
    on.resolveTo(['10.0.0.7']);
    expect((await calls.test()).body).toMatchObject({
      reason: 'address_refused',
      hint: expect.stringContaining('public addresses') as string,
    });
    expect(on.receiver.requests).toEqual([]);
  });

  it('names an untrusted certificate, and a port that refuses connections', async () => {
    const stranger = await startReceiver({ certificate: await createTestCertificate([RECEIVER_NAME]) });
    const { project, calls } = await newReceiver({ url: on.urlOf(stranger.port) });
    expect((await calls.test()).body).toMatchObject({
      reason: 'network',
      hint: expect.stringMatching(/certificate/) as string,
    });
    expect(stranger.requests).toEqual([]);
    await stranger.close();
    expect((await calls.test()).body).toMatchObject({
      reason: 'network',
      hint: expect.stringContaining('Nothing is listening') as string,
    });
    expect(project.integrationId).not.toBe('');
  });

  it('shows the start of a long answer, as text', async () => {
    const { calls } = await newReceiver();
    on.receiver.respondWith(() => ({ status: 400, body: Buffer.alloc(200_000, 'a\0') }));
    const { answer } = (await calls.test()).body;
    expect(answer?.body_truncated).toBe(true);
    expect(answer?.body_start).toBe('a\uFFFD'.repeat(1_024));
  });
});

describe('Sample Payload (contract §6.1)', () => {
  it('sends a real-shaped blog.published under a preview- id, and the bytes that are signed', async () => {
    const { calls } = await newReceiver();
    on.receiver.respondWith(({ signature }) =>
      signature === 'valid' ? { body: { ok: true, skipped: true } } : { status: 401 },
    );
    const { status, body } = await calls.sendSample();
    expect(status).toBe(200);
    expect(testResult.parse(body)).toEqual(body);
    expect(body).toMatchObject({ event: 'blog.published', success: true, hint: null });
    const [request] = on.receiver.requests;
    const sample = request?.json();
    expect(webhookBody.parse(sample)).toEqual(sample);
    expect(sample?.['blog_id']).toMatch(/^preview-[0-9a-f]{8}-[0-9a-f-]{27}$/);
    expect(sample).not.toHaveProperty('idempotency_key');
    expect(sample).not.toHaveProperty('publish_attempt');
    expect(request?.headers).not.toHaveProperty('x-legacy-signature');
    expect(body.request?.body).toBe(request?.body.toString('utf8'));
  });

  it('has every field filled, and images that lead nowhere, each as it is in the content', async () => {
    const { calls } = await newReceiver();
    await calls.sendSample();
    const sample = on.receiver.requests[0]?.json<{ content: string; images: { url: string }[] }>();
    for (const [field, value] of Object.entries(sample ?? {})) {
      expect([field, value === null || value === '' || (Array.isArray(value) && value.length === 0)]).toEqual([
        field,
        false,
      ]);
    }
    expect(sample?.images).toHaveLength(2);
    for (const { url } of sample?.images ?? []) {
      expect(sample?.content).toContain(`src="${url}"`);
      expect(new URL(url).hostname).toMatch(/\.example$/);
    }
    expect(sample?.content).not.toContain('INTERNAL');
    expect(sample?.content).toContain('<a href="https://site.example/blog/tea-and-cake/">');
  });

  it('is made for this moment each time: another id, and published now', async () => {
    const { calls } = await newReceiver();
    await calls.sendSample();
    await calls.sendSample();
    const [first, second] = on.receiver.requests.map((request) => request.json());
    expect(first?.['blog_id']).not.toBe(second?.['blog_id']);
    expect(Date.now() - Date.parse(String(second?.['published_at']))).toBeLessThan(60_000);
  });

  it('is logged as a sample, and the receiver’s url and id are not stored', async () => {
    const { project, calls } = await newReceiver();
    on.receiver.respondWith(() => ({ body: { ok: true, url: 'https://site.example/x', id: 'x' } }));
    const { body } = await calls.sendSample();
    expect((await calls.detail(body.delivery_id)).body).toMatchObject({
      kind: 'sample',
      event: 'blog.published',
      status: 'succeeded',
      blog_id: null,
      live_url: null,
    });
    expect(
      await on.ground.query('SELECT * FROM receiver_blog WHERE integration_id = $1', [project.integrationId]),
    ).toEqual([]);
  });

  it('can be read without being sent, with everything a developer needs to check a signature', async () => {
    const { calls } = await newReceiver({ headers: { 'X-Api-Key': 'of-the-owner' } });
    const { status, body } = await calls.showSample();
    expect(status).toBe(200);
    expect(samplePayload.parse(body)).toEqual(body);
    expect(on.receiver.requests).toEqual([]);
    expect(headerOf(body.headers, 'x-webhook-signature')).toBe(
      createHmac('sha256', SECRET).update(Buffer.from(body.body, 'utf8')).digest('hex'),
    );
    expect(headerOf(body.headers, 'x-api-key')).toBe('of-the-owner');
    expect(JSON.parse(body.body)).toMatchObject({
      event: 'blog.published',
      blog_id: expect.stringMatching(/^preview-/) as string,
    });

    const asEditor = (await calls.showSample(calls.editor)).body;
    expect(headerOf(asEditor.headers, 'x-api-key')).toBe('••••');
    expect(JSON.stringify(asEditor)).not.toContain('of-the-owner');
  });
});

describe('who may test, and how often', () => {
  it('owners only, because a test calls another server', async () => {
    const { calls } = await newReceiver();
    for (const answer of [await calls.test(calls.editor), await calls.sendSample(calls.editor)]) {
      expect(answer.status).toBe(403);
    }
    for (const answer of [await calls.test(randomUUID()), await calls.showSample(randomUUID())]) {
      expect(answer.status).toBe(404);
    }
    expect(on.receiver.requests).toEqual([]);
  });

  it('one test of a receiver at a time: 429 with Retry-After, and nothing is sent', async () => {
    const { calls } = await newReceiver();
    const answered = Promise.withResolvers<object>();
    on.receiver.respondWith(() => answered.promise);
    const first = calls.test();
    await on.receiver.waitFor(() => true);
    for (const refused of [await calls.test(), await calls.sendSample()]) {
      expect(refused.status).toBe(429);
      expect(problem.safeParse(refused.body).success).toBe(true);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    answered.resolve({});
    expect((await first).body).toMatchObject({ success: true });
    expect(on.receiver.requests).toHaveLength(1);
    expect((await calls.test()).status).toBe(200);
  });

  it('at most eight concurrently for an account, over all of its projects', async () => {
    const receivers = await Promise.all(Array.from({ length: 9 }, () => newReceiver()));
    const answered = Promise.withResolvers<object>();
    on.receiver.respondWith(() => answered.promise);
    const [last, ...first] = receivers;
    const under = first.map(({ calls }) => calls.test());
    await eventually(() => expect(on.receiver.requests).toHaveLength(8));
    const refused = await last!.calls.test();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    answered.resolve({});
    expect((await Promise.all(under)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect((await last!.calls.test()).status).toBe(200);
  });

  it('ten per minute and project, over all of its receivers, without affecting other projects', async () => {
    const { project, calls } = await newReceiver();
    const second = `/projects/${project.projectId}/webhooks/${await on.addIntegration(project.projectId)}/sample`;
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      statuses.push((await calls.test()).status, (await on.dispatcher.call('POST', second, on.owner)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
    const refused = await calls.test();
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    const other = await newReceiver();
    expect((await other.calls.test()).status).toBe(200);
    await on.ground.query(`UPDATE delivery SET created_at = created_at - interval '1 minute' WHERE project_id = $1`, [
      project.projectId,
    ]);
    expect((await calls.test()).status).toBe(200);
  });

  it('405 names the methods, and a receiver of another project is not found', async () => {
    const { project } = await newReceiver();
    const other = await newReceiver();
    const path = `/projects/${project.projectId}/webhooks/${project.integrationId}`;
    expect((await on.dispatcher.call('GET', `${path}/test`, on.owner)).headers.get('allow')).toBe('POST');
    expect((await on.dispatcher.call('DELETE', `${path}/sample`, on.owner)).headers.get('allow')).toBe(
      'GET, HEAD, POST',
    );
    const foreign = `/projects/${project.projectId}/webhooks/${other.project.integrationId}/test`;
    expect((await on.dispatcher.call('POST', foreign, on.owner)).status).toBe(404);
  });
});

describe('a test whose process died', () => {
  it('ends as interrupted in the log, so that the receiver can be tested again', async () => {
    const { project, calls } = await newReceiver();
    const id = randomUUID();
    await on.ground.query(
      `INSERT INTO delivery (id, kind, integration_id, project_id, trigger, event, status, attempts, created_at)
       VALUES ($1, 'test', $2, $3, 'manual', 'test.ping', 'in_flight', 1, now() - interval '1 day')`,
      [id, project.integrationId, project.projectId],
    );
    await on.ground.query('INSERT INTO delivery_attempt (delivery_id, number, started_at) VALUES ($1, 1, now())', [id]);
    expect((await calls.test()).status).toBe(200);
    expect((await calls.detail(id)).body).toMatchObject({
      status: 'failed',
      reason: 'interrupted',
      attempts: [{ reason: 'interrupted', request: null }],
    });
  });

  it('does not delay publishes while it runs', async () => {
    const { project } = await newReceiver();
    await on.ground.query(
      `INSERT INTO delivery (id, kind, integration_id, project_id, trigger, event, status, attempts)
       VALUES ($1, 'test', $2, $3, 'manual', 'test.ping', 'in_flight', 1)`,
      [randomUUID(), project.integrationId, project.projectId],
    );
    const [outcome] = await on.deliver(testBlog(project.projectId).published());
    expect(outcome?.outcome).toBe('succeeded');
    await eventually(() => expect(on.receiver.requests.length).toBeGreaterThan(0));
  });
});
