import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { createCredentialStore } from './credentials.ts';

const COMMAND = join(import.meta.dirname, 'blog.main.ts');
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let folder: string;
let server: Server;
let origin: string;
let answer: Answer;
/** Of the last request. */
let body: string;
const seen: string[] = [];

beforeEach(async () => {
  seen.length = 0;
  folder = await mkdtemp(join(tmpdir(), 'blog-content-blog-'));
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    void readText(request).then((received) => {
      body = received;
      answer(request, response);
    });
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

it('projects are also listed as JSON', async () => {
  answer = json({ items: [{ id: 'p1', name: 'Soups' }], next_cursor: null });
  expect(await blog(['projects', '--json'])).toEqual({ code: 0, out: '{"id":"p1","name":"Soups"}\n', err: '' });
});

it('a reader that ends first, such as head, causes no error', async () => {
  answer = json({ detail: 'No.' }, 404);
  const slugs = Array.from({ length: 8 }, (_, at) => `post-${at}`);
  const args = [COMMAND, 'unpublish', ...slugs, '--project', 'p1'];
  const child = spawn(process.execPath, args, { cwd: folder, env: environment() });
  child.stdout.once('data', () => child.stdout.destroy());
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = await once(child, 'close');
  expect([code, err]).toEqual([1, '']);
  expect(seen).toHaveLength(slugs.length);
});

it('an empty BLOG_PROJECT is ignored', async () => {
  answer = json({ items: [{ id: 'p1', name: 'Soups' }], next_cursor: null });
  await blog(['list'], { BLOG_PROJECT: '' });
  expect(seen.at(-1)).toBe('GET /blog/api/v1/owner/projects/p1/blogs?limit=100');
});

it('a server that is not the service is named, without a stack trace', async () => {
  answer = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>x</title>');
  const page = `${origin} returned a web page. Is this the service’s URL?\n`;
  const signIn = ['sign-in', '--email', 'owner@example.com', '--origin', origin];
  expect(await blog(signIn, { BLOG_PASSWORD: 'password' })).toEqual({ code: 1, out: '', err: page });
  expect(await blog(['projects'])).toEqual({ code: 1, out: '', err: page });
});

it.each([
  ['an object without detail', '{"error":"x"}', '404: {"error":"x"}\n'],
  ['nothing', '', '404: Not Found\n'],
])('a refusal that is not from the service is shown: %s', async (_name, body, err) => {
  answer = (_request, response) => void response.writeHead(404).end(body);
  expect(await blog(['projects'])).toEqual({ code: 1, out: '', err });
});

it('an invalid key is neither sent nor shown', async () => {
  const BLOG_AGENT_KEY = 'sk_agent_secret\ncharacters';
  const { code, err } = await blog(['sign-in', '--agent', '--origin', origin], { BLOG_AGENT_KEY });
  expect({ code, err, seen }).toEqual({ code: 1, err: expect.not.stringContaining('characters'), seen: [] });
  expect(err).toContain('sk_agent_');
});

describe('a folder', () => {
  it.each(['C:notes.md', 'a\\..\\b.md'])('names a file that no archive can hold: %s', async (name) => {
    await mkdir(join(folder, 'posts'));
    await writeFile(join(folder, 'posts', name), '# A\n');
    const { code, err } = await blog(['import', 'posts']);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining(`${join('posts', name)} cannot be imported`),
    });
    expect(err.trim()).not.toContain('\n');
  });

  it('does not send files that are only linked to', async () => {
    await mkdir(join(folder, 'posts'));
    await writeFile(join(folder, 'secret'), 'secret');
    await symlink(join(folder, 'secret'), join(folder, 'posts', 'a.md'));
    expect(await blog(['import', 'posts'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/has no \.md.* 1 symbolic link not imported: a\.md\.\n$/),
    });
  });

  it('names the links that it leaves out, to files and to folders', async () => {
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
      out: expect.stringContaining('2 symbolic links not imported: b.md; c.\n'),
    });
  });
});

