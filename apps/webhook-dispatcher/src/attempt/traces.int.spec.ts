import { randomBytes } from 'node:crypto';
import { type CollectedSpan, type Collector, eventually, startCollector } from '@blog-content/testing';
import { prepareSecureGround, type SecureGround, SECRET } from '../../test/grounds/secure-ground.ts';

let collector: Collector;
let on: SecureGround;
beforeAll(async () => {
  // How long the exporter waits for more.
  process.env['OTEL_BSP_SCHEDULE_DELAY'] = '50';
  collector = await startCollector();
  on = await prepareSecureGround({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
});
beforeEach(() => {
  on.receiver.clear();
  on.receiver.respondWith(() => ({}));
});
afterAll(async () => {
  await on[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
  delete process.env['OTEL_BSP_SCHEDULE_DELAY'];
});

/** A trace that a publish has begun. */
function newTrace() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
}

const attemptsOf = (integrationId: string, count: number): Promise<CollectedSpan[]> =>
  eventually(() => {
    const spans = collector.spans.filter(
      ({ attributes }) => attributes['blog_content.integration.id'] === integrationId,
    );
    expect(spans).toHaveLength(count);
    return spans;
  });

describe('an attempt', () => {
  it('is a span in the trace of its publish, and the receiver gets it as its parent', async () => {
    const { blog, projectId, integrationId } = await on.newProject();
    const trace = newTrace();
    const event = { ...blog.published({ trigger: 'manual' }), traceparent: trace.traceparent };
    await on.deliver(event);
    const [span] = await attemptsOf(integrationId, 1);
    expect(span).toMatchObject({
      service: 'webhook-dispatcher',
      name: 'deliver blog.published',
      traceId: trace.traceId,
      parentSpanId: trace.spanId,
      kind: 3,
      attributes: {
        'blog_content.delivery.id': expect.any(String),
        'blog_content.delivery.kind': 'lifecycle',
        'blog_content.delivery.attempt': 1,
        'blog_content.delivery.trigger': 'manual',
        'blog_content.delivery.outcome': 'succeeded',
        'blog_content.integration.id': integrationId,
        'blog_content.integration.kind': 'webhook',
        'blog_content.project.id': projectId,
        'blog_content.event': 'blog.published',
        'blog_content.event.id': event.id,
        'http.response.status_code': 200,
      },
    });
    const [request] = on.requestsOf(blog.id);
    expect(request?.headers['traceparent']).toBe(`00-${trace.traceId}-${span?.spanId}-01`);
    expect(request?.signature).toBe('valid');
  });

  it('that fails is an error with its reason, and each retry is a span and a header of its own', async () => {
    const { blog, integrationId } = await on.newProject();
    let answers = 0;
    on.receiver.respondWith(() => ({ status: ++answers < 3 ? 503 : 200 }));
    const { traceId, traceparent } = newTrace();
    await on.deliver({ ...blog.published({ trigger: 'autopilot' }), traceparent });
    const spans = await attemptsOf(integrationId, 3);
    const byAttempt = spans.toSorted(
      (one, other) =>
        Number(one.attributes['blog_content.delivery.attempt']) -
        Number(other.attributes['blog_content.delivery.attempt']),
    );
    expect(
      byAttempt.map(({ traceId, status, attributes }) => [
        traceId,
        status,
        attributes['http.response.status_code'],
        attributes['blog_content.delivery.outcome'],
        attributes['error.type'],
      ]),
    ).toEqual([
      [traceId, 2, 503, 'retry', 'status'],
      [traceId, 2, 503, 'retry', 'status'],
      [traceId, 0, 200, 'succeeded', undefined],
    ]);
    expect(on.requestsOf(blog.id).map(({ headers }) => headers['traceparent'])).toEqual(
      byAttempt.map(({ spanId }) => `00-${traceId}-${spanId}-01`),
    );
  });

  it('exports no URL, header, body or secret', async () => {
    const { blog, integrationId } = await on.newProject({
      url: `${on.urlOf(on.receiver.port)}/of-the-owner?token=hunter2`,
      headers: { 'X-Key': 'hunter3' },
    });
    await on.deliver(blog.published({ trigger: 'manual' }));
    await attemptsOf(integrationId, 1);
    const exported = collector.exported();
    for (const secret of ['hunter2', 'hunter3', SECRET, 'of-the-owner', blog.published().data.revision.title]) {
      expect(exported).not.toContain(secret);
    }
  });

  it('leaves the owner’s own traceparent in place', async () => {
    const { blog } = await on.newProject({ headers: { Traceparent: 'mine' } });
    await on.deliver({ ...blog.published({ trigger: 'manual' }), traceparent: newTrace().traceparent });
    expect(on.requestsOf(blog.id)[0]?.headers['traceparent']).toBe('mine');
  });
});

describe('RECEIVER_TRACEPARENT=false', () => {
  it('keeps the span and sends no header', async () => {
    await using quiet = await prepareSecureGround({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      RECEIVER_TRACEPARENT: 'false',
    });
    const { blog, integrationId } = await quiet.newProject();
    await quiet.deliver({ ...blog.published({ trigger: 'manual' }), traceparent: newTrace().traceparent });
    await attemptsOf(integrationId, 1);
    expect(quiet.requestsOf(blog.id)[0]?.headers).not.toHaveProperty('traceparent');
  });
});
