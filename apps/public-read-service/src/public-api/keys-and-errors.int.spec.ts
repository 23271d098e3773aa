import { eventually } from '@blog-content/testing';
import pg from 'pg';
import {
  logged,
  startTestService,
  PUBLIC,
  type Answer,
  type TestProject,
  type TestService,
} from '../../test/test-service.ts';

const paths = ['/blogs', '/blogs/sitemap', '/blogs/tea'];

let service: TestService;
let project: TestProject;
let otherKey: string;

beforeAll(async () => {
  service = await startTestService();
  project = await service.createProject();
  otherKey = (await service.createProject()).key;
  await project.publish({ slug: 'tea' });
});
afterAll(() => service?.[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string | string[]> = {}) =>
  service.request('GET', PUBLIC + path, headers);
const detailOnly = (answer: Answer) => {
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const body = JSON.parse(answer.body) as { detail: unknown };
  expect(Object.keys(body)).toEqual(['detail']);
  expect(body.detail).toEqual(expect.stringMatching(/\w/));
};

describe('the key (contract §5.1)', () => {
  it.each(paths)('is accepted in the query or in the Bearer header of %s', async (path) => {
    expect((await get(`${path}?api_key=${project.key}`)).statusCode).toBe(200);
    expect((await get(path, { authorization: `Bearer ${project.key}` })).statusCode).toBe(200);
    expect((await get(path, { authorization: `bearer ${project.key}` })).statusCode).toBe(200);
  });

  it('of the header is used when both are present', async () => {
    expect((await get('/blogs/tea?api_key=nonsense', { authorization: `Bearer ${project.key}` })).statusCode).toBe(200);
    expect((await get(`/blogs/tea?api_key=${project.key}`, { authorization: `Bearer ${otherKey}` })).statusCode).toBe(
      404,
    );
  });

  it.each(['Bearer nonsense', 'Bearer '])('of the query does not count beside the header %j', async (authorization) => {
    expect((await get(`/blogs?api_key=${project.key}`, { authorization })).statusCode).toBe(401);
  });

  it.each(['Basic dXNlcjpwYXNz', 'x', ''])('of the query counts beside the header %j', async (authorization) => {
    expect((await get(`/blogs?api_key=${project.key}`, { authorization })).statusCode).toBe(200);
    expect((await get('/blogs', { authorization })).statusCode).toBe(401);
  });

  it('counts as it is given last where the query has it twice', async () => {
    expect((await get(`/blogs?api_key=nonsense&api_key=${project.key}`)).statusCode).toBe(200);
    expect((await get(`/blogs?api_key=${project.key}&api_key=nonsense`)).statusCode).toBe(401);
  });

  it('missing, unknown, malformed, or an agent’s gives one and the same 401', async () => {
    const refused = [
      await get('/blogs'),
      await get('/blogs?api_key='),
      await get(`/blogs?api_key=pk_live_${'a'.repeat(32)}`),
      await get(`/blogs?api_key=${project.key}x`),
      await get(`/blogs?api_key=${project.key.toLowerCase()}`),
      await get(`/blogs?api_key=sk_agent_${'a'.repeat(40)}`),
      await get('/blogs', { authorization: `Bearer sk_agent_${'a'.repeat(40)}` }),
      await get('/blogs?api_key=%00'),
      await get('/blogs/never-there'),
      await get('/blogs?limit=0'),
    ];
    for (const answer of refused) {
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.body).toBe(refused[0]!.body);
      detailOnly(answer);
    }
  });

  it('rotated or revoked is refused by the next request', async () => {
    const own = await service.createProject();
    const rotated = (await service.keys.rotate(own.id))!.key;
    expect((await own.get('/blogs')).statusCode).toBe(401);
    expect((await get(`/blogs?api_key=${rotated}`)).statusCode).toBe(200);
    await service.keys.revoke(own.id);
    expect((await get(`/blogs?api_key=${rotated}`)).statusCode).toBe(401);
    const generated = (await service.keys.generate(own.id))!.key;
    expect((await get(`/blogs?api_key=${generated}`)).statusCode).toBe(200);
  });

  it('does not outlive its project', async () => {
    const own = await service.createProject();
    await service.applyProjects({ event: 'project.deleted', project_id: own.id, project_event_number: 2 });
    expect((await own.get('/blogs')).statusCode).toBe(401);
  });
});

