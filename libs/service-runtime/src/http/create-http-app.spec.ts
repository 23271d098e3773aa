import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { Router } from 'express';
import { serveApp } from '../../test/serve-app.ts';
import { jsonBody } from './requests/json-body.ts';
import { conflict } from './operational-error.ts';
import { methodNotAllowed } from './problem.ts';

const json = { 'content-type': 'application/json' };
/** A JSON text of exactly so many bytes. */
const jsonOf = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });

const LIMIT_BYTES = 1_048_576;

const serve = () =>
  serveApp((app) => {
    app.use(jsonBody(LIMIT_BYTES));
    app.post('/echo', (request, response) => {
      const body = request.body as { text?: string } | undefined;
      response.json({ length: body?.text?.length ?? null });
    });
    app.get('/conflict', () => Promise.reject(conflict('Somebody was faster.')));
    app.get('/versioned', (_request, response) => void response.set('ETag', '"1"').json({ version: 1 }));
    app.get('/bug', () => Promise.reject(new Error('secret plans')));
    app.get('/half', (_request, response) => {
      response.write('half');
      throw new Error('in the middle');
    });
    app
      .route('/one')
      .get((_request, response) => void response.json({}))
      .all(methodNotAllowed('GET', 'HEAD'));
    const projects = Router({ mergeParams: true });
    projects.get('/blogs/:blogId', (request, response) => {
      response.locals.log['project_id'] = (request.params as { projectId?: string }).projectId;
      response.locals.logger.info('blog.read');
      response.set('Cache-Control', 'no-cache').json({ blog: request.params.blogId });
    });
    projects.get('/broken', (_request, response) => {
      response.set({ ETag: '"1"', 'Cache-Control': 'public', 'Content-Encoding': 'gzip' });
      throw conflict('Broken.');
    });
    app.use('/projects/:projectId', projects);
  });

