import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { createCredentialStore } from '../credentials.ts';

const COMMAND = join(import.meta.dirname, '../blog.main.ts');
const IMAGE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]);
const SET_UP = { name: 'Site', url: 'https://site.example/hook', has_secret: true };
const WEBHOOK = {
  ...SET_UP,
  headers: { 'X-Token': 'hidden' },
  project_id: 'p1',
  failed_deliveries: 3,
  failing_since: null,
  failing_reason: null,
};

let folder: string;
let server: Server;
let archive: Buffer;
/** What the webhooks answer with; whether the archive breaks off; what was asked for. */
let status: number;
let isCutOff: boolean;
const asked: { request: string; body: string }[] = [];

beforeEach(async () => {
  asked.length = 0;
  status = 200;
  isCutOff = false;
  folder = await mkdtemp(join(tmpdir(), 'blog-content-export-'));
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('# Tea'), 'posts/tea.md');
  zip.addBuffer(IMAGE, 'images/a.png');
  zip.end();
  archive = await buffer(zip.outputStream);
  const answer: RequestListener = ({ url = '' }, response) => {
    if (url.includes('/export')) {
      response.writeHead(200, { 'content-type': 'application/zip' });
      if (isCutOff) response.write(archive.subarray(0, 30), () => response.destroy());
      else response.end(archive);
    } else if (status === 200) response.end(JSON.stringify({ items: [WEBHOOK], next_cursor: null }));
    else response.writeHead(status).end('{"detail":"Away."}');
  };
  server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push({ request: `${request.method} ${request.url}`, body });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = createCredentialStore({ XDG_CONFIG_HOME: folder });
  await store.save({ kind: 'owner', origin, email: 'owner@example.com', token: 'first', refreshToken: 'once' });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const blog = (...args: string[]) =>
  new Promise<{ code: number; out: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder, BLOG_PROJECT: 'p1' };
    execFile(process.execPath, [COMMAND, ...args], { cwd: folder, env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out: out + err }),
    );
  });

const EXPORT = '/blog/api/v1/owner/projects/p1/export';
const exportAsked = () => asked.find(({ request }) => request.includes(EXPORT));

describe('an export', () => {
  it('is the archive of the service, which is sent the webhooks without values of headers', async () => {
    expect(await blog('export', '--out', 'a.zip', '--format', 'markdown')).toEqual({ code: 0, out: 'a.zip\n' });
    expect(exportAsked()).toEqual({
      request: `POST ${EXPORT}?format=markdown`,
      body: JSON.stringify({ webhooks: [{ ...SET_UP, headers: ['X-Token'] }] }),
    });
    expect(await readFile(join(folder, 'a.zip'))).toEqual(archive);
    expect((await readdir(folder)).filter((name) => name.startsWith('a.'))).toEqual(['a.zip']);
  });

  it('warns and continues without webhooks if they can’t be read', async () => {
    status = 404;
    const { code, out } = await blog('export', '--out', 'a.zip');
    expect([code, out]).toEqual([0, expect.stringContaining('The export has no webhooks')]);
    expect(exportAsked()).toEqual({ request: `GET ${EXPORT}?format=written`, body: '' });
  });

  it('that is interrupted leaves no file', async () => {
    isCutOff = true;
    const { code, out } = await blog('export', '--out', 'a.zip');
    expect([code, out]).toEqual([1, expect.stringContaining('Export failed')]);
    expect((await readdir(folder)).filter((name) => name.startsWith('a.'))).toEqual([]);
  });

  it('accepts known formats only', async () => {
    expect(await blog('export', '--out', 'a.zip', '--format', 'pdf')).toMatchObject({ code: 2 });
    await expect(readFile(join(folder, 'a.zip'))).rejects.toThrow('ENOENT');
  });
});
