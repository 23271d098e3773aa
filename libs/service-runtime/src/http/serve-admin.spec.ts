import got from 'got';
import { exchange } from '../../test/serve-app.ts';
import { createMetrics } from '../metrics.ts';
import { serveAdmin, type ServeAdminOptions } from './serve-admin.ts';

async function serve(options: Partial<ServeAdminOptions> = {}) {
  const metrics = createMetrics('example-service');
  const server = await serveAdmin({
    host: '127.0.0.1',
    port: 0,
    checks: {},
    registry: metrics.registry,
    isDraining: () => false,
    ...options,
  });
  const http = got.extend({
    prefixUrl: `http://127.0.0.1:${String(server.port)}`,
    throwHttpErrors: false,
    retry: { limit: 0 },
  });
  return { http, metrics, port: server.port, [Symbol.asyncDispose]: () => server.close() };
}
const failing = () => Promise.reject(new Error('connect ECONNREFUSED postgres://me:hunter2@db'));

describe('serveAdmin', () => {
  it('is alive whatever its checks say', async () => {
    await using admin = await serve({ checks: { database: failing }, isDraining: () => true });
    const answer = await admin.http('healthz');
    expect([answer.statusCode, answer.body]).toEqual([200, '{"status":"ok"}']);
  });

  it('is ready when every check passes', async () => {
    await using admin = await serve({ checks: { database: () => Promise.resolve() } });
    const answer = await admin.http('readyz');
    expect(answer.statusCode).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ status: 'ready', checks: { database: { status: 'ok' } } });
  });

  it('is not ready when one check fails, and says which, without a password', async () => {
    await using admin = await serve({ checks: { event_log: () => Promise.resolve(), database: failing } });
    const answer = await admin.http('readyz');
    expect(answer.statusCode).toBe(503);
    expect(JSON.parse(answer.body)).toEqual({
      status: 'not_ready',
      checks: {
        event_log: { status: 'ok' },
        database: { status: 'failed', error: 'connect ECONNREFUSED postgres://[redacted]@db' },
      },
    });
  });

  it('is not ready when a check throws at once or hangs', async () => {
    const checks = {
      throwing: () => {
        throw new Error('at once');
      },
      hanging: () => new Promise<void>(() => undefined),
    };
    await using admin = await serve({ checks });
    const answer = await admin.http('readyz');
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 'not_ready',
      checks: { throwing: { error: 'at once' }, hanging: { error: 'no response within 2000 ms' } },
    });
  });

  it('is not ready while draining', async () => {
    await using admin = await serve({ isDraining: () => true });
    const answer = await admin.http('readyz');
    expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([503, { status: 'draining', checks: {} }]);
  });

  it('is ready whatever its remarks say, and shows them', async () => {
    const remarks = () => ({ event_log: 'unreachable since 2026-01-01T00:00:00.000Z' });
    await using admin = await serve({ remarks });
    const answer = await admin.http('readyz');
    expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([200, { status: 'ready', checks: {}, ...remarks() }]);
  });

  it('runs one round of checks at a time, however often it is asked', async () => {
    let rounds = 0;
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const database = () => {
      rounds += 1;
      begun.resolve();
      return held.promise;
    };
    await using admin = await serve({ checks: { database } });
    const ask = 'GET /readyz HTTP/1.1\r\nHost: x\r\n';
    const answers = exchange(admin.port, `${ask}\r\n${ask}\r\n${ask}Connection: close\r\n\r\n`);
    await begun.promise;
    held.resolve();
    expect((await answers).match(/HTTP\/1.1 200 OK/g)).toHaveLength(3);
    expect(rounds).toBe(1);
  });

  it('gives the metrics of Node, of HTTP and of the service', async () => {
    await using admin = await serve();
    admin.metrics.counter('deliveries_total', 'Deliveries.', ['outcome']).inc({ outcome: 'succeeded' }, 2);
    admin.metrics.gauge('outbox_rows', 'Rows.', [], (gauge) => gauge.set(7));
    admin.metrics.gauge('broken', 'Broken.', [], () => Promise.reject(new Error('away')));
    admin.metrics.gauge('broken_at_once', 'Broken.', [], () => {
      throw new Error('away');
    });
    admin.metrics.gauge('broken_with_label', 'Broken.', ['topic'], (gauge) => {
      gauge.set({ topic: 'a' }, 1);
      throw new Error('away');
    });
    const { body, headers, statusCode } = await admin.http('metrics');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toContain('deliveries_total{outcome="succeeded",service="example-service"} 2');
    expect(body).toContain('outbox_rows{service="example-service"} 7');
    expect(body).not.toMatch(/^broken/m);
    expect(body).toContain('nodejs_eventloop_lag_seconds');
    expect(body).toContain('# TYPE http_request_duration_seconds histogram');
  });

  it('gives the metrics though one of them hangs: with its last value, or without one', async () => {
    await using admin = await serve();
    let readings = 0;
    const hang = () => new Promise<void>(() => undefined);
    admin.metrics.gauge('hangs_at_once', 'Hangs.', [], hang);
    admin.metrics.gauge('hangs_at_once_with_label', 'Hangs.', ['topic'], hang);
    admin.metrics.gauge('hangs_later', 'Hangs.', [], (gauge) => {
      readings += 1;
      if (readings === 1) gauge.set(7);
      else return hang();
      return undefined;
    });
    await admin.http('metrics');
    await admin.http('metrics');
    const { body } = await admin.http('metrics');
    expect(body).toContain('hangs_later{service="example-service"} 7');
    expect(body).not.toMatch(/^hangs_at_once/m);
    expect(body).toContain('nodejs_eventloop_lag_seconds');
    // No reading is begun while another hangs.
    expect(readings).toBe(2);
  });

  it('knows no other path and no other method', async () => {
    await using admin = await serve();
    expect((await admin.http('')).statusCode).toBe(404);
    const posted = await admin.http.post('healthz');
    expect([posted.statusCode, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await admin.http.head('healthz')).statusCode).toBe(200);
  });
});
