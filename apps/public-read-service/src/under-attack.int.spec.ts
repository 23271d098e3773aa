import { eventually } from '@blog-content/testing';
import fc from 'fast-check';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PUBLIC, startTestService, type TestProject, type TestService } from '../test/test-service.ts';

const seed = Number(process.env['READ_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let service: TestService;
let project: TestProject;
let other: TestProject;

beforeAll(async () => {
  service = await startTestService();
  project = await service.createProject();
  other = await service.createProject();
  await project.publish({ slug: 'tea', categories: ['Grün'], tags: ['日本'] });
  await other.publish({ slug: 'secret', title: 'Secret of another project' });
});
afterAll(() => service?.[Symbol.asyncDispose]());

/** Sends bytes as they are, and gives the status line and all that follows. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1', () => socket.write(text, 'latin1'));
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (answer += chunk));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
const getRaw = (target: string, ...headers: string[]) =>
  sendRaw([`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'));
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const bearer = () => `Authorization: Bearer ${project.key}`;

describe('a malicious path', () => {
  it.each([
    `${PUBLIC}/blogs/%2e%2e/blogs`,
    `${PUBLIC}/blogs/..`,
    `${PUBLIC}/blogs/%2e%2e%2fblogs`,
    `${PUBLIC}/blogs/..%2f..%2fowner`,
    `${PUBLIC}//blogs`,
    `//${PUBLIC}/blogs`,
    `${PUBLIC}/blogs//tea`,
    `${PUBLIC}/./blogs`,
    `${PUBLIC}/blogs/tea%00`,
    `${PUBLIC}/blogs/tea%00.json`,
    `${PUBLIC}/blogs/%c0%ae%c0%ae`,
    `${PUBLIC}/blogs/%ff%fe`,
    `${PUBLIC}/blogs/tea;x=y`,
    `${PUBLIC}/blogs/tea#fragment`,
    `${PUBLIC}/blogs/tea\\`,
    `http://elsewhere.example${PUBLIC}//blogs`,
    '*',
  ])('finds nothing: %s', async (target) => {
    const status = statusOf(await getRaw(target, bearer()));
    expect([400, 404]).toContain(status);
  });

  it('also needs a key if the target names another host (RFC 9112 §3.2.2)', async () => {
    const target = `http://elsewhere.example${PUBLIC}/blogs`;
    expect(statusOf(await getRaw(target, bearer()))).toBe(200);
    expect(statusOf(await getRaw(target))).toBe(401);
  });

  it('finds nothing when it is overlong', async () => {
    for (const slug of ['a'.repeat(10_000), '%41'.repeat(3_000)]) {
      expect(statusOf(await getRaw(`${PUBLIC}/blogs/${slug}`, bearer()))).toBe(404);
    }
  });

  it('is 400 when its encoding is broken, and 431 when it is endless', async () => {
    expect(statusOf(await getRaw(`${PUBLIC}/blogs/%zz`, bearer()))).toBe(400);
    expect(statusOf(await getRaw(`${PUBLIC}/blogs/${'a'.repeat(20_000)}`, bearer()))).toBe(431);
  });

  it('reaches no other project, however the slug is spelled', async () => {
    for (const slug of ['secret', '%73ecret', 'SECRET', 'secret%20', '../secret', 'secret/']) {
      expect(await getRaw(`${PUBLIC}/blogs/${slug}`, bearer())).not.toContain('Secret of another project');
    }
  });
});

describe('odd requests', () => {
  it.each([
    ['two keys in two headers', [`Authorization: Bearer ${'x'.repeat(40)}`, 'AUTHORIZATION: Bearer y']],
    ['a key with a line folded in', ['Authorization: Bearer pk_live_', '  folded']],
    ['a hundred and one headers', Array.from({ length: 101 }, (_, number) => `X-${number}: 1`)],
    ['a huge header', [`X-Large: ${'x'.repeat(17_000)}`]],
    ['a body with two lengths', ['Content-Length: 1', 'Content-Length: 2']],
    ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked']],
    ['bytes that are no header', ['\x01\x02: \xff']],
  ])('get a client error: %s', async (_name, headers) => {
    const status = statusOf(await getRaw(`${PUBLIC}/blogs`, ...headers));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });

  it('never get another request’s cached answer, because every deciding header counts, in any case', async () => {
    const target = `${PUBLIC}/blogs/tea`;
    expect(statusOf(await getRaw(target, bearer()))).toBe(200);
    expect(statusOf(await getRaw(target, `aUTHORIZATION: Bearer ${project.key}`))).toBe(200);
    expect(statusOf(await getRaw(target))).toBe(401);
    expect(statusOf(await getRaw(target, 'Authorization: Bearer x', bearer()))).toBe(401);
    expect(statusOf(await getRaw(target, `Authorization: Bearer ${other.key}`))).toBe(404);
    const gzip = await getRaw(target, bearer(), 'ACCEPT-ENCODING: gzip');
    expect(gzip).toMatch(/content-encoding: gzip/i);
    expect(await getRaw(target, bearer(), 'Accept-Encoding: gzip;q=0')).not.toMatch(/content-encoding/i);
    const etag = /etag: (\S+)/i.exec(await getRaw(target, bearer()))![1]!;
    expect(statusOf(await getRaw(target, bearer(), `IF-NONE-MATCH: ${etag}`))).toBe(304);
    expect(statusOf(await getRaw(target, bearer(), 'If-None-Match: "a"', `If-None-Match: ${etag}`))).toBe(304);
  });

  it(`of any Unicode are answered, never with 500 (READ_SEED=${seed})`, async () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 }).map((value) => value.toWellFormed());
    const parameter = fc.constantFrom(
      'category',
      'tag',
      'q',
      'limit',
      'offset',
      'include_content',
      'fields',
      'api_key',
      'x',
    );
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.array(fc.tuple(parameter, text), { maxLength: 4 }),
        fc.nat(6),
        async (slug, query, kind) => {
          const path = [
            'blogs',
            `blogs/${encodeURIComponent(slug)}`,
            `blogs/${encodeURIComponent(slug)}/related`,
            'feed.xml',
            'feed.json',
            'llms.txt',
            `blogs/${encodeURIComponent(slug)}/json-ld`,
          ][kind]!;
          const answer = await project.get(`/${path}?${new URLSearchParams(query).toString()}`);
          expect(answer.statusCode).toBeLessThan(500);
        },
      ),
      { seed, numRuns: 150 },
    );
  });
});

describe('a flood of unknown keys', () => {
  it('causes far fewer queries than requests, and hardly delays readers with a key', async () => {
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    const committed = async () => {
      // Sessions report with a delay.
      await sleep(1_500);
      const { rows } = await client.query<{ count: string }>(
        'SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()',
      );
      return Number(rows[0]!.count);
    };
    const agent = new Agent({ keepAlive: true, maxSockets: 100 });
    const ask = (key: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { authorization: `Bearer ${key}` };
        httpRequest(`${service.origin}${PUBLIC}/blogs`, { agent, headers }, (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        })
          .on('error', reject)
          .end();
      });
    try {
      const before = await committed();
      const unknown = Array.from({ length: 4_000 }, () => ask(`pk_live_${randomBytes(16).toString('hex')}`));
      const known = await Promise.all(Array.from({ length: 20 }, () => ask(project.key)));
      expect(new Set(await Promise.all(unknown))).toEqual(new Set([401]));
      expect(new Set(known)).toEqual(new Set([200]));
      expect((await committed()) - before).toBeLessThan(1_500);
    } finally {
      agent.destroy();
      await client.end();
    }
  });
});

describe('many concurrent reads', () => {
  it('projects of one account share its slots, so that reads of another account are served', async () => {
    const members = [randomUUID()];
    const projects = await Promise.all(Array.from({ length: 5 }, () => service.createProject({ members })));
    const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2 });
    const holder = await pool.connect();
    const waiting = async (statement: string) => {
      const { rows } = await pool.query<{ query: string }>(
        `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.filter(({ query }) => query.includes(statement)).length;
    };
    const statuses: number[] = [];
    const ask = async (project: TestProject, path: string) => void statuses.push((await project.get(path)).statusCode);
    try {
      // Every read that has begun waits, until all have been seen.
      await holder.query('BEGIN; LOCK TABLE published_blog IN ACCESS EXCLUSIVE MODE');
      const lists = projects.flatMap((project) =>
        Array.from({ length: 8 }, (_, at) => ask(project, `/blogs?offset=${at}`)),
      );
      await eventually(async () => expect(await waiting('OFFSET $3')).toBeGreaterThanOrEqual(2));
      const post = ask(other, '/blogs/secret');
      await eventually(async () => expect(await waiting('slug = $2')).toBe(1));
      expect([await waiting('OFFSET $3'), statuses]).toEqual([2, []]);
      await holder.query('ROLLBACK');
      await Promise.all([...lists, post]);
      expect([statuses.length, new Set(statuses)]).toEqual([41, new Set([200])]);
    } finally {
      holder.release(true);
      await pool.end();
    }
  });
});

describe('slow readers', () => {
  it('do not delay others', async () => {
    const port = Number(new URL(service.origin).port);
    const slow = Array.from({ length: 200 }, () => {
      const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${PUBLIC}/blogs HTTP/1.1\r\nHost: x\r\n`));
      socket.on('error', () => undefined);
      return socket;
    });
    try {
      await eventually(() => slow.every((socket) => !socket.connecting));
      expect((await project.get('/blogs')).statusCode).toBe(200);
    } finally {
      for (const socket of slow) socket.destroy();
    }
  });
});

describe('a limit on how often a key is used', () => {
  it('is off by default; if set, it is 429 with Retry-After for that project, cached or not', async () => {
    await using limited = await startTestService({ requestsPerMinute: 8 });
    const busy = await limited.createProject();
    const quiet = await limited.createProject();
    expect((await busy.get('/blogs')).statusCode).toBe(200);
    expect((await busy.get('/blogs')).statusCode).toBe(200);
    for (const path of ['/blogs', '/blogs/sitemap', '/blogs?limit=1']) {
      const refused = await busy.get(path);
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(Object.keys(JSON.parse(refused.body) as object)).toEqual(['detail']);
    }
    expect((await quiet.get('/blogs')).statusCode).toBe(200);
  });
});

describe('scripts of web pages', () => {
  it('get no CORS headers unless an origin is allowed', async () => {
    const { headers } = await project.get('/blogs', { origin: 'https://a.example' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('of an allowed origin may read, cached or not; a preflight needs no key', async () => {
    await using open = await startTestService({ corsOrigins: ['https://a.example'] });
    const own = await open.createProject();
    for (let time = 0; time < 2; time += 1) {
      const { headers } = await own.get('/blogs', { origin: 'https://a.example' });
      expect(headers['access-control-allow-origin']).toBe('https://a.example');
      expect(headers.vary).toContain('Origin');
      const foreign = await own.get('/blogs', { origin: 'https://b.example' });
      expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
    }
    const preflight = await open.request('OPTIONS', `${PUBLIC}/blogs`, {
      origin: 'https://a.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': 'https://a.example',
      'access-control-allow-methods': 'GET, HEAD',
    });
    expect(preflight.headers['access-control-allow-headers']).toContain('Authorization');
  });
});
