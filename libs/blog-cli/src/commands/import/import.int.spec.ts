import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { createCredentialStore } from '../../credentials.ts';

const COMMAND = join(import.meta.dirname, '../../blog.main.ts');

/** An archive that the service got. */
interface Received {
  readonly path: string;
  readonly files: ReadonlyMap<string, string>;
}

let folder: string;
let server: Server;
let received: Received[];
/** How often the service has no room. */
let busy: number;

beforeEach(async () => {
  [received, busy] = [[], 0];
  folder = await mkdtemp(join(tmpdir(), 'blog-content-import-'));
  server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    void buffer(request).then(async (bytes) => {
      if (request.url?.endsWith('/report')) return void response.end('Import job\n');
      if (request.method === 'GET') return answer(200, { items: [], next_cursor: null });
      if (busy-- > 0) return answer(429, { detail: 'Another archive is being read.' });
      const files = await filesOf(bytes);
      const [path = ''] = (request.url ?? '').split('/projects/p1').slice(1);
      received.push({ path, files });
      const posts = [...files.keys()].filter((file) => /\.(?:md|html)$/.test(file));
      const counts = { created: posts.length, updated: 0, skipped: 0, failed: 0 };
      if (!path.startsWith('/imports/plan')) return answer(202, { id: 'job', status: 'finished', ...counts });
      const items = posts.map((file) => ({
        ...{ path: file, outcome: 'create', title: file, publish: false, message: null },
        slug: file.replaceAll(/\W+/g, '-'),
      }));
      return answer(200, { items });
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

async function filesOf(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(bytes, {});
  const files = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, (await buffer(await zip.openReadStreamPromise(entry))).toString());
  return files;
}

const blog = (...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder };
    const all = ['import', ...args, '--project', 'p1'];
    execFile(process.execPath, [COMMAND, ...all], { cwd: folder, env }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });

async function put(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  return buffer(zip.outputStream);
}

const WXR = `<?xml version="1.0" encoding="UTF-8" ?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel>
<wp:wxr_version>1.2</wp:wxr_version><item><title>Soup</title><link>https://old.example/2024/soup/</link>
<content:encoded>Text.</content:encoded><wp:post_id>7</wp:post_id><wp:post_name>soup</wp:post_name>
<wp:post_date_gmt>2024-01-31 09:30:00</wp:post_date_gmt><wp:status>publish</wp:status><wp:post_type>post</wp:post_type>
</item></channel></rss>`;
const GHOST = JSON.stringify({
  db: [{ data: { posts: [{ id: '1', title: 'Tea', slug: 'tea', html: '<p>x</p>', status: 'published' }] } }],
});

describe('what is imported', () => {
  it.each([
    ['an export of WordPress', { 'export.xml': WXR }, 'export.xml', 'posts/soup.html'],
    ['an export of Ghost', { 'export.json': GHOST }, 'export.json', 'posts/tea.html'],
    ['one with another name', { export: `\n${WXR}` }, 'export', 'posts/soup.html'],
    ['a folder of one', { 'in/wp/a.xml': WXR }, 'in', 'posts/soup.html'],
    ['a folder of posts', { 'in/a.md': '# A' }, 'in', 'a.md'],
    ['one file', { 'a.md': '# A' }, 'a.md', 'a.md'],
  ])('is recognized: %s', async (_what, files, path, post) => {
    await put(files);
    expect(await blog(path)).toMatchObject({ code: 0, out: expect.stringMatching(/^1 created, 0 updated/) });
    expect(received).toEqual([
      { path: '/imports?publish=false&existing=skip', files: new Map([[post, expect.any(String)]]) },
    ]);
  });

  it('is recognized in a ZIP archive, with any name', async () => {
    await put({
      'site.bin': await zipOf({ 'wp/a.xml': WXR, '__MACOSX/wp/._a.xml': 'x' }),
      'md.zip': await zipOf({ 'a/ü.md': 'x' }),
    });
    expect(await blog('site.bin')).toMatchObject({ code: 0 });
    expect(await blog('md.zip')).toMatchObject({ code: 0 });
    expect(received.map(({ files }) => [...files.keys()])).toEqual([['posts/soup.html'], ['a/ü.md']]);
  });

  it.each([
    ['a picture', { 'a.png': '\x89PNG' }, 'a.png', /must be a folder, a ZIP archive/],
    ['another JSON', { 'a.json': '{"posts":1}' }, 'a.json', /not a Ghost export/],
    ['another feed', { 'a.xml': '<rss><channel></channel></rss>' }, 'a.xml', /must be a folder, a ZIP archive/],
    ['a folder of pictures', { 'in/a.png': 'x' }, 'in', /has no \.md/],
    [
      'an export in an unknown encoding',
      { 'a.xml': WXR.replace('UTF-8', 'x-none') },
      'a.xml',
      /Unknown encoding “x-none”/,
    ],
    ['a broken archive', { 'a.zip': 'PK\x03\x04' }, 'a.zip', /a\.zip cannot be read/],
  ])('is nothing else: %s', async (_what, files, path, message) => {
    await put(files);
    expect(await blog(path)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(message) });
    expect(received).toEqual([]);
  });

  it('is not what could not be read of an export, which is said by name', async () => {
    const item = /<item>[^]*<\/item>/.exec(WXR)?.[0] ?? '';
    const bad = item.replace('Text.', 'A \x96 dash').replace('Soup', 'Good title').replace('>soup<', '>bad<');
    await put({ 'a.xml': Buffer.from(WXR.replace('</channel>', `${bad}</channel>`), 'latin1') });
    const { code, out } = await blog('a.xml', '--publish');
    expect([code, out]).toEqual([1, expect.stringMatching(/1 created[^]*not imported: Good title\./)]);
    expect([...(received[0]?.files.keys() ?? [])]).toEqual(['posts/soup.html']);
  });
});

it('letters that were lost before an export are said by name', async () => {
  await put({ 'a.xml': WXR.replace('Text.', 'Caf\uFFFD') });
  expect(await blog('a.xml')).toMatchObject({ code: 0, out: expect.stringContaining('in the export itself: Soup.') });
});

describe('a folder of any size', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_none, index) => [`in/${index}.md`, `[x](${index + 1}.md)`]));

  it('goes in steps, each of which knows the slugs of the others', async () => {
    const image = `in/images/${'a'.repeat(64)}.png`;
    await put({ ...many(1_100), [image]: 'x', 'in/data/images.jsonl': '{}', 'in/notes.txt': 'x' });
    busy = 1;
    const { code, out } = await blog('in');
    expect(code).toBe(0);
    expect(out).toMatch(/Step 4 of 4, 100 posts: 100 created.*\n1100 created, 0 updated, 0 skipped, 0 failed\n/);
    expect(out).toContain('1 text file not imported (only .md, .markdown, .html and .htm are): notes.txt.');
    expect(received.map(({ path, files }) => [path.split('?')[0], files.size])).toEqual([
      ['/imports/plan', 2],
      ['/imports/plan', 501],
      ['/imports/plan', 501],
      ['/imports/plan', 101],
      ['/imports', 3],
      ['/imports', 501],
      ['/imports', 501],
      ['/imports', 101],
    ]);
    const slugs = received.map(({ files }) => (files.get('data/slugs.jsonl') ?? '').split('\n').filter(Boolean).length);
    expect(slugs).toEqual([0, 600, 600, 1_000, 1_100, 1_100, 1_100, 1_100]);
  });

  it('is shown as a whole before, and nothing is done', async () => {
    await put(many(600));
    const { code, out } = await blog('in', '--dry-run');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('600 to create, 0 to update, 0 to skip, 0 to fail; 0 to publish.'),
    ]);
    expect(out).toContain('create  0.md → 0-md\n');
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/imports/plan?publish=false&existing=skip']));
  });

  it('has no file in it that is too large, and says which is left out', async () => {
    await put({ 'in/a.md': 'x', 'in/b.md': 'x'.repeat(4 * 2 ** 20 + 1) });
    const { code, out } = await blog('in');
    expect([code, out]).toEqual([1, expect.stringContaining('1 file not imported (limits: post 4 MB')]);
    expect([...(received[0]?.files.keys() ?? [])]).toEqual(['a.md']);
  });

  it('sends with each post of an export what its author wrote, where the archive has it', async () => {
    await put({ 'in/out/posts/tea.md': 'x', 'in/out/data/posts/tea.json': '{}', 'in/out/data/posts/none.json': '{}' });
    await put({ 'in/out/data/project.json': '{}', 'in/out/README.md': 'x', 'in/out/sites/hugo/a.md': 'x' });
    await put({ 'in/out/_site/b.html': 'x' });
    const sent = ['posts/tea.md', 'data/project.json', 'data/posts/tea.json'];
    for (const path of ['in', 'in/out']) await blog(path);
    expect(received.map(({ files }) => [...files.keys()])).toEqual([sent, sent]);
  });
});

