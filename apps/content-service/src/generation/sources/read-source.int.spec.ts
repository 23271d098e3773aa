import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createUrlGuard } from '@blog-content/url-guard';
import { createContentWork, type ContentWork } from '../../content/content-work.ts';
import { createPageFetcher } from './fetch-page.ts';
import { readSource } from './read-source.ts';

const pages: Record<string, (response: ServerResponse) => unknown> = {
  '/page': (response) =>
    html(
      response,
      '<title>Water &amp; tea</title><nav>Menu</nav><script>evil()</script><main><h1>Water</h1><p>80 degrees.</p>' +
        `<p>${'More words. '.repeat(30)}</p></main><footer>Imprint</footer>`,
    ),
  '/plain': (response) =>
    response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(Buffer.from([0x74, 0xe9])),
  '/moved': (response) => response.writeHead(302, { location: '/page' }).end(),
  '/inside': (response) => response.writeHead(302, { location: 'http://10.0.0.1/secret' }).end(),
  '/round': (response) => response.writeHead(302, { location: '/round' }).end(),
  '/image': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
  '/large': (response) => html(response, '<p>x</p>'.repeat(1_000_000)),
  '/gone': (response) => response.writeHead(410).end(),
  '/empty': (response) => html(response, '<nav>Menu</nav>'),
  '/packed': (response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end('x'),
  '/cut': (response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-length': '9999' })
      .write('<p>', () => response.destroy()),
  '/deep': (response) => html(response, `${'<div>'.repeat(100_000)}Deep`),
};
const html = (response: ServerResponse, body: string) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);

let server: Server;
let origin: string;
let contentWork: ContentWork;
beforeAll(async () => {
  server = createServer((request, response) => {
    pages[request.url ?? '']?.(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  contentWork = createContentWork(() => Promise.resolve('account'));
});
afterAll(async () => {
  await contentWork.close();
  await new Promise((resolve) => server.close(resolve));
});

const read = (path: string, allowedRanges = ['127.0.0.0/8']) => {
  const guard = createUrlGuard({ allowHttp: true, allowedRanges });
  const task = { projectId: 'p', source: { url: `${origin}${path}` }, number: 1, signal: AbortSignal.timeout(60_000) };
  return readSource({ fetchPage: createPageFetcher(guard, 'test'), contentWork }, task);
};

describe('a source', () => {
  it('is the text of the page’s main part, with its title', async () => {
    const source = await read('/page');
    expect(source).toMatchObject({ number: 1, title: 'Water & tea', url: `${origin}/page`, problem: null });
    expect(source.text).toMatch(/^Water\n80 degrees\.\nMore words\./);
    expect(source.text).not.toMatch(/Menu|Imprint|evil/);
  });

  it('is read in its own characters, and where redirects lead', async () => {
    expect((await read('/plain')).text).toBe('té');
    expect((await read('/moved')).text).toContain('80 degrees');
  });

  it.each([
    ['/inside', /cannot be read: .* is not a public address: [^.]*[(][0-9./]+[)]\.$/],
    ['/round', /redirects more than 3 times/],
    ['/image', /is not text: its host reports image\/png/],
    ['/large', /exceeds 2097152 bytes/],
    ['/gone', /returned status 410/],
    ['/empty', /has no text/],
    ['/packed', /is compressed although/],
    ['/cut', /could not be reached/],
  ])('that cannot be read says why: %s', async (path, why) => {
    const source = await read(path);
    expect([source.text, source.problem]).toEqual([null, expect.stringMatching(why)]);
  });

  it('of our own network is not asked for', async () => {
    expect((await read('/page', [])).problem).toMatch(
      /cannot be read: .* is not a public address: [^.]*[(][0-9./]+[)]\.$/,
    );
  });

  it('nested without end is not read', async () => {
    expect((await read('/deep')).problem).toMatch(/has elements nested more than 200 levels deep/);
  });
});
