import { signatureHeaders } from '@blog-content/signing';
import type { WebhookBody } from '@blog-content/payload-schemas';
import got from 'got';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

const SECRET = 'correct-horse-battery-staple';
const SITE_URL = 'https://site.example.com';

interface RunningReceiver {
  readonly process: ChildProcessByStdio<null, null, Readable>;
  readonly url: string;
}

let folder: string;
let receiver: RunningReceiver;

async function start(): Promise<RunningReceiver> {
  const script = join(import.meta.dirname, '../../../../examples/receiver.py');
  const args = [script, '--secret', SECRET, '--port', '0', '--folder', folder, '--site-url', SITE_URL];
  const process = spawn('python3', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: process.stderr })) {
    const url = /http:\/\/\S+:\d+/.exec(line)?.[0];
    if (url === undefined) throw new Error(`The receiver said: ${line}`);
    process.stderr.resume();
    return { process, url };
  }
  throw new Error('The receiver ended before it listened.');
}

async function stop({ process }: RunningReceiver): Promise<void> {
  const ended = once(process, 'exit');
  process.kill();
  await ended;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-receiver-'));
  receiver = await start();
});
afterAll(async () => {
  if (receiver) await stop(receiver);
  await rm(folder, { recursive: true, force: true });
});

/** A post as an owner publishes it, now; with `idempotency_key` as an agent does. */
function published(given: Partial<Extract<WebhookBody, { event: 'blog.published' }>> = {}) {
  return {
    event: 'blog.published' as const,
    blog_id: randomUUID(),
    title: 'Über “Tea” & cake',
    slug: 'tea-and-cake',
    content: '<p>Tea.</p>',
    excerpt: '',
    excerpt_short: '',
    meta_title: null,
    meta_description: null,
    featured_image_url: null,
    categories: [],
    tags: [],
    keyword: null,
    published_at: new Date().toISOString(),
    images: [],
    ...given,
  };
}

async function send(payload: object | string, headers?: Record<string, string>) {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const answer = await got.post(receiver.url, {
    body,
    headers: { 'content-type': 'application/json', ...(headers ?? signatureHeaders(body, SECRET, { legacy: false })) },
    throwHttpErrors: false,
    retry: { limit: 0 },
  });
  return { status: answer.statusCode, body: JSON.parse(answer.body) as Record<string, unknown> };
}

