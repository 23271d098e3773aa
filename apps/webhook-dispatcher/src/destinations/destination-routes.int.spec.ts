import { randomUUID } from 'node:crypto';
import { integration } from '@blog-content/payload-schemas';
import { eventually } from '@blog-content/testing';
import {
  addProject,
  prepareTestGround,
  runDispatcher,
  type RunningDispatcher,
  type TestGround,
} from '../../test/running-dispatcher.ts';

let ground: TestGround;
let dispatcher: RunningDispatcher;
const owner = randomUUID();
const editor = randomUUID();
const projectId = randomUUID();
const path = (rest = '') => `/projects/${projectId}/webhooks${rest}`;
beforeAll(async () => {
  ground = await prepareTestGround();
  dispatcher = await runDispatcher(ground);
  await addProject(ground, dispatcher, projectId, owner, [editor]);
});
afterAll(async () => {
  await dispatcher[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
});

const url = 'http://127.0.0.1:9/blog';
const WORDPRESS = { kind: 'wordpress', url, secret: 'abcd efgh ijkl mnop', settings: { username: 'ada' } };
const GHOST = { kind: 'ghost', url, secret: `${'0a'.repeat(12)}:${'1b'.repeat(32)}` };

const token = 'a1'.repeat(16);
const WEBFLOW = {
  kind: 'webflow',
  url,
  secret: token,
  settings: { collection_id: '0a'.repeat(12), fields: { content: 'post-body' } },
};
const SHOPIFY = {
  kind: 'shopify',
  url: 'https://tea.myshopify.com',
  secret: token,
  settings: { blog_id: '7', author: 'Ada' },
};
const DEVTO = { kind: 'devto', url: 'https://dev.to', secret: token, settings: {} };

describe('direct integrations (contract §6.7)', () => {
  it.each([WORDPRESS, GHOST, WEBFLOW, SHOPIFY, DEVTO])(
    'are made with what their system needs: $kind',
    async ({ secret, ...given }) => {
      const made = await dispatcher.call<{ id: string }>('POST', path(), owner, { ...given, secret, name: 'Blog' });
      expect(made).toMatchObject({ status: 201, body: { ...given, name: 'Blog', has_secret: true, headers: {} } });
      expect(integration.parse(made.body)).toEqual(made.body);
      const rows = await ground.query('SELECT * FROM integration WHERE id = $1', [made.body.id]);
      expect(JSON.stringify([rows, made.body])).not.toContain(secret);
      expect((await dispatcher.call('GET', path(`/${made.body.id}`), editor)).body).toMatchObject({ kind: given.kind });
    },
  );

  it.each([
    [{ ...WORDPRESS, settings: {} }],
    [{ ...WORDPRESS, secret: undefined }],
    [{ ...GHOST, secret: 'no key' }],
    [{ ...GHOST, url: 'ftp://blog.example' }],
    [{ ...GHOST, kind: 'myspace' }],
    [{ ...WEBFLOW, settings: { ...WEBFLOW.settings, fields: {} } }],
    [{ ...WEBFLOW, settings: { ...WEBFLOW.settings, collection_id: '../sites' } }],
    [{ ...WEBFLOW, secret: 'two words of a token' }],
    [{ ...SHOPIFY, settings: { author: 'Ada' } }],
    [{ ...SHOPIFY, settings: { ...SHOPIFY.settings, blog_id: '7 OR 8' } }],
    [{ ...SHOPIFY, settings: { ...SHOPIFY.settings, author: 'A\0da' } }],
    [{ ...WORDPRESS, settings: { username: 'a\ud800' } }],
  ])('are refused when something is missing or wrong: %j', async (given) => {
    expect(await dispatcher.call('POST', path(), owner, given)).toMatchObject({ status: 422 });
  });

  it.each([
    ['shopify', 'https://tea.example'],
    ['shopify', 'https://tea.myshopify.com.evil.example'],
    ['shopify', 'https://evil.example/.myshopify.com'],
    ['shopify', 'https://a@tea.myshopify.com'],
    ['shopify', 'https://tea.myshopify.com:8443'],
    ['shopify', 'http://tea.myshopify.com'],
    ['devto', url],
    ['devto', 'https://dev.to.evil.example'],
  ])(
    'of %s lead to its API alone, not to %s, when they are made and when they are changed',
    async (kind, elsewhere) => {
      const given = kind === 'shopify' ? SHOPIFY : DEVTO;
      const refused = { status: 422, body: { errors: [{ field: 'url' }] } };
      expect(await dispatcher.call('POST', path(), owner, { ...given, url: elsewhere })).toMatchObject(refused);
      const { body } = await dispatcher.call<{ id: string }>('POST', path(), owner, given);
      expect(await dispatcher.call('PATCH', path(`/${body.id}`), owner, { url: elsewhere })).toMatchObject(refused);
      await dispatcher.call('DELETE', path(`/${body.id}`), owner);
    },
  );

  it('keep an address as it was checked, without surrounding white space', async () => {
    const { body } = await dispatcher.call<{ id: string }>('POST', path(), owner, SHOPIFY);
    const changed = await dispatcher.call('PATCH', path(`/${body.id}`), owner, { url: ` ${SHOPIFY.url} ` });
    expect(changed).toMatchObject({ status: 200, body: { url: SHOPIFY.url } });
  });

  it('of dev.to need no address', async () => {
    const { url: _left, ...given } = DEVTO;
    expect(await dispatcher.call('POST', path(), owner, given)).toMatchObject({
      status: 201,
      body: { url: 'https://dev.to' },
    });
  });

  it('change their address, credential and settings, and have nothing that only webhooks have', async () => {
    const { body } = await dispatcher.call<{ id: string }>('POST', path(), owner, WORDPRESS);
    const change = (changes: object) => dispatcher.call('PATCH', path(`/${body.id}`), owner, changes);
    expect(await change({ settings: { username: 'grace' }, secret: 'qrst uvwx yzab cdef' })).toMatchObject({
      status: 200,
      body: { settings: { username: 'grace' } },
    });
    for (const wrong of [
      { secret: null },
      { settings: {} },
      { settings: { username: 'a\0da' } },
      { headers: { 'X-A': 'b' } },
      { standard_webhooks: true },
    ]) {
      expect(await change(wrong)).toMatchObject({ status: 422 });
    }
    expect(await dispatcher.call('GET', path(`/${body.id}/sample`), owner)).toMatchObject({ status: 409 });
  });

  it('have a kind: an integration without one is a webhook', async () => {
    const made = await dispatcher.call('POST', path(), owner, { url });
    expect(made).toMatchObject({ status: 201, body: { kind: 'webhook', settings: {} } });
    const id = String(made.body['id']);
    expect(await dispatcher.call('PATCH', path(`/${id}`), owner, { settings: { links: 'live' } })).toMatchObject({
      status: 200,
      body: { settings: { links: 'live' } },
    });
    expect(await dispatcher.call('PATCH', path(`/${id}`), owner, { settings: { links: 'moon' } })).toMatchObject({
      status: 422,
    });
  });

  it('forget images of another address, and verify their posts there', async () => {
    const { body } = await dispatcher.call<{ id: string }>('POST', path(), owner, WORDPRESS);
    await ground.query(
      `INSERT INTO destination_post (integration_id, blog_id, post_id, slug, title)
       VALUES ($1, $2, '17', 'tea', 'Tea')`,
      [body.id, randomUUID()],
    );
    await ground.query(`INSERT INTO destination_image VALUES ($1, 'a', '1', 'http://127.0.0.1:9/a.png')`, [body.id]);
    const known = () =>
      ground.query(
        `SELECT p.moved, (SELECT count(*)::integer FROM destination_image i
           WHERE i.integration_id = p.integration_id) AS images
         FROM destination_post p WHERE p.integration_id = $1`,
        [body.id],
      );
    await dispatcher.call('PATCH', path(`/${body.id}`), owner, { url: `${WORDPRESS.url}/`, name: 'Tea' });
    expect(await known()).toEqual([{ moved: false, images: 1 }]);
    await dispatcher.call('PATCH', path(`/${body.id}`), owner, { url: 'http://127.0.0.1:9/other' });
    expect(await known()).toEqual([{ moved: true, images: 0 }]);
  });

  it('leave no record of their posts and images when they are deleted', async () => {
    const { body } = await dispatcher.call<{ id: string }>('POST', path(), owner, GHOST);
    await ground.query(`INSERT INTO destination_post VALUES ($1, $2, '1', 'tea', 'Tea')`, [body.id, randomUUID()]);
    await ground.query(`INSERT INTO destination_image VALUES ($1, 'a', '1', 'http://127.0.0.1:9/a.png')`, [body.id]);
    expect(await dispatcher.call('DELETE', path(`/${body.id}`), owner)).toMatchObject({ status: 204 });
    const left = `SELECT 1 FROM destination_post WHERE integration_id = $1
      UNION ALL SELECT 1 FROM destination_image WHERE integration_id = $1`;
    await eventually(async () => expect(await ground.query(left, [body.id])).toEqual([]));
  });
});