describe('images that posts show by path', () => {
  const posts = {
    'in/posts/a.md': '---\nimage: my pot.jpg\n---\n![A cup](../cup.png "Cup") <img src="/i/b.gif"> ![](none.png)',
    'in/posts/b.md': '![](<my pot.jpg>) and [large](my%20pot.jpg)\n\n[c]: ../cup.png',
    'in/_b.md': 'x',
  };

  it('go with the posts in one archive, and others stay', async () => {
    await put({ ...posts, 'in/cup.png': 'c', 'in/posts/my pot.jpg': 'p', 'in/public/i/b.gif': 'b', 'in/no.png': 'x' });
    expect(await blog('in')).toMatchObject({ code: 0 });
    expect(received.map(({ files }) => [...files.keys()])).toEqual([
      ['posts/a.md', 'posts/b.md', '_b.md', 'posts/my pot.jpg', 'cup.png', 'public/i/b.gif'],
    ]);
  });

  it('go before the posts where they do not fit in one archive, and are found again by their hashes', async () => {
    const [cup, pot] = [Buffer.alloc(13 * 2 ** 20, 1), Buffer.alloc(13 * 2 ** 20, 2)];
    await put({ ...posts, 'in/cup.png': cup, 'in/posts/my pot.jpg': pot });
    const { code, out } = await blog('in');
    expect([code, out]).toEqual([0, expect.stringContaining('Step 3 of 3, 3 posts: 3 created')]);
    expect(received.map(({ files }) => [...files.keys()])).toEqual([
      ['posts/my pot.jpg', 'data/images.jsonl'],
      ['cup.png', 'data/images.jsonl'],
      ['posts/a.md', 'posts/b.md', '_b.md', 'data/images.jsonl'],
    ]);
    const lines = (received[2]?.files.get('data/images.jsonl') ?? '')
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual([
      { file: 'posts/my pot.jpg', sha256: createHash('sha256').update(pot).digest('hex') },
      { file: 'cup.png', sha256: createHash('sha256').update(cup).digest('hex'), alt: 'A cup' },
    ]);
  });

  it('are left out where they are too large, which is said', async () => {
    await put({ 'in/a.md': '![](cup.png)', 'in/cup.png': Buffer.alloc(20 * 2 ** 20 + 1) });
    const { code, out } = await blog('in');
    expect([code, out]).toEqual([1, expect.stringMatching(/1 file not imported .+image 20 MB\): cup\.png\./)]);
    expect(received.map(({ files }) => [...files.keys()])).toEqual([['a.md']]);
  });
});

