import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApi } from './api.ts';
import { createCredentialStore, type Credentials } from './credentials.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blog-content-credentials-'));
});
afterEach(() => rm(folder, { recursive: true }));

const store = () => createCredentialStore({ XDG_CONFIG_HOME: folder });
const file = () => join(folder, 'blog/credentials.json');

describe('credentials', () => {
  const agent: Credentials = { kind: 'agent', origin: 'https://blog.example.com', key: 'sk_agent_x' };

  it('are stored readable for their user alone, even over a file that others could read', async () => {
    await store().save(agent);
    await chmod(file(), 0o644);
    await store().save(agent);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'blog'))).toEqual(['credentials.json']);
    expect(await store().load()).toEqual(agent);
  });

  it('that are missing or incomplete are asked for again', async () => {
    await expect(store().load()).rejects.toThrow('Not signed in');
    await store().save(agent);
    await writeFile(file(), '{"kind":');
    await expect(store().load()).rejects.toThrow('is incomplete');
    await store().forget();
    await expect(store().load()).rejects.toThrow('Not signed in');
  });
});

describe('calls', () => {
  let server: Server;
  let origin: string;
  const seen: string[] = [];
  beforeEach(async () => {
    seen.length = 0;
    server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
      const isRefresh = request.url?.endsWith('/session/refresh');
      if (isRefresh) response.end(JSON.stringify({ token: 'second', refresh_token: 'next' }));
      else if (request.headers.authorization === 'Bearer second') response.end('{"items":[],"next_cursor":null}');
      else response.writeHead(401).end('{"detail":"The session has ended."}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('of an owner with an expired session are used with a new one, which is stored', async () => {
    await store().save({ kind: 'owner', origin, email: 'owner@example.com', token: 'first', refreshToken: 'once' });
    const { project } = await openApi(store(), 'p1');
    expect((await project('/blogs')).status).toBe(200);
    expect(seen).toEqual([
      'GET /blog/api/v1/owner/projects/p1/blogs Bearer first',
      'POST /blog/api/v1/owner/session/refresh ',
      'GET /blog/api/v1/owner/projects/p1/blogs Bearer second',
    ]);
    expect(await store().load()).toMatchObject({ token: 'second', refreshToken: 'next' });
  });

  it('of an owner use the session that another command has renewed', async () => {
    const first = { kind: 'owner', origin, email: 'owner@example.com', token: 'first', refreshToken: 'once' } as const;
    await store().save(first);
    const { project } = await openApi(store(), 'p1');
    await store().save({ ...first, token: 'second', refreshToken: 'next' });
    expect((await project('/blogs')).status).toBe(200);
    expect(seen).toEqual([
      'GET /blog/api/v1/owner/projects/p1/blogs Bearer first',
      'GET /blog/api/v1/owner/projects/p1/blogs Bearer second',
    ]);
    expect(await store().load()).toMatchObject({ token: 'second', refreshToken: 'next' });
  });

  it('of an agent use the agent’s paths, and show the service’s refusal', async () => {
    await store().save({ kind: 'agent', origin, key: 'sk_agent_x' });
    const { project, owner } = await openApi(store(), undefined);
    await expect(project('/blogs')).rejects.toThrow('401: The session has ended.');
    expect(seen).toEqual(['GET /blog/api/v1/agent/blogs Bearer sk_agent_x']);
    expect(() => owner('/projects')).toThrow('Only an owner can do this');
  });
});
