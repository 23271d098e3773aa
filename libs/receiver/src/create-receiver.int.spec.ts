import { sign } from '@blog-content/signing';
import { createEmptyDatabase } from '@blog-content/testing';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSocket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import pg from 'pg';
import { createClient } from 'redis';
import { fastifyReceiver } from './adapters/fastify.ts';
import { nodeHandler } from './adapters/node.ts';
import { conversation } from '../test/vectors.ts';
import {
  createReceiver,
  kvStore,
  memoryStore,
  postgresStore,
  POSTGRES_TABLE,
  redisStore,
  type IdempotencyStore,
  type PostEvent,
  type Receiver,
  type ReceiverOptions,
} from './index.ts';

const { secret, site_url, requests } = conversation;

/** What a receiver keeps of posts in a test, with rules as in `examples`. */
function makeReceiver(given: Partial<ReceiverOptions> = {}) {
  const posts = new Map<string, PostEvent & { hidden: boolean }>();
  const calls: string[] = [];
  const receiver = createReceiver({
    secret,
    onPost(post) {
      calls.push(`${post.event} ${post.title}`);
      const known = posts.get(post.blog_id);
      if (known === undefined || known.published_at <= post.published_at)
        posts.set(post.blog_id, { ...post, hidden: false });
      return { id: post.blog_id, url: `${site_url}/blog/${post.slug}/` };
    },
    onUnpublish({ blog_id }) {
      const post = posts.get(blog_id);
      if (post) post.hidden = true;
    },
    onDelete: ({ blog_id }) => void posts.delete(blog_id),
    idempotency: memoryStore(),
    ...given,
  });
  return { receiver, posts, calls };
}

type Send = (request: Request) => Promise<Response>;

async function listening(server: Server): Promise<{ send: Send; close: () => void }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    send: async (request) =>
      fetch(`${origin}/hook`, {
        method: request.method,
        headers: request.headers,
        ...(request.method !== 'GET' && { body: await request.arrayBuffer() }),
      }),
    close: () => server.close(),
  };
}

/** Each framework as its users would set the receiver up. */
const adapters: Readonly<Record<string, (receiver: Receiver) => Promise<{ send: Send; close: () => unknown }>>> = {
  'Next route handlers, Netlify and Vercel functions, Deno and Bun': (receiver) => {
    const POST = receiver.fetch;
    return Promise.resolve({ send: POST, close: () => undefined });
  },
  Workers: (receiver) => {
    const worker = { fetch: receiver.fetch };
    return Promise.resolve({ send: (request) => worker.fetch(request), close: () => undefined });
  },
  Hono: (receiver) => {
    const app = new Hono().all('/hook', (context) => receiver.fetch(context.req.raw));
    return Promise.resolve({ send: (request) => Promise.resolve(app.fetch(request)), close: () => undefined });
  },
  'node:http': (receiver) =>
    listening(createServer((request, response) => void nodeHandler(receiver)(request, response))),
  Express: (receiver) => listening(createServer(express().all('/hook', nodeHandler(receiver)).use(express.json()))),
  'Express behind express.raw': (receiver) => {
    const app = express().use(express.raw({ type: 'application/json', limit: '8mb' }));
    return listening(createServer(app.all('/hook', nodeHandler(receiver))));
  },
  Fastify: async (receiver) => {
    const app = fastify();
    app.register(fastifyReceiver(receiver), { prefix: '/hook' });
    app.post('/other', (request) => Promise.resolve(request.body));
    await app.listen({ host: '127.0.0.1', port: 0 });
    expect((await app.inject({ method: 'POST', url: '/other', payload: { parsed: true } })).json()).toEqual({
      parsed: true,
    });
    const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    return {
      send: async (request) =>
        fetch(`${origin}/hook`, {
          method: request.method,
          headers: request.headers,
          body: await request.arrayBuffer(),
        }),
      close: () => app.close(),
    };
  },
};

function makeRequest(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Request {
  const signed = { 'x-webhook-signature': sign(typeof body === 'string' ? Buffer.from(body) : body, secret) };
  return new Request('http://receiver.example/hook', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...signed, ...headers },
  });
}

describe.each(Object.entries(adapters))('a receiver in %s', (name, adapt) => {
  it('answers every request of the vectors, and keeps what it should', async () => {
    const { receiver, posts } = makeReceiver();
    const { send, close } = await adapt(receiver);
    for (const { name: request, body_utf8, signature, status, answer, kept } of requests) {
      const made = makeRequest(body_utf8);
      if (signature === null) made.headers.delete('x-webhook-signature');
      else made.headers.set('x-webhook-signature', signature);
      const response = await send(made);
      expect({ request, status: response.status, answer: await response.json() }).toMatchObject({
        request,
        status,
        answer,
      });
      for (const [blogId, post] of Object.entries(kept)) {
        if (post === null) expect(posts.has(blogId)).toBe(false);
        else expect(posts.get(blogId)).toMatchObject(post);
      }
    }
    await close();
  });

  it('refuses a body that is too large, and takes one of 2 MB', async () => {
    const { receiver } = makeReceiver();
    const { send, close } = await adapt(receiver);
    const ping = (length: number) =>
      makeRequest(JSON.stringify({ event: 'test.ping', message: 'x'.repeat(length), timestamp: '' }));
    expect((await send(ping(2_000_000))).status).toBe(200);
    // A receiver that answers without reading may also hang up.
    const answered = await send(ping(4 * 1024 * 1024)).catch(() => null);
    if (answered !== null) expect(answered.status).toBe(413);
    await close();
  });

  it('answers nothing but POST', async () => {
    if (name === 'Fastify') return;
    const { send, close } = await adapt(makeReceiver().receiver);
    expect((await send(new Request('http://receiver.example/hook'))).status).toBe(405);
    await close();
  });
});