describe('redirects', () => {
  const key = 'pk_live_abc';
  const page = (redirects: object[], total = redirects.length) => ({ redirects, total, limit: 5000, offset: 0 });
  /** The service: an owner may see the key, and its holder the redirects. */
  const service =
    (redirects: object[]): Answer =>
    (request, response) => {
      if (request.url === '/blog/api/v1/owner/projects/p1/public-key') json({ public_key: key })(request, response);
      else if (request.headers.authorization === `Bearer ${key}`) json(page(redirects))(request, response);
      else json({ detail: 'A valid public key is required.' }, 401)(request, response);
    };
  const asOwner = ['redirects', '--project', 'p1'];

  it('are printed for an owner, who is not asked for the key', async () => {
    answer = service([{ from: 'old', to: 'new' }]);
    const lines = '/blog/old/ /blog/new/ 301\n/blog/old /blog/new/ 301\n';
    expect(await blog(asOwner)).toEqual({ code: 0, out: lines, err: '' });
    const caddy = await blog([...asOwner, '--format', 'caddy', '--path', '/{slug}']);
    expect(caddy.out).toContain('\nredir /old /new{redirected_query} 301\nredir /old/ /new{redirected_query} 301\n');
    answer = service([]);
    expect(await blog(asOwner)).toEqual({ code: 0, out: '', err: '' });
  });

  it('are printed with the key alone, signed in or not', async () => {
    answer = service([{ from: 'old', to: 'new' }]);
    const withKey = { BLOG_KEY: key };
    expect(await blog(['redirects', '--format', 'json'], withKey)).toMatchObject({ code: 0 });
    await rm(join(folder, 'blog'), { recursive: true });
    expect(await blog(['redirects'], withKey)).toMatchObject({ code: 1, err: expect.stringContaining('signed in') });
    const { out } = await blog(['redirects', '--format', 'json', '--origin', origin], withKey);
    expect(JSON.parse(out)).toEqual([{ from: '/blog/old/', to: '/blog/new/' }]);
    expect((await blog(['redirects'], { ...withKey, BLOG_API: origin })).out).toContain('/blog/old/ /blog/new/ 301');
    expect(seen.filter((request) => request.includes('/owner/'))).toEqual([]);
  });

  it('are those of the project that --project names, not those of BLOG_KEY', async () => {
    answer = service([{ from: 'old', to: 'new' }]);
    const { code, out } = await blog([...asOwner, '--format', 'json'], { BLOG_KEY: 'pk_live_another' });
    expect([code, JSON.parse(out)]).toEqual([0, [{ from: '/blog/old/', to: '/blog/new/' }]]);
  });

  it('are written into a file, whose other lines stay', async () => {
    answer = service([{ from: 'old', to: 'new' }]);
    const file = join(folder, '_redirects');
    await writeFile(file, '/news/* /blog/:splat 302\n');
    const args = [...asOwner, '--out', '_redirects'];
    expect(await blog(args)).toEqual({ code: 0, out: '_redirects: 1 redirect\n', err: '' });
    await blog(args);
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.startsWith('/'));
    expect(lines).toEqual(['/blog/old/ /blog/new/ 301', '/blog/old /blog/new/ 301', '/news/* /blog/:splat 302']);
  });

  it('are complete for a project with more than a page', async () => {
    const all = Array.from({ length: 5_001 }, (_, at) => ({ from: `old-${at}`, to: 'new' }));
    answer = (request, response) => {
      const { searchParams, pathname } = new URL(request.url ?? '', origin);
      if (!pathname.endsWith('/redirects')) return service([])(request, response);
      const offset = Number(searchParams.get('offset'));
      json(page(all.slice(offset, offset + Number(searchParams.get('limit'))), all.length))(request, response);
    };
    const { out } = await blog([...asOwner, '--format', 'json']);
    expect(JSON.parse(out)).toHaveLength(5_001);
  });

  it.each([
    [['--format', 'apache'], '--format must be netlify, vercel, caddy, nginx, json.'],
    [['--path', 'blog'], '--path must start with a slash'],
    [['--path', '//evil.example/{slug}'], '--path must start with a slash'],
    [['extra'], 'takes options only'],
  ])('are not written after invalid options: %j', async (args, err) => {
    expect(await blog([...asOwner, ...args])).toMatchObject({ code: 2, out: '', err: expect.stringContaining(err) });
    expect(seen).toEqual([]);
  });

  it('name the missing permission of an agent, and the service’s error', async () => {
    const store = createCredentialStore({ XDG_CONFIG_HOME: folder });
    await store.save({ kind: 'agent', origin, key: 'sk_agent_x' });
    expect(await blog(['redirects'])).toMatchObject({ code: 1, err: expect.stringContaining('BLOG_KEY') });
    answer = json({ detail: 'A valid public key is required.' }, 401);
    const { code, err } = await blog(['redirects'], { BLOG_KEY: 'pk_live_wrong' });
    expect([code, err]).toEqual([1, '401: A valid public key is required.\n']);
  });
});

