import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileCache } from './file-cache.ts';
import { createClient, memoryCache, type BlogApiError, type ClientOptions, type ListOptions } from './index.ts';

const KEY = 'pk_live_abc';
let server: Server;
let origin: string;
/** What the server does with the next requests; then it answers `{}`. */
const script: ((request: IncomingMessage, response: ServerResponse) => void)[] = [];
const seen: { url: string; authorization: string | undefined; etag: string | undefined }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const { authorization, 'if-none-match': etag } = request.headers;
    seen.push({ url: request.url!, authorization, etag });
    (script.shift() ?? answer(200, '{}'))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  script.length = 0;
  seen.length = 0;
});

const answer =
  (status: number, body = '{"detail":"Not now."}', headers: Record<string, string> = {}) =>
  (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);
const client = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: origin, key: KEY, backoffMs: 1, ...options });

describe('requests', () => {
  it('of lists send each option as its parameter of the API', async () => {
    const options: Required<Omit<ListOptions, 'signal'>> = {
      category: 'Dinner',
      tag: 'bread',
      author: 'ada',
      q: 'sour dough',
      language: 'de',
      limit: 5,
      offset: 10,
      includeContent: true,
      fields: ['slug'],
    };
    await client().list(options);
    const document = JSON.parse(await readFile(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')) as {
      paths: Record<string, { get: { parameters: { name?: string; in?: string }[] } }>;
    };
    const documented = document.paths['/blog/api/v1/public/blogs']!.get.parameters.flatMap((parameter) =>
      parameter.in === 'query' ? [parameter.name!] : [],
    );
    // The key is in the header, and `changes` walks `since`.
    const sent = documented.filter((name) => name !== 'api_key' && name !== 'since');
    expect([...new URL(seen[0]!.url, origin).searchParams.keys()].sort()).toEqual(sent.sort());
  });

  it('carry the key in the header, never in the address or an error', async () => {
    script.push(answer(401, '{"detail":"The key is wrong."}'));
    const error = await client()
      .sitemap()
      .then(() => null)
      .catch((caught: BlogApiError) => caught);
    expect(seen).toMatchObject([{ url: '/blog/api/v1/public/blogs/sitemap', authorization: `Bearer ${KEY}` }]);
    expect(error).toMatchObject({
      name: 'BlogApiError',
      status: 401,
      url: `${origin}/blog/api/v1/public/blogs/sitemap`,
    });
    expect(error!.message).toBe(`GET ${error!.url}: 401 The key is wrong.`);
  });

  it.each([400, 401, 403, 404, 405])('are not retried after %i', async (status) => {
    script.push(answer(status));
    await expect(client().list()).rejects.toMatchObject({ status });
    expect(seen).toHaveLength(1);
  });

  it.each([429, 500, 502, 503])('are retried after %i', async (status) => {
    script.push(answer(status), answer(status), answer(200, '{"total":7}'));
    expect(await client().list()).toEqual({ total: 7 });
    expect(seen).toHaveLength(3);
  });

  it('are retried when there is no answer, or half of one', async () => {
    script.push(
      (request) => request.socket.destroy(),
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{');
        setTimeout(() => response.destroy(), 5);
      },
      answer(200, '{"total":7}'),
    );
    expect(await client().list()).toEqual({ total: 7 });
  });

  it('end after the last try with the error', async () => {
    script.push(...Array.from({ length: 3 }, () => answer(500)));
    await expect(client({ maxAttempts: 3 }).list()).rejects.toThrow('500 Not now.');
    expect(seen).toHaveLength(3);
  });

  it('report that there was no answer', async () => {
    const nobody = client({ baseUrl: 'http://nobody.invalid', maxAttempts: 2 });
    await expect(nobody.list()).rejects.toThrow(/no response: .*nobody\.invalid/);
  });

  it.each(['0.05', new Date(Date.now() + 1_500).toUTCString()])('honor Retry-After: %s', async (after) => {
    script.push(answer(500, '{}', { 'retry-after': after }));
    await client().list();
    expect(seen).toHaveLength(2);
  });

  it('time out', async () => {
    script.push(() => undefined);
    await expect(client({ maxAttempts: 1, timeoutMs: 50 }).list()).rejects.toThrow('no response within 50 ms');
  });

  it('end immediately when their signal is aborted, also while they wait', async () => {
    const abort = new AbortController();
    script.push((_request, response) => {
      answer(500, '{}', { 'retry-after': '60' })(_request, response);
      setTimeout(() => abort.abort(new Error('The build was stopped.')), 20);
    });
    await expect(client().list({ signal: abort.signal })).rejects.toThrow('The build was stopped.');
    await expect(client().list({ signal: abort.signal })).rejects.toThrow('The build was stopped.');
    expect(seen).toHaveLength(1);
  });

  it('end immediately when their signal is aborted between an answer and the wait for the next try', async () => {
    const abort = new AbortController();
    script.push(answer(500, '{}', { 'retry-after': '60' }));
    const abortingFetch = async (url: string, init: RequestInit) => {
      const { status, headers } = await fetch(url, init);
      abort.abort(new Error('The build was stopped.'));
      return new Response('{}', { status, headers });
    };
    const call = client({ fetch: abortingFetch }).list({ signal: abort.signal });
    await expect(call).rejects.toThrow('The build was stopped.');
    // Fewer than the wait would take.
  }, 30_000);

  it.each(['null', '7', '"text"'])('fail on JSON that is not from this API: %s', async (body) => {
    script.push(answer(200, body), answer(200, body));
    await expect(client().list()).rejects.toThrow('is the base URL correct?');
    await expect(client().changes().next()).rejects.toThrow('is the base URL correct?');
    expect(seen).toHaveLength(2);
  });

  it('accept the origin of the service or its whole URL', async () => {
    for (const end of ['', '/', '/blog/api/v1/public', '/blog/api/v1/public/']) {
      await client({ baseUrl: origin + end }).sitemap();
    }
    expect(new Set(seen.map(({ url }) => url))).toEqual(new Set(['/blog/api/v1/public/blogs/sitemap']));
  });
});

describe('get', () => {
  it('is null for a post that is not published', async () => {
    script.push(answer(404, '{"detail":"Post not found."}'));
    expect(await client().get('not-there')).toBeNull();
  });

  it('fails on a 404 that is not from this API', async () => {
    script.push(answer(404, '<h1>Not found</h1>'));
    await expect(client().get('not-there')).rejects.toThrow('is the base URL correct?');
  });

  it.each(['', '.', '..', 'sitemap', 'A', 'a/b', 'ä', '%2e'])(
    'makes no request for an invalid slug: %j',
    async (slug) => {
      expect(await client().get(slug)).toBeNull();
      expect(await client().related(slug)).toBeNull();
      expect(seen).toEqual([]);
    },
  );
});

describe('all', () => {
  const [c, b, a] = ['c', 'b', 'a'].map((slug, day) => ({ id: slug, slug, published_at: `2026-01-0${9 - day}` }));

  it('gives every post of every page, with the fields that are asked for', async () => {
    const shown = ({ url }: IncomingMessage) =>
      url!.includes('offset=0') ? [c, b] : url!.includes('=1') ? [b, a] : [a];
    for (let page = 0; page < 4; page += 1) {
      script.push((request, response) => {
        const fields = new URL(request.url!, origin).searchParams.get('fields')?.split(',');
        const blogs = shown(request).map((post) =>
          fields === undefined ? post : Object.fromEntries(fields.map((name) => [name, post![name as 'slug']])),
        );
        answer(200, JSON.stringify({ blogs }))(request, response);
      });
    }
    const posts: { slug: string }[] = [];
    for await (const post of client().all({ pageSize: 2, fields: ['slug'] })) posts.push(post);
    expect(posts).toEqual([{ slug: 'c' }, { slug: 'b' }, { slug: 'a' }]);
  });

  it('takes, like its likes, no option that is misspelt: where it does, this does not compile', () => {
    const calls = [
      // @ts-expect-error: it has no such option.
      () => client().list({ limit: 5, includeContents: true }),
      // @ts-expect-error: it has no such option.
      () => client().pages({ pageSize: 5, categories: 'Dinner' }),
      // @ts-expect-error: it has no such option.
      () => client().changes({ since: '1', from: '2' }),
      () => client().list({ limit: 5, category: 'Dinner', fields: ['slug'] }),
      () => client().changes({ since: '1', pageSize: 5, includeContent: true }),
      // @ts-expect-error: a list does not have it.
      () => client().all({ fields: ['word_count'] }),
      () => client().get('soup', { fields: ['structured_data', 'word_count'] }),
    ];
    expect(calls).toHaveLength(7);
  });
});

describe('createClient', () => {
  it.each(['', 'sk_agent_abc', 'pk_live_abc\n'])('refuses what is no public key: %j', (key) => {
    expect(() => client({ key })).toThrow('pk_live_');
  });

  it('refuses an invalid URL', () => {
    expect(() => client({ baseUrl: 'blog.example.com' })).toThrow('baseUrl');
  });
});

describe('a cache', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blog-content-client-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['memory', () => memoryCache()],
    ['files', () => fileCache(join(folder, 'cache'))],
  ])('of %s has an answer asked for again, and takes what has not changed', async (_name, create) => {
    const cache = create();
    script.push(
      answer(200, '{"total":1}', { etag: '"one"' }),
      answer(304, ''),
      answer(200, '{"total":2}', { etag: '"two"' }),
    );
    expect(await client({ cache }).sitemap()).toEqual({ total: 1 });
    expect(await client({ cache }).sitemap()).toEqual({ total: 1 });
    expect(await client({ cache }).sitemap()).toEqual({ total: 2 });
    expect(seen.map(({ etag }) => etag)).toEqual([undefined, '"one"', '"one"']);
  });

  it('of files refetches a truncated file', async () => {
    const cache = fileCache(join(folder, 'broken'));
    script.push(answer(200, '{"total":1}', { etag: '"one"' }));
    await client({ cache }).sitemap();
    const [file] = await readdir(join(folder, 'broken'));
    await writeFile(join(folder, 'broken', file!), '{"etag":');
    await client({ cache }).sitemap();
    expect(seen[1]).toMatchObject({ etag: undefined });
  });

  it('of memory drops the least recently used', async () => {
    const cache = memoryCache({ maxEntries: 2 });
    const response = { etag: '"x"', body: '{}' };
    for (const url of ['a', 'b']) cache.set(url, response);
    expect(await cache.get('a')).toEqual(response);
    cache.set('c', response);
    expect([await cache.get('a'), await cache.get('b'), await cache.get('c')]).toEqual([response, undefined, response]);
  });
});
