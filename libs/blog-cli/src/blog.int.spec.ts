import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCredentialStore } from './credentials.ts';

const COMMAND = join(import.meta.dirname, 'blog.main.ts');
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let folder: string;
let server: Server;
let origin: string;
let answer: Answer;
const seen: string[] = [];

beforeEach(async () => {
  seen.length = 0;
  folder = await mkdtemp(join(tmpdir(), 'blog-content-blog-'));
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = createCredentialStore({ XDG_CONFIG_HOME: folder });
  await store.save({ kind: 'owner', origin, email: 'owner@example.com', token: 'first', refreshToken: 'once' });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const environment = (given: Record<string, string> = {}) => ({
  PATH: process.env['PATH'],
  XDG_CONFIG_HOME: folder,
  ...given,
});
const blog = (args: readonly string[], given: Record<string, string> = {}) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], { cwd: folder, env: environment(given) }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
const json =
  (body: object, status = 200): Answer =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

it('projects are listed for programs, too', async () => {
  answer = json({ items: [{ id: 'p1', name: 'Soups' }], next_cursor: null });
  expect(await blog(['projects', '--json'])).toEqual({ code: 0, out: '{"id":"p1","name":"Soups"}\n', err: '' });
});

it('an empty BLOG_PROJECT is none', async () => {
  answer = json({ items: [{ id: 'p1', name: 'Soups' }], next_cursor: null });
  await blog(['list'], { BLOG_PROJECT: '' });
  expect(seen.at(-1)).toBe('GET /blog/api/v1/owner/projects/p1/blogs?limit=100');
});

it('a server that is not the service is called so, without a stack', async () => {
  answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>x</title>');
  const page = `${origin} answers with a page: is it where the service is?\n`;
  const signIn = ['sign-in', '--email', 'owner@example.com', '--origin', origin];
  expect(await blog(signIn, { BLOG_PASSWORD: 'password' })).toEqual({ code: 1, out: '', err: page });
  expect(await blog(['projects'])).toEqual({ code: 1, out: '', err: page });
});

it.each([
  ['an object without detail', '{"error":"x"}', '404: {"error":"x"}\n'],
  ['nothing', '', '404: Not Found\n'],
])('a refusal that is no answer of the service says what there is of it: %s', async (_name, body, err) => {
  answer = (_request, response) => void response.writeHead(404).end(body);
  expect(await blog(['projects'])).toEqual({ code: 1, out: '', err });
});

it('a key that is none is not sent, and not shown', async () => {
  const BLOG_AGENT_KEY = 'sk_agent_secret\ncharacters';
  const { code, err } = await blog(['sign-in', '--agent', '--origin', origin], { BLOG_AGENT_KEY });
  expect({ code, err, seen }).toEqual({ code: 1, err: expect.not.stringContaining('characters'), seen: [] });
  expect(err).toContain('sk_agent_');
});

describe('a folder', () => {
  it.each(['C:notes.md', 'a\\..\\b.md'])('says which file no archive can hold: %s', async (name) => {
    await mkdir(join(folder, 'posts'));
    await writeFile(join(folder, 'posts', name), '# A\n');
    const { code, err } = await blog(['import', 'posts']);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`${join('posts', name)} cannot be imported`),
    });
    expect(err.trim()).not.toContain('\n');
  });

  it('gives no file away that only a link leads to', async () => {
    await mkdir(join(folder, 'posts'));
    await writeFile(join(folder, 'secret'), 'secret');
    await symlink(join(folder, 'secret'), join(folder, 'posts', 'a.md'));
    expect(await blog(['import', 'posts'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/has no \.md.* 1 link is left out: a\.md\.\n$/),
    });
  });

  it('says which links it leaves out, to files and to folders', async () => {
    await mkdir(join(folder, 'posts'));
    await mkdir(join(folder, 'elsewhere'));
    await writeFile(join(folder, 'posts', 'a.md'), '# A\n');
    await symlink('a.md', join(folder, 'posts', 'b.md'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'posts', 'c'));
    await symlink('a.md', join(folder, 'posts', 'no-post.txt'));
    const job = { id: 'job', status: 'finished', files: 1, waiting: 0, created: 1, updated: 0, skipped: 0, failed: 0 };
    answer = (request, response) =>
      json(request.url?.includes('/files') ? { items: [], next_cursor: null } : job)(request, response);
    expect(await blog(['import', 'posts', '--project', 'p1'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 links are left out: b.md; c.\n'),
    });
  });
});

describe('a command that is stopped', () => {
  /** Runs it, and sends it SIGINT when the server gets a request of that path, which is not answered. */
  async function stopAt(path: string, args: readonly string[], others: Answer) {
    const command = spawn(process.execPath, [COMMAND, ...args], { cwd: folder, env: environment() });
    let [out, err] = ['', ''];
    command.stdout.on('data', (text) => (out += text));
    command.stderr.on('data', (text) => (err += text));
    answer = (request, response) => {
      if (request.url === `/blog/api/v1${path}`) command.kill('SIGINT');
      else others(request, response);
    };
    const [code] = await once(command, 'close');
    return { code, out, err };
  }
  const stopped = { code: 1, out: '', err: 'Stopped. What the service has begun goes on there.\n' };

  it('ends while an import goes on', async () => {
    await mkdir(join(folder, 'posts'));
    await writeFile(join(folder, 'posts/a.md'), '# A\n');
    const job = json({ id: 'job', status: 'running' });
    expect(await stopAt('/owner/projects/p1/imports/job', ['import', 'posts', '--project', 'p1'], job)).toEqual(
      stopped,
    );
  });

  it('publishes nothing more', async () => {
    const [first, second] = ['1', '2'].map((end) => `7c4e3a52-0d0f-4b6e-9d7c-2f1f1f0c9a0${end}`);
    const args = ['publish', first!, second!, '--wait', '--project', 'p1'];
    expect(await stopAt('/owner/projects/p1/publishes/one', args, json({ id: 'one' }))).toEqual(stopped);
    expect(seen.filter((request) => request.startsWith('POST'))).toHaveLength(1);
  });
});