describe('a publish with a date', () => {
  const id = '7c4e3a52-0d0f-4b6e-9d7c-2f1f1f0c9a01';
  const publish = (date: string, ...more: string[]) =>
    blog(['publish', id, '--date', date, '--project', 'p1', ...more]);

  it('says when the post is scheduled instead', async () => {
    const publish_at = '2027-05-01T09:00:00.000Z';
    answer = json({ status: 'scheduled', blog_id: id, publish_at }, 202);
    const out = `${id}: scheduled for ${publish_at}\n`;
    expect(await publish(publish_at, '--wait')).toEqual({ code: 0, out, err: '' });
    expect(seen).toEqual([`POST /blog/api/v1/owner/projects/p1/blogs/${id}/publish`]);
  });

  it.each([
    ['2025-08-08', '2025-08-08T00:00:00.000Z'],
    ['2025-08-08T10:00:00Z', '2025-08-08T10:00:00.000Z'],
    ['2025-08-08T01:30+02:00', '2025-08-07T23:30:00.000Z'],
  ])('sends %s as %s, and says so', async (date, sent) => {
    const bodies: unknown[] = [];
    answer = (request, response) => {
      bodies.push([request.headers['content-type'], body]);
      json({ id: 'one', status: 'succeeded', deliveries: [] }, 202)(request, response);
    };
    expect(await publish(date)).toEqual({ code: 0, out: `${id}: publishing, dated ${sent} (one)\n`, err: '' });
    expect(bodies).toEqual([['application/json', JSON.stringify({ published_at: sent })]]);
    expect(await publish(date, '--wait')).toMatchObject({ code: 0, out: `${id}: succeeded, dated ${sent}\n` });
  });

  it.each(['2025-02-30', '2025-08-08T10:00:00', '08/08/2025', 'tomorrow', ''])(
    'sends nothing when the date is %j, and explains the format',
    async (date) => {
      expect(await publish(date)).toMatchObject({
        ...{ code: 2, out: '' },
        err: expect.stringContaining(`--date must be a day (2025-08-08) or a time with a zone`),
      });
      expect(seen).toEqual([]);
    },
  );

  it('names the option when the service refuses the date', async () => {
    const errors = [{ field: 'published_at', message: 'must be from 1970 to at most 10 years from now' }];
    answer = json({ detail: 'The request is not valid.', errors }, 422);
    expect(await publish('1950-01-01')).toMatchObject({
      code: 1,
      out: `${id}: 422: The request is not valid.\n  --date must be from 1970 to at most 10 years from now\n`,
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
  const stopped = { code: 1, out: '', err: 'Stopped. Work already started continues on the service.\n' };

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
