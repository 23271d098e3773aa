import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@blog-content/testing';
import pg from 'pg';
import { startTestService, type TestService } from '../../test/test-service.ts';
import { createTenantRequestsStore } from './tenant-requests-store.ts';

let service: TestService;
let pool: pg.Pool;
let headers: { authorization: string };
const resources = new AsyncDisposableStack();

beforeAll(async () => {
  const database = resources.adopt(await createTestDatabase('public-read-service'), (made) => made.drop());
  service = resources.use(await startTestService({ databaseUrl: database.url }));
  pool = resources.adopt(new pg.Pool({ connectionString: database.url, max: 1 }), (opened) => opened.end());
  headers = await service.ownerHeaders(randomUUID(), undefined, true);
});
afterAll(() => resources.disposeAsync());

const OPERATOR = '/blog/api/v1/owner/operator/public-read-service';
const get = async (path: string, as = headers) => {
  const { statusCode, body } = await service.request('GET', OPERATOR + path, as);
  return { status: statusCode, body: JSON.parse(body) as { items: Record<string, unknown>[]; next_cursor: string } };
};
const post = async (path: string, json: object) => {
  const { statusCode } = await service.request(
    'POST',
    OPERATOR + path,
    { ...headers, 'content-type': 'application/json' },
    JSON.stringify(json),
  );
  return statusCode;
};
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const use = (projectId: string, ago: number, requests: number) =>
  pool.query('INSERT INTO key_usage VALUES ($1, $2, $3, 0, now())', [projectId, day(ago), requests]);

describe('what the administrator sees of all projects', () => {
  it('is their requests of seven days, the loudest first, page by page, or of the named ones', async () => {
    const [loud, quiet, old] = [randomUUID(), randomUUID(), randomUUID()];
    await use(loud, 0, 10);
    await use(loud, 6, 5);
    await use(loud, 7, 1_000);
    await use(quiet, 1, 3);
    await use(old, 8, 9);
    const first = await get('/requests?limit=1');
    expect(first.body.items).toEqual([{ project_id: loud, requests: 15 }]);
    const second = await get(`/requests?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body).toEqual({ items: [{ project_id: quiet, requests: 3 }], next_cursor: null });
    expect((await get(`/requests?ids=${quiet},${old}`)).body.items).toEqual([{ project_id: quiet, requests: 3 }]);
    expect((await get('/requests?ids=x')).status).toBe(400);
  });

  it('is its parked events, which are retried and skipped; the first of a key only', async () => {
    const [projectId, blogId] = [randomUUID(), randomUUID()];
    const park = async (error: string | null) => {
      const id = randomUUID();
      const event = { id, topic: 'blog.lifecycle', type: 'blog.published', partition: 0, offset: '1', data: {} };
      await pool.query(
        `INSERT INTO parked_event (topic, key, event_id, partition, "offset", project_id, blog_id, event, error, failures,
           retry_at) VALUES ('blog.lifecycle', $1, $2, 0, '1', $3, $1, $4, $5, 5, now() + interval '1 hour')`,
        [blogId, id, projectId, JSON.stringify(event), error],
      );
      return id;
    };
    const [first, second] = [await park('a bug'), await park(null)];
    const { items } = (await get('/parked-events')).body;
    expect(items).toMatchObject([
      {
        ...{ topic: 'blog.lifecycle', key: blogId, event_id: first, type: 'blog.published' },
        ...{ project_id: projectId, blog_id: blogId, error: 'a bug', failures: 5, waiting: 1 },
        retry_at: expect.stringMatching(/Z$/) as string,
      },
    ]);
    expect(await post('/parked-events/retry', { key: 'other' })).toBe(404);
    expect(await post('/parked-events/retry', { key: blogId })).toBe(204);
    const due = await pool.query('SELECT FROM parked_event WHERE event_id = $1 AND retry_at <= now()', [first]);
    expect(due.rowCount).toBe(1);
    expect(await post('/parked-events/skip', { event_id: second })).toBe(409);
    expect(await post('/parked-events/skip', { event_id: randomUUID() })).toBe(404);
    expect(await post('/parked-events/skip', { event_id: first })).toBe(204);
    expect((await get('/parked-events')).body.items).toMatchObject([{ event_id: second, waiting: 0 }]);
    expect(await post('/parked-events/skip', { event_id: 'x' })).toBe(422);
  });

  it('is refused to everybody else', async () => {
    const owner = await service.ownerHeaders(randomUUID());
    for (const path of ['/requests', '/parked-events']) {
      expect((await get(path, owner)).status).toBe(403);
      expect((await get(path, { authorization: 'Bearer x' })).status).toBe(401);
    }
  });

  it('is found among 100,000 projects without a long statement', async () => {
    await pool.query('DELETE FROM key_usage');
    await pool.query(
      `INSERT INTO key_usage SELECT gen_random_uuid(), $1::date - day, n % 1000, 0, now()
       FROM generate_series(1, 100000) n, generate_series(0, 1) day`,
      [day(0)],
    );
    const store = createTenantRequestsStore(pool);
    const found = await store.list(day(6), null, { from: '99990', limit: 50 });
    expect(found).toHaveLength(51);
    expect(found[0]?.position).toBe('99991');
  });
});