describe('bodies', () => {
  it('takes a body of exactly its limit and refuses one byte more', async () => {
    await using app = await serve();
    const largest = await app.http.post('echo', { body: jsonOf(LIMIT_BYTES), headers: json });
    expect(largest.statusCode).toBe(200);
    const larger = await app.http.post('echo', { body: jsonOf(LIMIT_BYTES + 1), headers: json });
    expect(larger.statusCode).toBe(413);
    expect(larger.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(larger.body)).toEqual({
      title: 'Payload Too Large',
      status: 413,
      detail: 'The request body exceeds 1048576 bytes.',
    });
  });

  it.each([
    ['gzip', gzipSync('{}')],
    ['deflate', deflateSync('{}')],
    ['br', brotliCompressSync('{}')],
  ])('refuses a body compressed with %s: a few kilobytes of it could unpack to megabytes', async (coding, body) => {
    await using app = await serve();
    const answer = await app.http.post('echo', { body, headers: { ...json, 'content-encoding': coding } });
    expect(answer.statusCode).toBe(415);
    expect(JSON.parse(answer.body)).toMatchObject({
      detail: 'Compressed request bodies are not supported. Send the body without Content-Encoding.',
    });
  });

  it('takes 5,000 values and refuses one more, also when nobody can parse what follows', async () => {
    await using app = await serve();
    const post = async (body: string) => (await app.http.post('echo', { body, headers: json })).statusCode;
    expect(await post(`[${'[],'.repeat(2_499)}[]]`)).toBe(200);
    expect(await post(`[${'[],'.repeat(2_500)}[]]`)).toBe(400);
    const answer = await app.http.post('echo', { body: `[${'1,'.repeat(5_001)}`, headers: json });
    expect(JSON.parse(answer.body)).toMatchObject({ status: 400, detail: 'The body has more than 5000 values.' });
  });

  it('are left to the routes of a service, which read them within limits of their own', async () => {
    await using app = await serveApp((routes) => {
      routes.post('/small', jsonBody(10), (request, response) => void response.json(request.body));
      routes.post('/large', jsonBody(20), jsonBody(10), (request, response) => void response.json(request.body));
    });
    const post = async (path: string, body: string) => (await app.http.post(path, { body, headers: json })).statusCode;
    expect(await post('nowhere', '{"not": "JSON')).toBe(404);
    expect([await post('small', '{"a":"12"}'), await post('small', '{"a":"123"}')]).toEqual([200, 413]);
    expect(await post('large', '{"a":"123"}')).toBe(200);
  });

  it.each([
    ['{"a":hunter2}', json, 400, 'The request body must be valid JSON (an object or an array).'],
    ['"text"', json, 400, 'The request body must be valid JSON (an object or an array).'],
    ['{}', { 'content-type': 'application/json; charset=latin1' }, 415, /charset/],
    ['{}', { 'content-type': 'application/json; charset=utf-16' }, 415, /charset/],
    ['{}', { ...json, 'content-encoding': 'compress' }, 415, /Content-Encoding/],
  ])('refuses %j with %j: %i', async (body, headers, status, detail) => {
    await using app = await serve();
    const answer = await app.http.post('echo', { body, headers });
    const problem = JSON.parse(answer.body) as { status: number; detail: string };
    expect(answer.statusCode).toBe(status);
    expect(problem.status).toBe(status);
    expect(problem.detail).toEqual(typeof detail === 'string' ? detail : expect.stringMatching(detail));
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/zip', ';;='])(
    'answers 415 to a body that says to be %s',
    async (type) => {
      await using app = await serve();
      const answer = await app.http.post('echo', { body: '{}', headers: { 'content-type': type } });
      expect([answer.statusCode, JSON.parse(answer.body)]).toMatchObject([415, { status: 415 }]);
      const chunked = { 'content-type': type, 'transfer-encoding': 'chunked' };
      expect((await app.http.post('echo', { body: '{}', headers: chunked })).statusCode).toBe(415);
    },
  );

  it('takes JSON with parameters and of other names, and requests without a body even if their headers announce one', async () => {
    await using app = await serve();
    for (const type of ['application/json; charset=UTF-8', 'application/merge-patch+json', 'APPLICATION/JSON']) {
      const answer = await app.http.post('echo', { body: '{"a":1}', headers: { 'content-type': type } });
      expect([answer.statusCode, answer.body]).toEqual([200, '{"length":null}']);
    }
    for (const headers of [{}, { 'content-type': 'text/plain' }, { 'content-length': '0', 'content-type': 'a/b' }]) {
      expect((await app.http.post('echo', { headers })).statusCode).toBe(200);
    }
  });
});

describe('answers', () => {
  it.each(['"1"', 'W/"1"', '*'])('are sent whole with any If-None-Match: %s', async (known) => {
    await using app = await serve();
    for (const path of ['versioned', 'one']) {
      const answer = await app.http(path, { headers: { 'if-none-match': known } });
      expect([path, answer.statusCode, answer.body !== '']).toEqual([path, 200, true]);
    }
  });
});

describe('errors', () => {
  it('answers operational errors as problem documents', async () => {
    await using app = await serve();
    const answer = await app.http('conflict');
    expect(answer.statusCode).toBe(409);
    expect(JSON.parse(answer.body)).toEqual({ title: 'Conflict', status: 409, detail: 'Somebody was faster.' });
    expect(app.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('says nothing more of the answer that the route did not get to', async () => {
    await using app = await serve();
    const { headers, body } = await app.http('projects/p1/broken');
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-length': String(body.length) });
    expect(headers).not.toHaveProperty('etag');
    expect(headers).not.toHaveProperty('content-encoding');
  });

  it('answers a bug with a fixed sentence, and logs its stack under the request’s id', async () => {
    await using app = await serve();
    const answer = await app.http('bug', { headers: { 'x-request-id': 'r-1' } });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([500, '2']);
    expect(answer.body).not.toContain('secret plans');
    expect(app.log.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        event: 'http.unexpected_error',
        request_id: 'r-1',
        error: expect.objectContaining({ stack: expect.stringContaining('secret plans') as string }) as object,
      }),
    );
  });

  it('breaks off an answer that goes wrong in the middle, so that nobody takes it for a whole one', async () => {
    await using app = await serve();
    await expect(app.http('half')).rejects.toThrow();
    expect(await app.requestLines(1)).toMatchObject([{ path: '/half', status: 499 }]);
  });

  it('answers 404, 405 with Allow, and 400 for a path that cannot be decoded', async () => {
    await using app = await serve();
    const missing = await app.http('nowhere');
    expect([missing.statusCode, missing.headers['content-type']]).toEqual([404, 'application/problem+json']);
    const wrong = await app.http.delete('one');
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await app.http('projects/%E0/broken')).statusCode).toBe(400);
    const head = await app.http.head('conflict');
    expect([head.statusCode, head.body]).toEqual([409, '']);
  });
});

