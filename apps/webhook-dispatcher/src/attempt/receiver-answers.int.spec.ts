import { gzipSync } from 'node:zlib';
import { prepareSecureGround, type SecureGround } from '../../test/grounds/secure-ground.ts';
import { webhookCalls } from '../../test/webhook-calls.ts';

let on: SecureGround;
beforeAll(async () => {
  on = await prepareSecureGround();
});
afterAll(() => on[Symbol.asyncDispose]());

describe('§4.4: the URL and id of a receiver’s response', () => {
  const url = 'https://site.example/tea';
  const long = (length: number) => `https://site.example/${'x'.repeat(length - 'https://site.example/'.length)}`;
  it.each<[string, unknown, string | null, string | null]>([
    ['url and id', { url, id: 'p-1' }, url, 'p-1'],
    ['post_url and post_id', { post_url: url, post_id: 'p-1' }, url, 'p-1'],
    ['permalink and external_id', { permalink: url, external_id: 'p-1' }, url, 'p-1'],
    [
      'the first of several names',
      { permalink: 'https://c.example/', post_url: 'https://b.example/', url, external_id: 'c', post_id: 'b', id: 'a' },
      url,
      'a',
    ],
    [
      'the next name when the first has no usable value',
      { url: '', post_url: null, permalink: url, id: {}, post_id: 'b' },
      url,
      'b',
    ],
    ['a number as an id', { id: 42, url }, url, '42'],
    ['zero as an id', { id: 0 }, null, '0'],
    ['plain http', { url: 'http://site.example/tea' }, 'http://site.example/tea', null],
    ['a URL of 2,048 characters', { url: long(2_048) }, long(2_048), null],
    ['not one of 2,049', { url: long(2_049) }, null, null],
    ['an id of 255 characters', { id: 'x'.repeat(255) }, null, 'x'.repeat(255)],
    ['not one of 256', { id: 'x'.repeat(256) }, null, null],
    ['not a relative URL', { url: '/blog/tea' }, null, null],
    ['not a URL without a scheme', { url: 'site.example/tea' }, null, null],
    [
      'not another scheme',
      { url: 'javascript:alert(1)', post_url: 'data:text/html,x', permalink: 'ftp://x.example/' },
      null,
      null,
    ],
    [
      'not wrong types',
      { url: 7, post_url: [url], permalink: { url }, id: true, post_id: ['x'], external_id: null },
      null,
      null,
    ],
    ['not NUL or half a character', { url: `${url}\u0000`, id: 'a\ud800' }, null, null],
    ['a url after a byte order mark', `\ufeff{"url":"${url}"}`, url, null],
    ['not a number beyond all numbers', '{"id":1e999}', null, null],
    ['not what is nested deeper', { data: { url, id: 'p-1' } }, null, null],
    ['not what is in an array', [{ url, id: 'p-1' }], null, null],
    ['not a prototype’s', JSON.parse('{"__proto__":{"url":"https://site.example/tea","id":"p-1"}}'), null, null],
  ])('%s', async (_what, answer, live_url, external_id) => {
    on.receiver.respondWith(() => ({ body: typeof answer === 'string' ? answer : JSON.stringify(answer) }));
    const { blog } = await on.newProject();
    expect(await on.deliver(blog.published())).toMatchObject([
      { outcome: 'succeeded', reason: null, live_url, external_id },
    ]);
  });

  it.each([
    ['HTML', '<html>Thank you</html>'],
    ['nothing', ''],
    ['a text', '"https://site.example/tea"'],
    ['a number', '7'],
    ['null', 'null'],
    ['half of JSON', '{"url":"https://site.example/tea"'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
    ['UTF-16', Buffer.from('{"url":"https://site.example/tea"}', 'utf16le')],
  ])(
    '“A 2xx response whose body is not JSON is still a success; no URL or external id is stored”: %s',
    async (_what, body) => {
      on.receiver.respondWith(() => ({ body, headers: { 'content-type': 'application/json' } }));
      const { blog } = await on.newProject();
      expect(await on.deliver(blog.published())).toMatchObject([
        { outcome: 'succeeded', live_url: null, external_id: null },
      ]);
    },
  );

  it('JSON counts with any Content-Type', async () => {
    on.receiver.respondWith(() => ({ body: JSON.stringify({ url }), headers: { 'content-type': 'text/html' } }));
    const { blog } = await on.newProject();
    expect(await on.deliver(blog.published())).toMatchObject([{ live_url: url }]);
  });

  it('compressed JSON counts, and the log shows it decompressed', async () => {
    const body = gzipSync(JSON.stringify({ ok: true, url, id: 'p-1' }));
    on.receiver.respondWith(() => ({ body, headers: { 'content-encoding': 'gzip' } }));
    const project = await on.newProject();
    const [outcome] = await on.deliver(project.blog.published());
    expect(outcome).toMatchObject({ outcome: 'succeeded', live_url: url, external_id: 'p-1' });
    const calls = await webhookCalls(on, project);
    const [attempt] = (await calls.detail(outcome?.delivery_id ?? '')).body.attempts;
    expect(attempt?.answer?.body_start).toBe(`{"ok":true,"url":"${url}","id":"p-1"}`);
  });

  it('only a success’s: that of a failure, or of an unpublish, is not', async () => {
    const { blog } = await on.newProject();
    on.receiver.respondWith(() => ({ status: 500, body: { url, id: 'p-1' } }));
    expect(await on.deliver(blog.published())).toMatchObject([
      { outcome: 'failed', live_url: null, external_id: null },
    ]);
    on.receiver.respondWith(() => ({ body: { url, id: 'p-1' } }));
    expect(await on.deliver(blog.unpublished())).toMatchObject([
      { outcome: 'succeeded', live_url: null, external_id: null },
    ]);
  });
});