it('redirects are written with an import, and not with its plan', async () => {
  await put({ 'a.xml': WXR });
  expect(await blog('a.xml', '--dry-run', '--redirects', 'r')).toMatchObject({ code: 0 });
  await expect(readFile(join(folder, 'r'))).rejects.toThrow('ENOENT');
  await blog('a.xml', '--redirects', 'r');
  expect(await readFile(join(folder, 'r'), 'utf8')).toBe('/2024/soup/ /blog/soup/ 301\n');
});

describe('the report of an import', () => {
  it('is written beside earlier ones, with what could not be read', async () => {
    await put({ 'in/a.md': 'x', 'in/notes.txt': 'x' });
    expect((await blog('in')).out).toContain('Details of each post: import-report.txt\n');
    expect((await blog('in')).out).toContain('Details of each post: import-report-2.txt\n');
    for (const name of ['import-report.txt', 'import-report-2.txt']) {
      expect(await readFile(join(folder, name), 'utf8')).toMatch(
        /^1 text file not imported .+notes\.txt\.\n\nImport job\n$/,
      );
    }
  });

  it('has the name that it is given, and is not written by a plan', async () => {
    await put({ 'in/a.md': 'x' });
    await blog('in', '--dry-run', '--report', 'lost.txt');
    await expect(readFile(join(folder, 'lost.txt'))).rejects.toThrow('ENOENT');
    await blog('in', '--report', 'lost.txt');
    expect(await readFile(join(folder, 'lost.txt'), 'utf8')).toBe('Import job\n');
  });
});
