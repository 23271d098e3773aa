import { trace } from '@opentelemetry/api';
import { startCollector, type ExportedSpan } from '../test/collector.ts';
import { serveApp } from '../test/serve-app.ts';
import { startTracing } from './tracing.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT_ID = 'b7ad6b7169203331';
const traceparent = `00-${TRACE_ID}-${PARENT_ID}-01`;

const serve = () =>
  serveApp((app) => {
    app.post('/blogs/:blogId', (_request, response) => {
      // After the body has been read, the request's span must still be the active one.
      response.json({ traceId: trace.getActiveSpan()?.spanContext().traceId ?? null });
    });
    app.get('/bug', () => Promise.reject(new Error('oops')));
  });
const attributesOf = ({ attributes }: Pick<ExportedSpan, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe('startTracing', () => {
  it('exports a server span that continues the caller’s trace', async () => {
    await using collector = await startCollector();
    const tracing = await startTracing({
      service: 'example-service',
      version: '1.2.3',
      endpoint: `${collector.endpoint}/`,
    });
    await using app = await serve();
    const answer = await app.http.post('blogs/b1?api_key=hunter2', { json: { a: 1 }, headers: { traceparent } });
    const lines = await app.requestLines(1);
    await tracing.stop();

    expect(JSON.parse(answer.body)).toEqual({ traceId: TRACE_ID });
    expect(lines).toMatchObject([{ trace_id: TRACE_ID }]);
    expect(collector.exports.map(({ path }) => path)).toEqual(['/v1/traces']);
    const [span] = collector.spans();
    expect(span).toMatchObject({ traceId: TRACE_ID, parentSpanId: PARENT_ID, name: 'POST /blogs/:blogId', kind: 2 });
    expect(attributesOf(span ?? { attributes: [] })).toEqual({
      'http.request.method': 'POST',
      'url.path': '/blogs/b1',
      'http.route': '/blogs/:blogId',
      'http.response.status_code': 200,
    });
    expect(attributesOf(collector.exports[0]?.body.resourceSpans[0]?.resource ?? { attributes: [] })).toMatchObject({
      'service.name': 'example-service',
      'service.version': '1.2.3',
    });
  });

  it('begins a trace when the caller has none, and marks failures of ours', async () => {
    await using collector = await startCollector();
    const tracing = await startTracing({ service: 'example-service', endpoint: collector.endpoint });
    await using app = await serve();
    await app.http('bug');
    const [line] = await app.requestLines(1);
    await tracing.stop();
    expect(line?.['trace_id']).toMatch(/^[0-9a-f]{32}$/);
    expect(collector.spans()).toMatchObject([{ traceId: line?.['trace_id'], name: 'GET /bug', status: { code: 2 } }]);
    expect(collector.spans()[0]?.parentSpanId).toBeUndefined();
  });

  it('traces nothing without an endpoint', async () => {
    const tracing = await startTracing({ service: 'example-service', endpoint: undefined });
    await using app = await serve();
    const answer = await app.http.post('blogs/b1', { headers: { traceparent } });
    await tracing.stop();
    expect(JSON.parse(answer.body)).toEqual({ traceId: null });
    expect((await app.requestLines(1))[0]).not.toHaveProperty('trace_id');
  });

  it('stops in peace when the collector is away', async () => {
    const collector = await startCollector();
    const tracing = await startTracing({ service: 'example-service', endpoint: collector.endpoint });
    await collector[Symbol.asyncDispose]();
    await using app = await serve();
    await app.http('bug');
    await app.requestLines(1);
    await expect(tracing.stop()).resolves.toBeUndefined();
  });
});