describe('errors (contract §7.1, §4.6)', () => {
  it.each(['', '/', '/nothing', '/blogs//', '/blogs/tea/more', '/blogs/sitemap/more', '/Blogs'])(
    'answers the unknown route %j with 404',
    async (path) => {
      const answer = await project.get(path);
      expect(answer.statusCode).toBe(404);
      detailOnly(answer);
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('answers %s with 405 and Allow', async (method) => {
    for (const path of paths) {
      const answer = await service.request(method, PUBLIC + path, { authorization: `Bearer ${project.key}` });
      expect(answer.statusCode).toBe(405);
      expect(answer.headers.allow).toBe('GET, HEAD');
      detailOnly(answer);
    }
    expect((await service.request(method, `${PUBLIC}/nothing`)).statusCode).toBe(404);
  });

  it('lets a body that cannot be read decide nothing', async () => {
    const headers = { authorization: `Bearer ${project.key}`, 'content-type': 'application/json' };
    const posted = await service.request('POST', `${PUBLIC}/blogs`, headers, '{"broken');
    expect(posted.statusCode).toBe(405);
    detailOnly(posted);
    expect((await service.request('GET', `${PUBLIC}/blogs`, headers, '{"broken')).statusCode).toBe(200);
  });

  it('answers HEAD like GET, without a body', async () => {
    for (const path of [...paths, '/blogs/never-there', '/nothing', '/blogs?limit=0']) {
      const headers = { authorization: `Bearer ${project.key}` };
      const [head, answer] = await Promise.all([service.request('HEAD', PUBLIC + path, headers), get(path, headers)]);
      expect(head.statusCode).toBe(answer.statusCode);
      expect(head.body).toBe('');
      for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary']) {
        expect(head.headers[name]).toBe(answer.headers[name]);
      }
    }
  });

  it('answers requests that are no HTTP in the same form', async () => {
    const headers = { 'x-long': 'x'.repeat(20_000) };
    const answer = await get('/blogs', headers);
    expect(answer.statusCode).toBe(431);
    expect(Object.keys(JSON.parse(answer.body) as object)).toEqual(['detail']);
  });

  it('keeps errors out of caches', async () => {
    for (const path of ['/blogs/never-there', '/nothing', '/blogs?limit=0']) {
      expect((await project.get(path)).headers['cache-control']).toBe('no-store');
    }
  });
});

describe('the log (contract §4.6)', () => {
  it('has a line for each request, with the project and without the key or the query', async () => {
    logged.length = 0;
    await get(`/blogs/tea?api_key=${project.key}&category=secret-category`);
    await get('/blogs?api_key=pk_live_wrong-key');
    const lines = await eventually(() => {
      const requests = logged.filter((line) => line.includes('"http.request"'));
      expect(requests).toHaveLength(2);
      return requests.map((line) => JSON.parse(line) as object);
    });
    expect(lines[0]).toMatchObject({
      path: `${PUBLIC}/blogs/tea`,
      route: `${PUBLIC}/blogs/:slug`,
      status: 200,
      project_id: project.id,
    });
    expect(lines[1]).toMatchObject({ path: `${PUBLIC}/blogs`, status: 401 });
    const all = logged.join('');
    for (const secret of [project.key, 'pk_live_', 'secret-category', 'api_key']) expect(all).not.toContain(secret);
  });

  it('does not have the key in the metrics either', async () => {
    await get(`/blogs/${project.key}?api_key=${project.key}`);
    expect(await service.metrics.registry.metrics()).not.toContain(project.key);
  });
});

describe('trouble of ours', () => {
  it('is 500 with Retry-After for every request', async () => {
    await using broken = await startTestService({ databaseUrl: 'postgresql://nobody@127.0.0.1:1/nothing' });
    for (const path of [...paths, `/blogs?api_key=${project.key}`]) {
      const answer = await broken.request('GET', PUBLIC + path, { 'accept-encoding': 'br' });
      expect(answer.statusCode).toBe(500);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      detailOnly(answer);
      expect(answer.body).not.toMatch(/prisma|ECONN|127\.0\.0\.1/i);
    }
  });

  it('passes: reads work again when the database does', async () => {
    expect((await project.get('/blogs')).statusCode).toBe(200);
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    try {
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
    } finally {
      await client.end();
    }
    await eventually(async () => expect((await project.get('/blogs')).statusCode).toBe(200));
  });
});