describe('createReceiver', () => {
  const vector = (name: string) => requests.find((request) => request.name === name)!;

  it('takes the old and the new secret while it is changed', async () => {
    const { receiver } = makeReceiver({ secret: ['the-new-secret-of-mine', secret] });
    expect((await receiver.fetch(makeRequest(vector('a ping').body_utf8))).status).toBe(200);
  });

  it('answers 500 to what a handler throws, remembers nothing of it, and takes the next attempt', async () => {
    const errors: unknown[] = [];
    let works = false;
    const { receiver, calls } = makeReceiver({
      onPost() {
        calls.push('tried');
        if (!works) throw new Error('The disk is full.');
      },
      onError: (error) => errors.push(error),
    });
    const body = vector('a post of an agent, with a field that is new').body_utf8;
    expect((await receiver.fetch(makeRequest(body))).status).toBe(500);
    works = true;
    expect((await receiver.fetch(makeRequest(body))).status).toBe(200);
    expect((await receiver.fetch(makeRequest(body))).status).toBe(200);
    expect([calls.length, errors]).toEqual([2, [new Error('The disk is full.')]]);
  });

  it('refuses posts without a key that are older than its window, and no others', async () => {
    const { receiver, calls } = makeReceiver({ replayWindowSeconds: 300, now: () => Date.UTC(2026, 10, 23, 5, 12) });
    const statuses = [];
    for (const name of ['a post', 'a post that is published again', 'a post of an agent, with a field that is new']) {
      statuses.push((await receiver.fetch(makeRequest(vector(name).body_utf8))).status);
    }
    expect(statuses).toEqual([400, 200, 200]);
    expect(calls).toHaveLength(2);
  });

  it('says that a parser took the raw bytes, where Express had one before it', async () => {
    const { receiver } = makeReceiver();
    const app = express().use(express.json()).post('/hook', nodeHandler(receiver));
    const { send, close } = await listening(createServer(app));
    const answer = await send(makeRequest(vector('a ping').body_utf8));
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { ok: false, error: 'a body parser has consumed the raw bytes' },
    ]);
    close();
  });
});

describe('idempotency stores', () => {
  async function remembers(store: IdempotencyStore) {
    expect(await store.get('blog:publish')).toBeNull();
    await store.set('blog:publish', '{"ok":true}');
    // Two attempts may be handled concurrently.
    await store.set('blog:publish', '{"ok":true}');
    expect(await store.get('blog:publish')).toBe('{"ok":true}');
    expect(await store.get('blog:other')).toBeNull();
  }

  it('in memory remember, as many as they may', async () => {
    await remembers(memoryStore());
    const store = memoryStore({ maxKeys: 1 });
    await store.set('a', '1');
    await store.set('b', '2');
    expect([await store.get('a'), await store.get('b')]).toEqual([null, '2']);
  });

  it('in PostgreSQL remember', async () => {
    const database = await createEmptyDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(POSTGRES_TABLE);
    await remembers(postgresStore(client));
    await client.end();
    await database.drop();
  });

  it('in Workers KV remember, for a week', async () => {
    const kept = new Map<string, string>();
    const puts: unknown[] = [];
    await remembers(
      kvStore({
        get: (key) => Promise.resolve(kept.get(key) ?? null),
        put: (key, value, options) => {
          puts.push(options);
          return Promise.resolve(kept.set(key, value));
        },
      }),
    );
    expect(puts).toContainEqual({ expirationTtl: 604_800 });
  });

  const hasRedis = spawnSync('redis-server', ['--version']).error === undefined;
  const itWithRedis = hasRedis || process.env['CI'] ? it : it.skip;
  itWithRedis('in Redis remember, for a week, with either client', async () => {
    const port = await freePort();
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const server = spawn('redis-server', args, { stdio: 'ignore', cwd: '/' });
    const own = new Redis({ host: '127.0.0.1', port, retryStrategy: () => 50, maxRetriesPerRequest: null });
    // It is not up yet.
    own.on('error', () => undefined);
    await own.ping();
    await remembers(redisStore(own, { prefix: 'ioredis:' }));
    const other = await createClient({ url: `redis://127.0.0.1:${port}` }).connect();
    await remembers(redisStore(other, { prefix: 'redis:' }));
    expect(await own.ttl('redis:blog:publish')).toBeGreaterThan(600_000);
    expect(await own.ttl('ioredis:blog:publish')).toBeGreaterThan(600_000);
    await other.close();
    own.disconnect();
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  });
});

async function freePort(): Promise<number> {
  const server = createSocket().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
