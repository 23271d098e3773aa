import { setTimeout as sleep } from 'node:timers/promises';
import got from 'got';
import { exchange } from '../../test/serve-app.ts';
import { createMetrics } from '../metrics.ts';
import { serveAdmin, type ServeAdminOptions } from './serve-admin.ts';

async function serve(options: Partial<ServeAdminOptions> = {}) {
  const metrics = createMetrics('example-service', '1.2.3');
  const server = await serveAdmin({
    host: '127.0.0.1',
    port: 0,
    checks: {},
    metrics,
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
  it('is alive even if its checks fail', async () => {
    await using admin = await serve({ checks: { database: failing }, isDraining: () => true });
    const answer = await admin.http('healthz');
    expect([answer.statusCode, answer.body]).toEqual([200, '{"status":"ok","version":"1.2.3"}']);
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

  it('is not ready when a check throws synchronously or hangs', async () => {
    const checks = {
      throwing: () => {
        throw new Error('synchronous');
      },
      hanging: () => new Promise<void>(() => undefined),
    };
    await using admin = await serve({ checks });
    const answer = await admin.http('readyz');
    expect(JSON.parse(answer.body)).toMatchObject({
      status: 'not_ready',
      checks: { throwing: { error: 'synchronous' }, hanging: { error: 'no response within 2000 ms' } },
    });
  });

  it('is not ready while draining', async () => {
    await using admin = await serve({ isDraining: () => true });
    const answer = await admin.http('readyz');
    expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([503, { status: 'draining', checks: {} }]);
  });

  it('is ready with any remarks, and shows them', async () => {
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
    const { body, headers, statusCode } = await admin.http('metrics');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toContain('deliveries_total{outcome="succeeded",service="example-service"} 2');
    expect(body).toContain('outbox_rows{service="example-service"} 7');
    expect(body).toContain('build_info{version="1.2.3",service="example-service"} 1');
    expect(body).toContain('nodejs_eventloop_lag_seconds');
    expect(body).toContain('# TYPE http_request_duration_seconds histogram');
  });

  it('gives the result of each check of readiness as a metric', async () => {
    await using admin = await serve({ checks: { event_log: () => Promise.resolve(), database: failing } });
    const { body } = await admin.http('metrics');
    expect(body).toContain('readiness_check_up{check="event_log",service="example-service"} 1\n');
    expect(body).toContain('readiness_check_up{check="database",service="example-service"} 0\n');
  });

  describe('gives readings', () => {
    const valueOf = (body: string, name: string) => {
      const value = new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'm').exec(body)?.[1];
      return value === undefined ? undefined : Number(value);
    };
    const gauges = {
      queue_rows: { help: 'Rows.', value: (rows: number) => rows },
      queue_rows_by_topic: { help: 'Rows.', label: 'topic', value: (rows: number) => new Map([['a', rows]]) },
    };

    it('of which each serves all of its gauges, and everybody who asks meanwhile', async () => {
      await using admin = await serve();
      let readings = 0;
      admin.metrics.reading('queue', () => Promise.resolve((readings += 1)), gauges);
      const { body } = await admin.http('metrics');
      expect(valueOf(body, 'queue_rows')).toBe(1);
      expect(body).toContain('queue_rows_by_topic{topic="a",service="example-service"} 1\n');
      await Promise.all([admin.metrics.registry.metrics(), admin.metrics.registry.metrics()]);
      expect(readings).toBe(2);
    });

    it('with the labels of the last one alone', async () => {
      await using admin = await serve();
      let readings = 0;
      const queue_rows_by_topic = {
        help: 'Rows.',
        label: 'topic',
        value: (topic: string) => new Map([[topic, 1]]),
      };
      admin.metrics.reading('queue', () => Promise.resolve(`topic-${(readings += 1)}`), { queue_rows_by_topic });
      expect((await admin.http('metrics')).body).toContain('topic="topic-1"');
      const { body } = await admin.http('metrics');
      expect(body).toContain('topic="topic-2"');
      expect(body).not.toContain('topic="topic-1"');
    });

    it('without a value while none has succeeded, and says for how long', async () => {
      await using admin = await serve();
      admin.metrics.reading('queue', () => Promise.reject(new Error('away')), gauges);
      await sleep(20);
      const { body } = await admin.http('metrics');
      expect(body).not.toMatch(/^queue_rows/m);
      expect(valueOf(body, 'queue_read_seconds_ago')).toBeGreaterThanOrEqual(0.02);
      expect(body).toContain('nodejs_eventloop_lag_seconds');
    });

    it('with the last value when one fails, and its age', async () => {
      await using admin = await serve();
      let isAway = false;
      admin.metrics.reading('queue', () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(7)), gauges);
      await admin.http('metrics');
      isAway = true;
      await sleep(20);
      const { body } = await admin.http('metrics');
      expect(valueOf(body, 'queue_rows')).toBe(7);
      expect(valueOf(body, 'queue_read_seconds_ago')).toBeGreaterThanOrEqual(0.02);
    });

    it('with the last value while one hangs, and begins no other meanwhile', async () => {
      await using admin = await serve();
      let readings = 0;
      const read = () => {
        readings += 1;
        return readings === 1 ? Promise.resolve(7) : new Promise<number>(() => undefined);
      };
      admin.metrics.reading('queue', read, gauges);
      await admin.http('metrics');
      await admin.http('metrics');
      const { body } = await admin.http('metrics');
      expect(valueOf(body, 'queue_rows')).toBe(7);
      expect(body).toContain('nodejs_eventloop_lag_seconds');
      expect(readings).toBe(2);
    });
  });

  it('knows no other path and no other method', async () => {
    await using admin = await serve();
    expect((await admin.http('')).statusCode).toBe(404);
    const posted = await admin.http.post('healthz');
    expect([posted.statusCode, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await admin.http.head('healthz')).statusCode).toBe(200);
  });
});
