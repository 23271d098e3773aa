import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCredentialStore, type Credentials } from '../credentials.ts';

const COMMAND = join(import.meta.dirname, '../blog.main.ts');
const RATING = { name: 'rating', label: 'Rating', kind: 'number', help: '', choices: [], json_schema: null };

let folder: string;
let server: Server;
let origin: string;
let fields: object[];
const asked: string[] = [];

const signInAs = async (kind: Credentials['kind']) =>
  createCredentialStore({ XDG_CONFIG_HOME: folder }).save(
    kind === 'agent'
      ? { kind, origin, key: 'sk_agent_1' }
      : { kind, origin, email: 'owner@example.com', token: 'first', refreshToken: 'once' },
  );

beforeEach(async () => {
  asked.length = 0;
  fields = [RATING];
  folder = await mkdtemp(join(tmpdir(), 'blog-content-types-'));
  server = createServer(({ url }, response) => {
    asked.push(String(url));
    response.end(JSON.stringify({ version: 1, fields, updated_at: null }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await signInAs('owner');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const types = (...args: string[]) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder, BLOG_PROJECT: 'p1' };
    execFile(process.execPath, [COMMAND, 'types', ...args], { cwd: folder, env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out: out + err }),
    );
  });
const written = () => readFile(join(folder, 'post-data.d.ts'), 'utf8');

describe('the command for types', () => {
  it('writes the type of the project’s data, as an owner and as an agent', async () => {
    expect(await types()).toEqual({ code: 0, out: 'post-data.d.ts: 1 field\n' });
    expect(await written()).toContain('  rating?: number;');
    await signInAs('agent');
    expect(await types('--out', 'agent.d.ts')).toEqual({ code: 0, out: 'agent.d.ts: 1 field\n' });
    expect(await readFile(join(folder, 'agent.d.ts'), 'utf8')).toBe(await written());
    expect(asked).toEqual(['/blog/api/v1/owner/projects/p1/data-fields', '/blog/api/v1/agent/data-fields']);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('checks a file without writing it', async () => {
    const missing = { code: 1, out: 'post-data.d.ts is missing. Run "blog types" to write it.\n' };
    expect(await types('--check')).toEqual(missing);
    await types();
    expect(await types('--check')).toEqual({ code: 0, out: 'post-data.d.ts: up to date, 1 field\n' });
    fields = [];
    const stale = { code: 1, out: 'post-data.d.ts is out of date. Run "blog types" to write it.\n' };
    expect(await types('--check')).toEqual(stale);
    expect(await written()).toContain('rating');
  });

  it('says where a file cannot be written, and takes no other arguments', async () => {
    expect(await types('--out', 'nowhere/a.d.ts')).toMatchObject({
      code: 1,
      out: expect.stringContaining('nowhere/a.d.ts cannot be written: '),
    });
    expect(await types('data')).toMatchObject({ code: 2, out: expect.stringContaining('takes options only') });
    await writeFile(join(folder, 'post-data.d.ts'), 'mine');
    expect(await types()).toMatchObject({ code: 0 });
    expect(await written()).not.toContain('mine');
  });
});