describe('what is seen of a request', () => {
  it('writes one line with what the handler adds, and nothing of headers, query and body', async () => {
    await using app = await serve();
    await app.http('projects/p1/blogs/b1?api_key=hunter2', {
      headers: { 'x-request-id': 'r-1', authorization: 'Bearer hunter2', cookie: 'hunter2' },
    });
    expect(await app.requestLines(1)).toEqual([
      {
        time: expect.any(String) as string,
        level: 'info',
        service: 'example-service',
        event: 'http.request',
        project_id: 'p1',
        method: 'GET',
        path: '/projects/p1/blogs/b1',
        route: '/projects/:value/blogs/:blogId',
        status: 200,
        duration_ms: expect.any(Number) as number,
        bytes: '{"blog":"b1"}'.length,
        request_id: 'r-1',
      },
    ]);
    expect(app.log.text()).not.toContain('hunter2');
    expect(app.log.lines).toContainEqual(expect.objectContaining({ event: 'blog.read', request_id: 'r-1' }));
  });

  it.each([
    ['r_1-B', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['a b', false],
    ['a"b', false],
    ['', false],
  ])('request id %j is taken over: %s', async (given, taken) => {
    await using app = await serve();
    const { headers } = await app.http('conflict', { headers: { 'x-request-id': given } });
    expect(headers['x-request-id']).toMatch(taken ? given : /^[0-9a-f-]{36}$/);
  });

  it('counts by route pattern, never by path, and also what the error handler answers', async () => {
    await using app = await serve();
    for (const path of ['projects/p1/blogs/1', 'projects/p2/blogs/2', 'projects/p3/broken', 'a', 'b'])
      await app.http(path);
    await app.requestLines(5);
    const { values } = await app.metrics.httpRequestDuration.get();
    const counts = values
      .filter(({ metricName }) => metricName === 'http_request_duration_seconds_count')
      .map(({ labels, value }) => [labels.method, labels.route, labels.status, value]);
    expect(counts).toEqual([
      ['GET', '/projects/:value/blogs/:blogId', 200, 2],
      ['GET', '/projects/:value/broken', 409, 1],
      ['GET', 'unmatched', 404, 2],
    ]);
  });

  it('sends cautious headers that a route may overwrite', async () => {
    await using app = await serve();
    const { headers } = await app.http('conflict');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect((await app.http('projects/p1/blogs/b1')).headers['cache-control']).toBe('no-cache');
  });
});

describe('the client’s address', () => {
  const addressSeen = async (trustedProxyHops: number | undefined, forwardedFor?: string) => {
    await using app = await serveApp(
      (routes) => {
        routes.get('/ip', (request, response) => void response.json(request.ip));
      },
      {},
      trustedProxyHops === undefined ? {} : { trustedProxyHops },
    );
    const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
    return JSON.parse((await app.http('ip', { headers })).body) as string;
  };

  it.each([undefined, 0])(
    'is that of the connection with %p trusted proxies, even if the header is forged',
    async (hops) => {
      expect(await addressSeen(hops, '203.0.113.9')).toBe('127.0.0.1');
    },
  );

  it.each([
    ['what the one proxy says', 1, '198.51.100.7'],
    ['what the one proxy added to a forged list', 1, '203.0.113.9, 203.0.113.10, 198.51.100.7'],
    ['what the outer of two proxies added to a forged list', 2, '203.0.113.9, 198.51.100.7, 10.0.0.1'],
  ])('is %s', async (_name, hops, forwardedFor) => {
    expect(await addressSeen(hops, forwardedFor)).toBe('198.51.100.7');
  });

  it('is that of the connection when a trusted proxy names none', async () => {
    expect(await addressSeen(1)).toBe('127.0.0.1');
  });
});