async function kept(blogId: string): Promise<Record<string, unknown> | null> {
  const text = await readFile(join(folder, `${blogId}.json`), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('examples/receiver.py', () => {
  it('keeps a published post under its blog_id and answers with its address', async () => {
    const post = published();
    const { status, body } = await send(post);
    expect(status).toBe(200);
    expect(body).toEqual({ ok: true, id: post.blog_id, url: `${SITE_URL}/blog/tea-and-cake/` });
    expect(await kept(post.blog_id)).toEqual({ ...post, hidden: false });
  });

  it('writes an update over the post, and takes one for a post that it does not have', async () => {
    const post = published();
    for (const title of ['First', 'Second']) {
      const update = { ...post, event: 'blog.updated', title, published_at: new Date().toISOString() };
      expect((await send(update)).status).toBe(200);
      expect(await kept(post.blog_id)).toMatchObject({ title });
    }
  });

  it('hides an unpublished post, shows it again when it is published, and deletes a deleted one', async () => {
    const post = published();
    const { blog_id, title } = post;
    await send(post);
    expect((await send({ event: 'blog.unpublished', blog_id, title })).body).toEqual({ ok: true });
    expect(await kept(blog_id)).toMatchObject({ hidden: true });
    await send({ ...post, published_at: new Date().toISOString() });
    expect(await kept(blog_id)).toMatchObject({ hidden: false });
    expect((await send({ event: 'blog.deleted', blog_id, title })).body).toEqual({ ok: true });
    expect(await kept(blog_id)).toBeNull();
  });

  it('agrees to hide or delete what it does not have', async () => {
    for (const event of ['blog.unpublished', 'blog.deleted']) {
      expect(await send({ event, blog_id: randomUUID(), title: 'Gone' })).toEqual({ status: 200, body: { ok: true } });
    }
  });

  it('answers a ping with ok and nothing else', async () => {
    const ping = { event: 'test.ping', message: 'Hello', timestamp: new Date().toISOString() };
    expect(await send(ping)).toEqual({ status: 200, body: { ok: true } });
  });

  it('writes nothing for a preview', async () => {
    const post = published({ blog_id: `preview-${randomUUID()}` });
    expect(await send(post)).toEqual({ status: 200, body: { ok: true, skipped: true } });
    expect((await readdir(folder)).filter((name) => name.includes('preview'))).toEqual([]);
  });

  it('answers 400 to an event that it does not know', async () => {
    expect((await send({ event: 'blog.hidden', blog_id: randomUUID(), title: 'X' })).status).toBe(400);
  });

  it.each(['[]', 'no JSON', '"text"', '{}'])('answers 400 to a signed body that is no event: %s', async (body) => {
    expect((await send(body)).status).toBe(400);
  });

  it('answers 401 to a wrong or missing signature, and writes nothing', async () => {
    const post = published();
    const others = signatureHeaders(Buffer.from(JSON.stringify(post)), 'another-secret-of-16', { legacy: false });
    for (const headers of [others, {}, { 'x-webhook-signature': 'ü'.repeat(64) }]) {
      expect((await send(post, headers)).status).toBe(401);
    }
    expect(await kept(post.blog_id)).toBeNull();
  });

  it('lets no blog_id lead out of its folder', async () => {
    for (const blog_id of ['../escaped', 'a/b', '', '/etc/x']) {
      expect((await send({ ...published(), blog_id })).status).toBe(400);
      expect((await send({ event: 'blog.deleted', blog_id, title: 'X' })).status).toBe(400);
    }
  });

  it('refuses a post of an owner that was published more than 300 seconds ago', async () => {
    const post = published({ published_at: minutesAgo(6) });
    expect((await send(post)).status).toBe(400);
    expect(await kept(post.blog_id)).toBeNull();
  });

  it('takes a late retry of an agent’s post once, and short-circuits every repeat, also after a restart', async () => {
    const blog_id = randomUUID();
    const post = published({ blog_id, published_at: minutesAgo(15), idempotency_key: `${blog_id}:${randomUUID()}` });
    const answer = { ok: true, id: blog_id, url: `${SITE_URL}/blog/tea-and-cake/` };
    expect(await send({ ...post, publish_attempt: 4 })).toEqual({ status: 200, body: answer });
    const repeat = { ...post, title: 'Not written', publish_attempt: 5 };
    expect(await send(repeat)).toEqual({ status: 200, body: { ...answer, duplicate: true } });
    await stop(receiver);
    receiver = await start();
    expect((await send(repeat)).body).toMatchObject({ duplicate: true });
    expect(await kept(blog_id)).toMatchObject({ title: post.title });
  });

  it('does not write an older publish over a newer one', async () => {
    const blog_id = randomUUID();
    await send(published({ blog_id, title: 'Newer' }));
    const late = published({ blog_id, title: 'Older', published_at: minutesAgo(1) });
    expect((await send(late)).status).toBe(200);
    expect(await kept(blog_id)).toMatchObject({ title: 'Newer' });
  });

  it('answers 500 for any reason that a post can’t be written, and accepts it later', async () => {
    const post = published({ title: 'Half a character: \ud83c', idempotency_key: 'half:1' });
    expect(await send(post)).toEqual({ status: 500, body: { ok: false, error: 'not written' } });
    expect(await send({ ...post, title: 'Whole' })).toMatchObject({ status: 200, body: { ok: true } });
  });

  it('answers 413 to a length of thousands of digits', async () => {
    const { hostname, port } = new URL(receiver.url);
    const socket = connect(Number(port), hostname);
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${'9'.repeat(5000)}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.0 413 /);
  });

  it('answers 413 to what is larger than 8 MB, unread', async () => {
    const headers = { 'content-length': String(9 * 1024 * 1024) };
    const answer = await got
      .post(receiver.url, { body: Buffer.alloc(1), headers, throwHttpErrors: false, retry: { limit: 0 } })
      .catch((error: Error) => error);
    expect(answer).toMatchObject({ statusCode: 413 });
  });
});
